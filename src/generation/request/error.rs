use thiserror::Error;

use crate::network::NetworkError;

/// Why a request cannot be met: what was asked for, without dashes, and what is wrong with it.
#[derive(Clone, Debug, Error)]
#[error("{asked}: {reason}")]
pub struct RequestError {
    /// The setting at fault, with its value where that matters.
    pub asked: String,
    /// What is wrong.
    pub reason: String,
}

impl RequestError {
    pub(super) fn new(asked: &str, reason: impl Into<String>) -> RequestError {
        RequestError { asked: asked.to_owned(), reason: reason.into() }
    }

    pub(super) fn network(error: &NetworkError) -> RequestError {
        let text = error.to_string();
        RequestError::new("network", text.strip_prefix("network ").unwrap_or(&text))
    }

    /// The setting at fault, without its value.
    pub fn setting(&self) -> &str {
        self.asked.split([' ', ',']).next().unwrap_or(&self.asked)
    }
}
