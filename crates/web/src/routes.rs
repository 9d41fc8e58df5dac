//! What can be asked for: the files of the page, and the calls of the JSON interface.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Request, State, rejection::PathRejection},
    http::{
        Method, StatusCode, Uri,
        header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE},
    },
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use entente_tools::{Answer, Arguments, Running, TOOLS};
use serde_json::Value;

use crate::{
    assets::asset,
    body::json,
    events, export,
    guard::{Guard, guard},
    openapi,
    reply::{self, Refused},
    server::Server,
    vocabulary,
};

/// The whole service.
pub(crate) fn app(server: Server, protection: Guard) -> Router {
    Router::new()
        .route("/api/vocabulary", get(vocabulary::answer))
        .route("/api/openapi.json", get(openapi::answer))
        .route("/api/export", post(export::answer))
        .route("/api/{tool}", post(call))
        .method_not_allowed_fallback(refuse_method)
        .fallback(file)
        .layer(middleware::from_fn_with_state(Arc::new(protection), guard))
        .with_state(server)
}

async fn refuse_method(method: Method, uri: Uri) -> Response {
    let reason = format!("{} {}: expected another method", method, uri.path());
    reply::error(StatusCode::METHOD_NOT_ALLOWED, reason)
}

async fn file(method: Method, uri: Uri) -> Response {
    match asset(uri.path()) {
        Some(response) if matches!(method, Method::GET | Method::HEAD) => response,
        Some(_) => reply::error(StatusCode::METHOD_NOT_ALLOWED, "expected GET"),
        None => reply::error(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

/// A call of a tool.
async fn call(
    State(server): State<Server>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Refused> {
    let Path(name) = name.map_err(|error| Refused::new(StatusCode::NOT_FOUND, error.to_string()))?;
    let tool = TOOLS.into_iter().find(|tool| tool.name == name).ok_or_else(|| {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let reason = format!("{name:?}: no such call; expected one of {}", names.join(", "));
        Refused::new(StatusCode::NOT_FOUND, reason)
    })?;
    let headers = request.headers().clone();
    let Value::Object(given) = json(request).await? else {
        return Err(Refused::new(StatusCode::BAD_REQUEST, "expected an object with the arguments"));
    };
    let arguments = Arguments::read(&tool.inputs, &given)?;
    let accepts = headers.get(ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    // An image is no event.
    if accepts.contains("text/event-stream") && !tool.draws {
        let place = server.join(&headers)?;
        return Ok(events::stream(tool, arguments, server.shared.clone(), place));
    }
    let permit = server.permit(tool, &headers).await?;
    let answer = Running::start(tool, arguments, server.shared.clone(), permit).answer().await?;
    Ok(match answer {
        Answer { image: Some((bytes, media_type)), .. } => {
            ([(CONTENT_TYPE, media_type)], bytes).into_response()
        }
        answer => ([(CACHE_CONTROL, "no-store")], Json(answer.value)).into_response(),
    })
}

#[cfg(test)]
mod tests;
