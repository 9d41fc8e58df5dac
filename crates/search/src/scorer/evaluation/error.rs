use thiserror::Error;

/// Why numbers or a file are no evaluation network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// It is no safetensors file, or its numbers are useless.
    #[error("network {name}: not a usable evaluation network: {reason}")]
    Useless {
        /// The network.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A tensor is not what it should be.
    #[error("network {name}: expected {expected}, found {found}")]
    Shape {
        /// The network.
        name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

impl EvaluationError {
    /// A network that is of no use.
    pub(super) fn useless(name: &str, reason: impl Into<String>) -> EvaluationError {
        EvaluationError::Useless { name: name.to_owned(), reason: reason.into() }
    }
}
