use std::path::{Path, PathBuf};

use tch::Device;

/// The inputs of a run, apart from its recipe.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The game store.
    pub store: &'a Path,
    /// A network with whose weights the run begins.
    pub start: Option<&'a Path>,
    /// Tournaments with games of the policy itself.
    pub own: &'a [PathBuf],
    /// Labels of the store's positions.
    pub labels: Option<&'a Path>,
    /// A second store, on which progress is also measured.
    pub compare: Option<&'a Path>,
    /// Number of threads that compute the network; `None`: the default.
    pub threads: Option<usize>,
    /// Number of threads for everything else.
    pub cores: usize,
    /// The device on which the network is computed.
    pub device: Device,
}
