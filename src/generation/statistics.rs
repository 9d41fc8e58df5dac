use std::collections::HashSet;

use shakmaty::{Board, Position};

use super::{Generation, Outcome};

/// Measures (thesis, section 6.1) over the positions generated for one constraint.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Positions generated, found or not.
    pub generated: u64,
    /// Positions found.
    pub satisfied: u64,
    /// Positions found without a retry.
    pub satisfied_at_first_attempt: u64,
    plies: Vec<u32>,
    placements: HashSet<Board>,
}

impl Statistics {
    /// Counts one more position.
    pub fn add(&mut self, generation: &Generation) {
        self.generated += 1;
        self.satisfied_at_first_attempt += u64::from(generation.first_attempt_distance == 0);
        self.placements.insert(generation.position.board().clone());
        if generation.outcome == Outcome::Found {
            self.satisfied += 1;
            self.plies.push(generation.moves.len() as u32);
        }
    }

    /// Distinct piece placements among the positions generated, found or not.
    pub fn unique(&self) -> u64 {
        self.placements.len() as u64
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
            nodes: 0,
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
        assert_eq!(statistics.unique(), 1);
        assert_eq!(statistics.median_plies(), Some(14.5));
        statistics.add(&generation(30, 0, Outcome::Found));
        assert_eq!(statistics.median_plies(), Some(20.0));
    }
}
