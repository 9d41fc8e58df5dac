use super::PolicyRecord;
use crate::generation::policy::Delivery;

/// Totals over the found games of a method with a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyTotals {
    /// The number of games with at least one ply.
    pub games: u64,
    /// The number of these that were drawn from populations.
    pub natural: u64,
    /// The number of these whose moves were drawn from tree searches.
    pub by_tree: u64,
    /// The number of these that search found.
    pub searched: u64,
    /// The total number of plies.
    pub plies: u64,
    /// The sum of −ln of the probabilities that the policy without a goal gives the moves, in nats.
    pub surprise: f64,
    /// The sum of the masked probabilities, in [0, 1] for each ply.
    pub masked: f64,
    /// The number of plies at which the action values changed the policy because few plies were left.
    pub tilted: u64,
    /// The number of plies played by search.
    pub finished: u64,
}

impl PolicyTotals {
    /// Counts a game of `plies` plies.
    pub fn count(&mut self, record: &PolicyRecord, plies: usize) {
        if plies == 0 {
            return;
        }
        self.games += 1;
        self.natural += u64::from(record.delivered_by == Delivery::Natural);
        self.by_tree += u64::from(record.delivered_by == Delivery::Tree);
        self.searched += u64::from(record.delivered_by == Delivery::Search);
        self.plies += plies as u64;
        self.surprise += record.surprise * plies as f64;
        self.masked += record.masked * plies as f64;
        self.tilted += u64::from(record.tilted);
        self.finished += u64::from(record.finished);
    }

    /// Adds other totals.
    pub fn add(&mut self, other: &PolicyTotals) {
        self.games += other.games;
        self.natural += other.natural;
        self.by_tree += other.by_tree;
        self.searched += other.searched;
        self.plies += other.plies;
        self.surprise += other.surprise;
        self.masked += other.masked;
        self.tilted += other.tilted;
        self.finished += other.finished;
    }

    /// The share of games drawn from populations.
    pub fn natural_share(&self) -> Option<f64> {
        (self.games > 0).then(|| self.natural as f64 / self.games as f64)
    }

    /// The mean surprise, in nats per ply.
    pub fn mean_surprise(&self) -> Option<f64> {
        self.per_ply(self.surprise)
    }

    /// The mean masked probability per ply.
    pub fn masked_share(&self) -> Option<f64> {
        self.per_ply(self.masked)
    }

    /// The share of plies at which the action values changed the policy.
    pub fn tilted_share(&self) -> Option<f64> {
        self.per_ply(self.tilted as f64)
    }

    /// The share of plies played by search.
    pub fn finished_share(&self) -> Option<f64> {
        self.per_ply(self.finished as f64)
    }

    fn per_ply(&self, sum: f64) -> Option<f64> {
        (self.plies > 0).then(|| sum / self.plies as f64)
    }
}
