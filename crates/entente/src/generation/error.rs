use entente_constraint::{Target, guide::GuideError};
use entente_network::NetworkError;
use thiserror::Error;

use crate::judge::EngineError;

/// Why positions cannot be generated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenerationError {
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The judge does not answer.
    #[error(transparent)]
    Judge(#[from] EngineError),
    /// The target cannot be reached, or is too complex.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// The method can be led only to numbers of men, and the constraint, which is given, has other conditions.
    #[error(
        "the method negamax is led by numbers of men alone, and '{0}' says more; best-first is led by everything"
    )]
    NotCounted(String),
}

impl GenerationError {
    /// The error for a target that has conditions other than numbers of men.
    pub(super) fn not_counted(target: &Target) -> GenerationError {
        GenerationError::NotCounted(target.constraint.to_string())
    }
}
