//! How rooms report the progress of long work to those who show it.

/// Observes the progress of long work.
pub trait ProgressObserver: Sync {
    /// The work `what` begins, with `length` units called `things`.
    fn begin(&self, _what: &str, _length: u64, _things: &str) {}

    /// This number of further units is done.
    fn done(&self, _more: u64) {}

    /// The work is finished.
    fn end(&self) {}
}

/// Ignores everything.
impl ProgressObserver for () {}
