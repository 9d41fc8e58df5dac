use std::{collections::HashSet, time::Duration};

use shakmaty::{Board, Position};

use super::{Generation, Outcome};

/// The thesis's measures (section 6.1) over the positions generated for one constraint.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Positions generated, found or not.
    pub generated: u64,
    /// Positions found.
    pub satisfied: u64,
    /// Positions found without a retry.
    pub satisfied_at_first_attempt: u64,
    /// For k men, how many first attempts ended k men away; index 0 is unused.
    pub first_attempt_distances: [u64; 16],
    /// Positions searched.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Time, summed over threads.
    pub time: Duration,
    plies: Vec<u32>,
    placements: HashSet<Board>,
}

impl Statistics {
    /// Counts one more position.
    pub fn add(&mut self, generation: &Generation) {
        self.generated += 1;
        self.nodes += generation.nodes;
        self.evaluations += generation.evaluations;
        self.time += generation.time;
        match self.first_attempt_distances.get_mut(generation.first_attempt_distance as usize) {
            _ if generation.first_attempt_distance == 0 => self.satisfied_at_first_attempt += 1,
            Some(games) => *games += 1,
            None => {}
        }
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

    /// Mean plies of the positions found.
    pub fn mean_plies(&self) -> Option<f64> {
        let sum: f64 = self.plies.iter().copied().map(f64::from).sum();
        (!self.plies.is_empty()).then(|| sum / self.plies.len() as f64)
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
