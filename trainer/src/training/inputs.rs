use std::path::{Path, PathBuf};

use tch::Device;

/// What a run is given beside its recipe.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The game store.
    pub store: &'a Path,
    /// A network to begin with.
    pub start: Option<&'a Path>,
    /// Tournaments of games of its own.
    pub own: &'a [PathBuf],
    /// Labels of the store's positions.
    pub labels: Option<&'a Path>,
    /// A second store, to measure progress on.
    pub compare: Option<&'a Path>,
    /// Threads of the network's arithmetic, if not the usual number.
    pub threads: Option<usize>,
    /// Threads of all else.
    pub cores: usize,
    /// Where the network computes.
    pub device: Device,
}

/// Looks on while something takes long.
pub trait Watch: Sync {
    /// `what` begins, which is over after `length` things.
    fn begin(&self, _what: &str, _length: u64, _things: &str) {}

    /// So many more of them are done.
    fn done(&self, _more: u64) {}

    /// It is over.
    fn end(&self) {}
}

/// Nobody looks.
impl Watch for () {}
