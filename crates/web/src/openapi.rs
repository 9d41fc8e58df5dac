//! The description of the JSON interface, for programs: OpenAPI 3.1.

use std::sync::LazyLock;

use axum::{Json, response::IntoResponse};
use entente_tools::{TOOLS, Tool, schema};
use serde_json::{Map, Value, json};

use crate::export;

/// Answers `GET /api/openapi.json`.
pub(crate) async fn answer() -> impl IntoResponse {
    static ANSWER: LazyLock<Value> = LazyLock::new(description);
    Json(&*ANSWER)
}

fn description() -> Value {
    let mut paths: Map<String, Value> =
        TOOLS.iter().map(|tool| (format!("/api/{}", tool.name), path_of(tool))).collect();
    paths.insert("/api/export".to_owned(), export_path());
    let object = json!({ "application/json": { "schema": { "type": "object" } } });
    paths.insert(
        "/api/vocabulary".to_owned(),
        json!({ "get": {
            "operationId": "vocabulary",
            "summary": "The exercises by name, and the conditions that the page offers",
            "responses": { "200": { "description": "The vocabulary", "content": object } },
        } }),
    );
    paths.insert(
        "/api/openapi.json".to_owned(),
        json!({ "get": {
            "operationId": "description",
            "summary": "This description",
            "responses": { "200": { "description": "OpenAPI", "content": object } },
        } }),
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Entente",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Chess positions that satisfy a constraint, each with a legal game that leads to it.",
            "license": { "name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later" },
        },
        "paths": paths,
        "components": { "schemas": { "Error": error_schema() } },
    })
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": { "type": "string", "description": "What is wrong, in a sentence" },
            "argument": { "type": "string", "description": "The argument that is wrong" },
            "column": { "type": "integer", "minimum": 1, "description": "Where in the argument, in characters" },
        },
    })
}

/// The statuses with which a call can be refused.
fn refusals() -> Map<String, Value> {
    let refused = |description: &str| {
        let error = json!({ "$ref": "#/components/schemas/Error" });
        json!({ "description": description, "content": { "application/json": { "schema": error } } })
    };
    [
        ("400", "An argument is wrong"),
        ("401", "The server needs a token"),
        ("403", "The request comes from another site"),
        ("408", "The request did not come in time"),
        ("413", "The request is too large"),
        ("415", "The request is not JSON"),
        ("421", "The request is for another host"),
        ("422", "What is asked cannot be done"),
        ("500", "The program failed"),
        ("503", "Too many requests wait, or the call took too long"),
    ]
    .into_iter()
    .map(|(status, description)| (status.to_owned(), refused(description)))
    .collect()
}

fn path_of(tool: &Tool) -> Value {
    let stream = json!({ "schema": { "type": "string" } });
    let content = if tool.draws {
        json!({ "image/png": {}, "image/svg+xml": {} })
    } else {
        json!({ "text/event-stream": stream, "application/json": { "schema": { "type": "object" } } })
    };
    let description = "The answer. With 'Accept: text/event-stream' it comes as events: 'waiting', 'progress', parts of \
                       the answer such as 'position', and finally 'answer' or 'failed'.";
    let mut responses = refusals();
    responses.insert("200".to_owned(), json!({ "description": description, "content": content }));
    post(tool.name, tool.title, tool.help, &Value::Object(schema(&tool.inputs)), &responses)
}

fn export_path() -> Value {
    let mut responses = refusals();
    responses.insert("200".to_owned(), json!({ "description": "The file", "content": { "*/*": {} } }));
    post(
        "export",
        "Write positions to a file",
        "Makes a file of positions and their games: PGN, a study, a worksheet, flash cards or FENs.",
        &export::schema(),
        &responses,
    )
}

fn post(name: &str, title: &str, help: &str, schema: &Value, responses: &Map<String, Value>) -> Value {
    json!({ "post": {
        "operationId": name,
        "summary": title,
        "description": help,
        "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
        "responses": responses,
    } })
}
