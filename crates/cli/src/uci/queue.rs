use std::{collections::VecDeque, time::Instant};

use super::{command::Command, words::CommandError};

/// Commands that wait for the running search to end, in order. They are numbered from 0.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<(Result<Command, CommandError>, Instant)>,
    /// The number of commands that have left the queue.
    taken: u64,
    /// The last `stop` applies to all commands with smaller numbers.
    stopped: u64,
    /// The last `ponderhit` applies to all commands with smaller numbers; the time is when it was read.
    hit: Option<(u64, Instant)>,
    /// When the last search that commands had to wait for ended.
    freed: Option<Instant>,
}

/// A command whose turn it is.
#[derive(Debug)]
pub(super) struct Waiting {
    pub command: Result<Command, CommandError>,
    /// The start of its clock: when it was read or, if it had to wait, when its turn came. A `go ponder` followed by
    /// `ponderhit` has become a plain `go`, whose clock does not start before the `ponderhit`.
    pub begins: Instant,
    /// True if `stop` followed it: a search must be stopped as soon as it starts.
    pub is_stopped: bool,
}

impl Queue {
    pub(super) fn push(&mut self, command: Result<Command, CommandError>, read: Instant) {
        self.waiting.push_back((command, read));
    }

    /// Stops all waiting commands, in constant time: a script may pipe in a million lines.
    pub(super) fn stop(&mut self) {
        self.stopped = self.pushed();
    }

    /// Applies a `ponderhit` to all waiting commands.
    pub(super) fn ponder_hit(&mut self, read: Instant) {
        self.hit = Some((self.pushed(), read));
    }

    /// Notes that waiting commands need not wait any longer.
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
    fn stop_and_ponderhit_apply_to_earlier_commands() {
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
    fn the_clock_of_a_command_that_had_to_wait_starts_with_its_turn() {
        let (mut queue, early) = (Queue::default(), Instant::now());
        queue.push(ponder(), early);
        let freed = early + Duration::from_secs(3);
        queue.free(freed);
        assert_eq!(queue.pop().unwrap().begins, freed);
        // A later command did not have to wait.
        let late = freed + Duration::from_secs(1);
        queue.push(ponder(), late);
        assert_eq!(queue.pop().unwrap().begins, late);
    }

    #[test]
    fn commands_after_a_cleared_queue_are_not_stopped() {
        let mut queue = Queue::default();
        queue.push(ponder(), Instant::now());
        queue.stop();
        queue.clear();
        queue.push(Ok(Command::Display), Instant::now());
        assert!(!queue.pop().unwrap().is_stopped);
    }
}
