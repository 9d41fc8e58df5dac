//! The bodies of requests.

use std::time::Duration;

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{StatusCode, header::CONTENT_TYPE},
};
use serde_json::Value;
use tokio::time::timeout;

use crate::reply::Refused;

/// The most bytes of a request.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// The most time for a client to send a request.
pub(crate) const SENDING: Duration = Duration::from_secs(15);

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
