use std::sync::Arc;

use super::{Backend, NetworkError, Policy, SatisfactionNetwork};

/// Gives networks by their name or path, and by what is to run them, each loaded once if it is asked for again.
pub trait NetworkSource {
    /// A network that values positions.
    ///
    /// # Errors
    /// [`NetworkError`] if there is none.
    fn network(&mut self, name: &str, backend: Backend) -> Result<Arc<SatisfactionNetwork>, NetworkError>;

    /// A policy.
    ///
    /// # Errors
    /// [`NetworkError`] if there is none.
    fn policy(&mut self, name: &str, backend: Backend) -> Result<Arc<Policy>, NetworkError>;
}
