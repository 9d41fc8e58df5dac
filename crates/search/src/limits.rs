use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use super::Timer;

/// The limits at which a search must end, whatever it has found.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// A flag that ends the search as soon as it is set.
    pub stop: &'a AtomicBool,
    /// The most nodes, as the search counts them.
    pub nodes: u64,
    /// The time at which the search ends.
    pub deadline: Option<Instant>,
    /// Deadlines that may change during the search.
    pub timer: Option<&'a Timer>,
}

impl Limits<'static> {
    /// No limits at all.
    pub fn none() -> Limits<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Limits::until(&NEVER)
    }
}

impl<'a> Limits<'a> {
    /// No limit except `stop`.
    pub fn until(stop: &'a AtomicBool) -> Limits<'a> {
        Limits { stop, nodes: u64::MAX, deadline: None, timer: None }
    }

    /// The same limits without the limit on nodes, for a search whose nodes are counted separately.
    pub fn alone(self) -> Limits<'a> {
        Limits { nodes: u64::MAX, ..self }
    }

    /// True if `more` nodes in addition to `nodes` would exceed a limit.
    #[inline]
    pub fn forbid(&self, nodes: u64, more: u64) -> bool {
        nodes.saturating_add(more) > self.nodes
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.timer.is_some_and(Timer::hard_passed)
    }
}
