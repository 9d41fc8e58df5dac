use std::collections::HashSet;

use shakmaty::{Board, Position};

use super::{Generation, Outcome};

/// Measures (thesis, section 6.1) over generated positions.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Positions generated, found or not.
    pub generated: u64,
    /// Positions found.
    pub satisfied: u64,
    /// Positions found without a retry.
    pub satisfied_at_first_attempt: u64,
    /// Positions generated, found or not, that took at least one ply.
    pub played: u64,
    /// Positions searched.
    pub nodes: u64,
    plies: Vec<u32>,
    placements_played: HashSet<Board>,
    placements_found: HashSet<Board>,
}

impl Statistics {
    /// Counts one more position.
    pub fn add(&mut self, generation: &Generation) {
        let placement = generation.position.board();
        self.generated += 1;
        self.nodes += generation.nodes;
        self.satisfied_at_first_attempt += u64::from(generation.first_attempt_distance == 0);
        if !generation.moves.is_empty() {
            self.played += 1;
            self.placements_played.insert(placement.clone());
        }
        if generation.outcome == Outcome::Found {
            self.satisfied += 1;
            self.plies.push(generation.moves.len() as u32);
            self.placements_found.insert(placement.clone());
        }
    }

    /// Distinct piece placements among the positions [`played`](Statistics::played), found or not: a
    /// constraint that holds at the root has one answer and says nothing about variety.
    pub fn unique(&self) -> u64 {
        self.placements_played.len() as u64
    }

    /// Distinct piece placements among the positions found.
    pub fn unique_found(&self) -> u64 {
        self.placements_found.len() as u64
    }

    /// Median plies of the positions found.
    pub fn median_plies(&self) -> Option<f64> {
        let mut plies = self.plies.clone();
        plies.sort_unstable();
        let middle = plies.len() / 2;
        match plies.as_slice() {
            [] => None,
            sorted if sorted.len() % 2 == 1 => Some(f64::from(sorted[middle])),
            sorted => Some(f64::from(sorted[middle - 1] + sorted[middle]) / 2.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::Chess;

    use super::*;

    fn generation(plies: usize, first_attempt_distance: u32, outcome: Outcome) -> Generation {
        let m = Chess::default().legal_moves()[0];
        Generation {
            index: 0,
            outcome,
            moves: vec![m; plies],
            position: Chess::default(),
            distance: 0,
            value: 1.0,
            attempts: 1,
            first_attempt_distance,
            nodes: 7,
            evaluations: 0,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn retries_and_failures_are_counted_apart_and_plies_only_where_found() {
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
    }

    #[test]
    fn what_holds_at_the_root_is_found_and_no_proof_of_variety() {
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
