use std::{collections::VecDeque, time::Instant};

use super::{command::Command, words::CommandError};

/// Commands that wait for the running search to end, in order.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<(Result<Command, CommandError>, Instant)>,
    /// How many have left it.
    taken: u64,
    /// `stop` came behind all that came before this number.
    stopped: u64,
    /// `ponderhit` came behind all that came before this number, at this time.
    hit: Option<(u64, Instant)>,
    /// When the last search ended that commands had to wait for.
    freed: Option<Instant>,
}

/// A command whose turn it is.
#[derive(Debug)]
pub(super) struct Waiting {
    pub command: Result<Command, CommandError>,
    /// From when on its clock runs: since it was read; if it had to wait, since its turn came. For a `go ponder` that
    /// `ponderhit` came behind, which is a plain `go` by now, not before that.
    pub begins: Instant,
    /// True if `stop` came behind it: a search is to be ended as soon as it begins.
    pub is_stopped: bool,
}

impl Queue {
    pub(super) fn push(&mut self, command: Result<Command, CommandError>, read: Instant) {
        self.waiting.push_back((command, read));
    }

    /// A `stop` behind all that wait. A script may pipe in a million lines: none of them is looked at here.
    pub(super) fn stop(&mut self) {
        self.stopped = self.pushed();
    }

    /// A `ponderhit` behind all that wait.
    pub(super) fn ponder_hit(&mut self, read: Instant) {
        self.hit = Some((self.pushed(), read));
    }

    /// Those that wait need not wait any longer.
    pub(super) fn free(&mut self, now: Instant) {
        self.freed = Some(now);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.taken = self.pushed();
        self.waiting.clear();
    }

    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let (mut command, mut read) = self.waiting.pop_front()?;
        let number = self.taken;
        self.taken += 1;
        if let (Ok(Command::Go(go)), Some((hit, at))) = (&mut command, self.hit)
            && go.ponder
            && number < hit
        {
            go.ponder = false;
            read = at;
        }
        let begins = self.freed.map_or(read, |freed| read.max(freed));
        Some(Waiting { command, begins, is_stopped: number < self.stopped })
    }

    fn pushed(&self) -> u64 {
        self.taken + self.waiting.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::uci::go::Go;

    fn ponder() -> Result<Command, CommandError> {
        Ok(Command::Go(Go { ponder: true, ..Go::default() }))
    }

    #[test]
    fn a_stop_and_a_ponderhit_are_for_what_came_before_them() {
        let (mut queue, early) = (Queue::default(), Instant::now());
        queue.push(ponder(), early);
        queue.stop();
        queue.push(ponder(), early);
        let late = Instant::now();
        queue.ponder_hit(late);
        queue.push(ponder(), early);
        let is_pondering = |waiting: &Waiting| waiting.command == ponder();
        let first = queue.pop().unwrap();
        assert!(first.is_stopped && !is_pondering(&first) && first.begins == late);
        let second = queue.pop().unwrap();
        assert!(!second.is_stopped && !is_pondering(&second));
        let third = queue.pop().unwrap();
        assert!(!third.is_stopped && is_pondering(&third) && third.begins == early);
        assert!(queue.pop().is_none());
    }

    #[test]
    fn the_clock_of_what_had_to_wait_runs_from_its_turn_on() {
        let (mut queue, early) = (Queue::default(), Instant::now());
        queue.push(ponder(), early);
        let freed = early + Duration::from_secs(3);
        queue.free(freed);
        assert_eq!(queue.pop().unwrap().begins, freed);
        // What comes later did not wait.
        let late = freed + Duration::from_secs(1);
        queue.push(ponder(), late);
        assert_eq!(queue.pop().unwrap().begins, late);
    }

    #[test]
    fn what_comes_behind_a_cleared_queue_is_not_stopped() {
        let mut queue = Queue::default();
        queue.push(ponder(), Instant::now());
        queue.stop();
        queue.clear();
        queue.push(Ok(Command::Display), Instant::now());
        assert!(!queue.pop().unwrap().is_stopped);
    }
}
