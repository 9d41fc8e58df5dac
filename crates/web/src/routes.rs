//! What can be asked for: the files of the page, and the calls of the JSON interface.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::{Body, Bytes, to_bytes},
    extract::{Path, Request, State},
    http::{
        HeaderMap, Method, StatusCode, Uri,
        header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE},
    },
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use entente_tools::{Answer, Arguments, Shared, TOOLS, Tool};
use serde_json::Value;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    assets::asset,
    events, export,
    guard::{Guard, guard},
    openapi,
    queue::{Place, Queue},
    reply::{self, Refused},
    run::Running,
    vocabulary,
};

/// The most bytes of a request.
const MOST_BYTES: usize = 1 << 20;
/// The most time for a client to send a request.
const SENDING: Duration = Duration::from_secs(15);
/// The most time that a short call waits for others.
const WAITING: Duration = Duration::from_secs(30);
/// The most long calls that wait.
const MOST_WAITING: usize = 200;
/// The tools whose calls wait in line, because each may take minutes on all cores.
const LONG: [&str; 2] = ["generate", "prove"];

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Server {
    pub shared: Shared,
    pub line: Queue,
    /// Short calls, so that the explanation of a constraint does not wait for another tab's positions.
    short: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn new() -> Server {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Server {
            shared: Shared::default(),
            line: Queue::new(2, MOST_WAITING),
            short: Arc::new(Semaphore::new(cores.max(2))),
        }
    }

    /// The place of a request in the line of long calls.
    ///
    /// # Errors
    /// The answer that the line is full.
    pub(crate) fn join(&self, headers: &HeaderMap) -> Result<Place, Refused> {
        let tab = headers.get("x-tab").and_then(|tab| tab.to_str().ok()).unwrap_or_default();
        let busy =
            || Refused::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests wait; try again later");
        // A name may be of any length.
        let tab: String = tab.chars().take(64).collect();
        self.line.join(&tab).ok_or_else(busy)
    }

    /// Waits until a call may run.
    async fn permit(&self, tool: &Tool, headers: &HeaderMap) -> Result<Permit, Refused> {
        if LONG.contains(&tool.name) {
            let mut place = self.join(headers)?;
            place.turn().await;
            return Ok(Permit::Long { _place: place });
        }
        match timeout(WAITING, Arc::clone(&self.short).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Permit::Short { _permit: permit }),
            _ => Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests; try again later")),
        }
    }
}

/// Lets a call run until it is dropped: when the answer is there, or no one waits for it.
enum Permit {
    Long { _place: Place },
    Short { _permit: OwnedSemaphorePermit },
}

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
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Refused> {
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
    if accepts.contains("text/event-stream") {
        let place = server.join(&headers)?;
        return Ok(events::stream(tool, arguments, server.shared.clone(), place));
    }
    let _permit = server.permit(tool, &headers).await?;
    let answer = Running::start(tool, arguments, server.shared.clone()).answer().await?;
    Ok(match answer {
        Answer { image: Some((bytes, media_type)), .. } => {
            ([(CONTENT_TYPE, media_type)], bytes).into_response()
        }
        answer => ([(CACHE_CONTROL, "no-store")], Json(answer.value)).into_response(),
    })
}

/// The body of a request, which must be JSON and small, and come soon.
///
/// # Errors
/// What is wrong.
pub(crate) async fn json(request: Request) -> Result<Value, Refused> {
    let (parts, body) = request.into_parts();
    let media_type =
        parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if media_type.split(';').next().map(str::trim) != Some("application/json") {
        let reason = format!("content type {media_type:?}: expected application/json");
        return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    let bytes = all_of(body).await?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Refused::new(StatusCode::BAD_REQUEST, format!("the request is not JSON: {error}")))
}

async fn all_of(body: Body) -> Result<Bytes, Refused> {
    let late = |_| Refused::new(StatusCode::REQUEST_TIMEOUT, "the request did not come in time");
    let bytes = timeout(SENDING, to_bytes(body, MOST_BYTES)).await.map_err(late)?;
    bytes.map_err(|_| {
        let reason = format!("expected a request of at most {MOST_BYTES} bytes");
        Refused::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    })
}

#[cfg(test)]
mod tests;
