//! Answers that are not what was asked for.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use entente_tools::{Failure, Refusal};

/// A request that is refused: a status, and an object with `error`, and `argument` and `column` where they are known.
pub(crate) struct Refused {
    status: StatusCode,
    // Results with it would be large.
    refusal: Box<Refusal>,
}

impl Refused {
    /// Refuses a request whatever its arguments.
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refused {
        let reason: String = reason.into();
        Refused { status, refusal: Box::new(Refusal::failure(reason)) }
    }
}

/// 400 if an argument is wrong, and 422 if the call failed.
impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        let status = match refusal.argument {
            Some(_) => StatusCode::BAD_REQUEST,
            None => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Refused { status, refusal: Box::new(refusal) }
    }
}

/// 500 after a panic, and 503 if the call took too long.
impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        let (status, refusal) = match failure {
            Failure::Refused(refusal) => return refusal.into(),
            Failure::Panicked(refusal) => (StatusCode::INTERNAL_SERVER_ERROR, refusal),
            Failure::Late(refusal) => (StatusCode::SERVICE_UNAVAILABLE, refusal),
        };
        Refused { status, refusal: Box::new(refusal) }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(self.refusal.json())).into_response()
    }
}

/// A refused request.
pub(crate) fn error(status: StatusCode, reason: impl Into<String>) -> Response {
    Refused::new(status, reason).into_response()
}
