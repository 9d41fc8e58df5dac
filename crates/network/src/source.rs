use std::sync::Arc;

use super::{Backend, NetworkError, Policy, SatisfactionNetwork};

/// Provides networks by name or path and by backend. It loads each only once, however often it is requested.
pub trait NetworkSource {
    /// The satisfaction network of this name or path, run by `backend`.
    ///
    /// # Errors
    /// [`NetworkError`] if it cannot be loaded.
    fn network(&mut self, name: &str, backend: Backend) -> Result<Arc<SatisfactionNetwork>, NetworkError>;

    /// The policy of this name or path, run by `backend`.
    ///
    /// # Errors
    /// [`NetworkError`] if it cannot be loaded.
    fn policy(&mut self, name: &str, backend: Backend) -> Result<Arc<Policy>, NetworkError>;
}
