use std::collections::BTreeMap;

use shakmaty::{Board, Position};

use super::{PolicyRecord, PolicyTotals, Record};
use crate::generation::{Generation, Outcome, Placements};

/// Measures of generated positions (thesis, section 6.1).
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The number of positions generated, found or not.
    pub generated: u64,
    /// The number of positions found.
    pub satisfied: u64,
    /// The number of positions found without a retry.
    pub satisfied_at_first_attempt: u64,
    /// The number of positions, found or not, whose game has at least one ply.
    pub played: u64,
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of positions given to the evaluator.
    pub evaluations: u64,
    /// Totals over the positions found, if the method has a policy.
    pub policy: PolicyTotals,
    /// For each length in plies, the number of positions found.
    plies: BTreeMap<usize, u64>,
    /// For each distance from the constraint, the number of first attempts that ended there.
    first_attempt_distances: BTreeMap<u32, u64>,
    placements_played: Placements,
    placements_found: Placements,
}

/// The numbers that are counted for a generated position.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Whether the position was found.
    pub outcome: Outcome,
    /// The length of its game.
    pub plies: usize,
    /// Its board.
    pub board: &'a Board,
    /// The distance at the end of the first attempt.
    pub first_attempt_distance: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of positions given to the evaluator.
    pub evaluations: u64,
    /// How the policy produced the game, if it did.
    pub policy: Option<&'a PolicyRecord>,
}

impl<'a> Sample<'a> {
    /// The numbers of a recorded position, with its board.
    pub fn of(record: &'a Record, board: &'a Board) -> Sample<'a> {
        Sample {
            outcome: record.outcome,
            plies: record.plies,
            board,
            first_attempt_distance: record.first_attempt_distance,
            nodes: record.nodes,
            evaluations: record.evaluations,
            policy: record.policy.as_ref(),
        }
    }
}

impl Statistics {
    /// Counts a generated position.
    pub fn add(&mut self, generation: &Generation) {
        let plies = generation.moves.len();
        let policy = generation.report.as_ref().and_then(|report| PolicyRecord::new(report, plies));
        self.count(Sample {
            outcome: generation.outcome,
            plies,
            board: generation.position.board(),
            first_attempt_distance: generation.first_attempt_distance,
            nodes: generation.nodes,
            evaluations: generation.evaluations,
            policy: policy.as_ref(),
        });
    }

    /// Counts a position.
    pub fn count(&mut self, sample: Sample<'_>) {
        self.generated += 1;
        self.nodes = self.nodes.saturating_add(sample.nodes);
        self.evaluations = self.evaluations.saturating_add(sample.evaluations);
        self.satisfied_at_first_attempt += u64::from(sample.first_attempt_distance == 0);
        *self.first_attempt_distances.entry(sample.first_attempt_distance).or_default() += 1;
        if sample.plies > 0 {
            self.played += 1;
            self.placements_played.insert(sample.board);
        }
        if sample.outcome == Outcome::Found {
            self.satisfied += 1;
            if let Some(record) = sample.policy {
                self.policy.count(record, sample.plies);
            }
            *self.plies.entry(sample.plies).or_default() += 1;
            self.placements_found.insert(sample.board);
        }
    }

    /// For each length in plies, the number of positions found, the shortest first.
    pub fn plies(&self) -> &BTreeMap<usize, u64> {
        &self.plies
    }

    /// For each distance from the constraint, the number of first attempts that ended there, the nearest first.
    pub fn first_attempt_distances(&self) -> &BTreeMap<u32, u64> {
        &self.first_attempt_distances
    }

    /// The number of distinct placements of men among the [`played`](Statistics::played) positions, found or not. The
    /// root does not count, because it says nothing about variety.
    pub fn unique(&self) -> u64 {
        self.placements_played.len()
    }

    /// The number of distinct placements of men among the positions found.
    pub fn unique_found(&self) -> u64 {
        self.placements_found.len()
    }

    /// The median length of the games of the positions found, in plies.
    pub fn median_plies(&self) -> Option<f64> {
        let lower = self.nth_plies(self.satisfied.checked_sub(1)? / 2)?;
        let upper = self.nth_plies(self.satisfied / 2)?;
        Some((lower + upper) as f64 / 2.0)
    }

    /// The length of the game that has rank `rank`, counted from 0, when the positions found are sorted by length.
    fn nth_plies(&self, rank: u64) -> Option<usize> {
        let mut counted = 0;
        self.plies.iter().find_map(|(&plies, &positions)| {
            counted += positions;
            (counted > rank).then_some(plies)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::Chess;

    use super::*;
    use crate::generation::Distance;

    fn generation(plies: usize, first_attempt_distance: u32, outcome: Outcome) -> Generation {
        let m = Chess::default().legal_moves()[0];
        Generation {
            index: 0,
            outcome,
            begun_with: None,
            moves: vec![m; plies],
            position: Chess::default(),
            distance: Distance::Men(0),
            value: 1.0,
            attempts: 1,
            first_attempt_distance,
            nodes: 7,
            evaluations: 0,
            centipawns: None,
            puzzle: None,
            report: None,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn retries_and_failures_are_counted_separately_and_only_found_games_have_lengths() {
        let mut statistics = Statistics::default();
        assert_eq!(statistics.median_plies(), None);
        statistics.add(&generation(9, 0, Outcome::Found));
        statistics.add(&generation(90, 3, Outcome::Undetermined));
        statistics.add(&generation(20, 1, Outcome::Found));
        assert_eq!((statistics.generated, statistics.satisfied), (3, 2));
        assert_eq!(statistics.satisfied_at_first_attempt, 1);
        assert_eq!(statistics.nodes, 21);
        assert_eq!(statistics.median_plies(), Some(14.5));
        statistics.add(&generation(30, 0, Outcome::Found));
        assert_eq!(statistics.median_plies(), Some(20.0));
        for plies in [9, 9, 9, 10] {
            statistics.add(&generation(plies, 0, Outcome::Found));
        }
        assert_eq!(statistics.median_plies(), Some(9.0), "of 9 9 9 9 10 20 30");
        statistics.add(&generation(11, 0, Outcome::Found));
        assert_eq!(statistics.median_plies(), Some(9.5));
    }

    #[test]
    fn a_constraint_that_holds_at_the_root_does_not_count_as_variety() {
        let mut statistics = Statistics::default();
        statistics.add(&generation(0, 0, Outcome::Found));
        statistics.add(&generation(0, 0, Outcome::Found));
        assert_eq!((statistics.played, statistics.unique(), statistics.unique_found()), (0, 0, 1));
        let mut undetermined = generation(5, 3, Outcome::Undetermined);
        undetermined.position.play_unchecked(Chess::default().legal_moves()[0]);
        statistics.add(&undetermined);
        assert_eq!((statistics.played, statistics.unique(), statistics.unique_found()), (1, 1, 1));
    }
}
