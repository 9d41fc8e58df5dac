use thiserror::Error;

/// Why numbers or a file are not an evaluation network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// It is not a safetensors file, or its weights are not usable.
    #[error("network {name}: not a usable evaluation network: {reason}")]
    Useless {
        /// The name of the network.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A tensor is missing, or has another type or shape.
    #[error("network {name}: expected {expected}, found {found}")]
    Shape {
        /// The name of the network.
        name: String,
        /// The expected tensor.
        expected: String,
        /// What the file has instead.
        found: String,
    },
}

impl EvaluationError {
    /// The error for a network that is not usable.
    pub(in crate::scorer) fn useless(name: &str, reason: impl Into<String>) -> EvaluationError {
        EvaluationError::Useless { name: name.to_owned(), reason: reason.into() }
    }
}
