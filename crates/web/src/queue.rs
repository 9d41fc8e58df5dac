//! When calls that take long may begin.
//!
//! A few run at once. The others wait in line: first come, first served, except that a tab's second call lets the first
//! calls of other tabs pass. The line is bounded.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

/// The line of calls.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Inner>);

struct Inner {
    /// How many may run at once.
    slots: usize,
    /// How many may wait.
    most: usize,
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    /// The number of the next call.
    next: u64,
    /// The round of the call that began last.
    round: u64,
    /// The last round of each tab that has had its turn in this round or later.
    rounds: HashMap<String, u64>,
    running: Vec<Entry>,
    waiting: Vec<(Entry, watch::Sender<Option<usize>>)>,
}

/// A call. In each round every tab has one turn.
struct Entry {
    round: u64,
    number: u64,
    tab: String,
}

/// A call's place in the line. The next call moves up when it is dropped, whether the call waits or runs.
pub(crate) struct Place {
    queue: Queue,
    number: u64,
    /// How many are before the call; `None` when it may run.
    ahead: watch::Receiver<Option<usize>>,
}

impl Queue {
    /// The most calls of one tab in the line, so that a single tab cannot fill it.
    const MOST_OF_A_TAB: usize = 16;

    /// A line in which `slots` calls run at once, and at most `most` others wait.
    pub(crate) fn new(slots: usize, most: usize) -> Queue {
        Queue(Arc::new(Inner { slots, most, line: Mutex::default() }))
    }

    /// Joins the line; `None` if it is too long.
    pub(crate) fn join(&self, tab: &str) -> Option<Place> {
        let mut line = self.line();
        let of_tab = line.running.iter().chain(line.waiting.iter().map(|(entry, _)| entry));
        let of_tab = of_tab.filter(|entry| entry.tab == tab).count();
        if line.waiting.len() >= self.0.most || of_tab >= Queue::MOST_OF_A_TAB {
            return None;
        }
        let (number, round) = line.enter(tab);
        let (sender, ahead) = watch::channel(Some(0));
        line.waiting.push((Entry { round, number, tab: tab.to_owned() }, sender));
        line.waiting.sort_by_key(|(entry, _)| (entry.round, entry.number));
        line.advance(self.0.slots);
        Some(Place { queue: self.clone(), number, ahead })
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// The number and the round of a new call of a tab.
    fn enter(&mut self, tab: &str) -> (u64, u64) {
        self.next += 1;
        let now = self.round;
        self.rounds.retain(|_, round| *round >= now);
        let round = self.rounds.get(tab).map_or(now, |last| last + 1);
        self.rounds.insert(tab.to_owned(), round);
        (self.next, round)
    }

    /// Lets calls begin while there are slots, and tells the others how many are before them.
    fn advance(&mut self, slots: usize) {
        while self.running.len() < slots && !self.waiting.is_empty() {
            let (entry, sender) = self.waiting.remove(0);
            // A place that was dropped has left the line, so the receiver is there.
            sender.send_replace(None);
            self.round = self.round.max(entry.round);
            self.running.push(entry);
        }
        for (index, (_, sender)) in self.waiting.iter().enumerate() {
            sender.send_if_modified(|ahead| ahead.replace(index) != Some(index));
        }
    }
}

impl Place {
    /// How many calls are before this one; `None` when it may run.
    pub(crate) fn ahead(&mut self) -> Option<usize> {
        *self.ahead.borrow_and_update()
    }

    /// Waits until the number of calls before this one changes.
    pub(crate) async fn changed(&mut self) {
        // The sender goes when the call may run, after its last message.
        let _ = self.ahead.changed().await;
    }

    /// Waits until the call may run.
    pub(crate) async fn turn(&mut self) {
        while self.ahead().is_some() {
            self.changed().await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = self.queue.line();
        line.running.retain(|entry| entry.number != self.number);
        line.waiting.retain(|(entry, _)| entry.number != self.number);
        line.advance(self.queue.0.slots);
        if line.running.is_empty() {
            // No one waits either, so that no one is before anyone.
            line.rounds.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_run_in_order_and_places_move_up() {
        let queue = Queue::new(1, 10);
        let mut first = queue.join("a").unwrap();
        let mut second = queue.join("b").unwrap();
        let mut third = queue.join("c").unwrap();
        assert_eq!([first.ahead(), second.ahead(), third.ahead()], [None, Some(0), Some(1)]);
        drop(second);
        assert_eq!(third.ahead(), Some(0));
        drop(first);
        assert_eq!(third.ahead(), None);
    }

    #[test]
    fn a_second_call_of_a_tab_lets_other_tabs_pass() {
        let queue = Queue::new(1, 10);
        let running = queue.join("a").unwrap();
        let mut again = queue.join("a").unwrap();
        let mut other = queue.join("b").unwrap();
        assert_eq!([again.ahead(), other.ahead()], [Some(1), Some(0)]);
        drop(running);
        assert_eq!([again.ahead(), other.ahead()], [Some(0), None]);
        drop(other);
        assert_eq!(again.ahead(), None);
    }

    #[test]
    fn a_tab_that_comes_again_and_again_does_not_pass_others() {
        let queue = Queue::new(1, 10);
        let first = queue.join("a").unwrap();
        let (mut again, mut other) = (queue.join("a").unwrap(), queue.join("b").unwrap());
        drop(first);
        assert_eq!([again.ahead(), other.ahead()], [Some(0), None]);
        drop(other);
        let mut other = queue.join("b").unwrap();
        assert_eq!([again.ahead(), other.ahead()], [None, Some(0)]);
    }

    #[test]
    fn the_line_is_bounded() {
        let queue = Queue::new(1, 2);
        let places: Vec<_> = ["a", "b", "c", "d"].map(|tab| queue.join(tab)).into_iter().collect();
        assert_eq!(places.iter().filter(|place| place.is_some()).count(), 3);
        drop(places);
        assert!(queue.join("a").is_some());
        let queue = Queue::new(1, 100);
        let places: Vec<_> = (0..30).filter_map(|_| queue.join("a")).collect();
        assert_eq!(places.len(), Queue::MOST_OF_A_TAB);
        assert!(queue.join("b").is_some());
    }
}
