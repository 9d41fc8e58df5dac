use super::{PolicyRecord, policy::Delivery};

/// Sums over the games of a method with a policy that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PolicyTotals {
    /// Games of at least one ply.
    pub games: u64,
    /// Of which were drawn from populations.
    pub natural: u64,
    /// Of which had each move drawn from a tree search.
    pub by_tree: u64,
    /// Of which search found.
    pub searched: u64,
    /// Their plies.
    pub plies: u64,
    /// −ln of what people without a goal would have given their moves, in nats.
    pub surprise: f64,
    /// What the masks took away, each ply in [0, 1].
    pub masked: f64,
    /// Plies played while the plies were running out.
    pub tilted: u64,
    /// Plies played by search.
    pub finished: u64,
}

impl PolicyTotals {
    /// Counts a game of so many plies.
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

    /// Adds the games of another.
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

    /// Mean surprise, in nats a ply.
    pub fn mean_surprise(&self) -> Option<f64> {
        self.a_ply(self.surprise)
    }

    /// Mean share of the moves that the masks took away.
    pub fn masked_share(&self) -> Option<f64> {
        self.a_ply(self.masked)
    }

    /// Share of plies played under the tilt.
    pub fn tilted_share(&self) -> Option<f64> {
        self.a_ply(self.tilted as f64)
    }

    /// Share of plies played by search.
    pub fn finished_share(&self) -> Option<f64> {
        self.a_ply(self.finished as f64)
    }

    fn a_ply(&self, sum: f64) -> Option<f64> {
        (self.plies > 0).then(|| sum / self.plies as f64)
    }
}
