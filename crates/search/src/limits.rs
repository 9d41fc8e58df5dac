use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use super::Timer;

/// When a search must end, whatever it has found.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Ends the search as soon as it is set.
    pub stop: &'a AtomicBool,
    /// The most nodes, as the search counts them.
    pub nodes: u64,
    /// The time at which the search ends.
    pub deadline: Option<Instant>,
    /// Deadlines that may change meanwhile.
    pub timer: Option<&'a Timer>,
}

impl Limits<'static> {
    /// None at all.
    pub fn none() -> Limits<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Limits::until(&NEVER)
    }
}

impl<'a> Limits<'a> {
    /// No limit but `stop`.
    pub fn until(stop: &'a AtomicBool) -> Limits<'a> {
        Limits { stop, nodes: u64::MAX, deadline: None, timer: None }
    }

    /// The same without a limit of nodes: for a search whose nodes are not counted with the others.
    pub fn alone(self) -> Limits<'a> {
        Limits { nodes: u64::MAX, ..self }
    }

    /// True if `more` nodes on top of `nodes` would break a limit.
    pub fn forbid(&self, nodes: u64, more: u64) -> bool {
        nodes.saturating_add(more) > self.nodes
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.timer.is_some_and(Timer::hard_passed)
    }
}
