//! Measures: the statistics of a tournament's games, and the tables that show them.
//!
//! To add one, add a method of [`Measures`], and its columns in `table.rs` and `csv.rs`.

mod csv;
mod table;

use std::collections::BTreeMap;

pub(super) use csv::csv;
use statrs::stats_tests::{Alternative, fishers_exact};

pub(crate) use table::{Cell, MAX_PIECE_DIFFERENCES, Row, Table, markdown};

use entente::records::{PolicyTotals, Statistics};

use super::{
    Published,
    interval::{self, Estimate},
};

/// The statistics of one pairing, or of several together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measures {
    /// Games generated.
    pub generated: u64,
    /// Games that satisfied the constraint without a retry.
    pub first_attempt: u64,
    /// Games that satisfied the constraint, with or without retries.
    pub satisfied: u64,
    /// Games of at least one ply.
    pub played: u64,
    /// Distinct piece placements among the games of at least one ply, counted for each constraint.
    pub unique: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Totals over the satisfied games of methods with a policy.
    pub policy: PolicyTotals,
    /// The number of satisfied games by length in plies.
    pub plies: BTreeMap<usize, u64>,
    /// The number of first attempts by final distance.
    pub distances: BTreeMap<u32, u64>,
    /// Total seconds on one thread, over the games whose time is known.
    pub seconds: f64,
    /// The number of games whose time is known.
    pub timed: u64,
}

impl Measures {
    /// The measures of one pairing. `seconds` is the total time of the `timed` games whose time is known.
    pub(super) fn new(statistics: &Statistics, seconds: f64, timed: u64) -> Measures {
        Measures {
            generated: statistics.generated,
            first_attempt: statistics.satisfied_at_first_attempt,
            satisfied: statistics.satisfied,
            played: statistics.played,
            unique: statistics.unique(),
            nodes: statistics.nodes,
            evaluations: statistics.evaluations,
            policy: statistics.policy,
            plies: statistics.plies().clone(),
            distances: statistics.first_attempt_distances().clone(),
            seconds,
            timed,
        }
    }

    /// Adds the measures of another pairing.
    pub(super) fn add(&mut self, other: &Measures) {
        self.generated += other.generated;
        self.first_attempt += other.first_attempt;
        self.satisfied += other.satisfied;
        self.played += other.played;
        self.unique += other.unique;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.evaluations = self.evaluations.saturating_add(other.evaluations);
        self.policy.add(&other.policy);
        self.seconds += other.seconds;
        self.timed += other.timed;
        for (&plies, &games) in &other.plies {
            *self.plies.entry(plies).or_default() += games;
        }
        for (&distance, &games) in &other.distances {
            *self.distances.entry(distance).or_default() += games;
        }
    }

    /// Share satisfied at the first attempt.
    pub(super) fn first_attempt_share(&self) -> Option<Estimate> {
        interval::share(self.first_attempt, self.generated)
    }

    /// Share satisfied as delivered.
    pub(super) fn delivered_share(&self) -> Option<Estimate> {
        interval::share(self.satisfied, self.generated)
    }

    /// Distinct placements per game of at least one ply. Because this is not a share of independent trials, it has no
    /// interval.
    pub(super) fn unique_ratio(&self) -> Option<f64> {
        ratio(self.unique as f64, self.played)
    }

    /// Mean length of the satisfied games, in plies.
    pub(super) fn mean_plies(&self) -> Option<Estimate> {
        interval::mean(&self.plies)
    }

    /// Median length of the satisfied games, in plies.
    pub(super) fn median_plies(&self) -> Option<Estimate> {
        interval::median(&self.plies)
    }

    /// The share of first attempts that ended `men` away from the constraint (thesis, formula 6.3).
    pub(super) fn piece_difference_ratio(&self, men: u32) -> Option<Estimate> {
        interval::share(self.distances.get(&men).copied().unwrap_or(0), self.generated)
    }

    /// Positions searched per satisfied game.
    pub(super) fn nodes_each(&self) -> Option<f64> {
        ratio(self.nodes as f64, self.satisfied)
    }

    /// Positions evaluated per satisfied game.
    pub(super) fn evaluations_each(&self) -> Option<f64> {
        ratio(self.evaluations as f64, self.satisfied)
    }

    /// Seconds on one thread per satisfied game, if the time of every game is known.
    pub(super) fn seconds_each(&self) -> Option<f64> {
        if self.timed == self.generated { ratio(self.seconds, self.satisfied) } else { None }
    }

    /// The p-value of Fisher's exact test, one-sided: the probability of at most this many satisfied first attempts if
    /// the true share equals the published one.
    pub(super) fn below(&self, published: &Published) -> Option<f64> {
        let theirs = published.satisfied_games();
        let table =
            [self.first_attempt, self.generated - self.first_attempt, theirs, published.games - theirs];
        fishers_exact(&table, Alternative::Less).ok()
    }
}

fn ratio(number: f64, of: u64) -> Option<f64> {
    (of > 0).then(|| number / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fishers_test_is_one_sided() {
        let published = |satisfied| Published {
            constraint: "(1,2,2,2,7)".to_owned(),
            games: 300,
            satisfied,
            unique: 99.0,
            mean_steps: 9.0,
            median_steps: 9.0,
            pdr_1: None,
            pdr_2: None,
            pdr_3: None,
            pdr_4: None,
        };
        let measures = Measures { generated: 300, first_attempt: 180, ..Measures::default() };
        // SciPy: fisher_exact([[180, 120], [207, 93]], "less")
        let p = measures.below(&published(69.0)).expect("a test");
        assert!((p - 0.013_214).abs() < 1e-4, "{p}");
        assert!(measures.below(&published(40.0)).expect("a test") > 0.99);
        let all = Measures { generated: 300, first_attempt: 300, ..Measures::default() };
        assert_eq!(all.below(&published(100.0)), Some(1.0));
    }
}
