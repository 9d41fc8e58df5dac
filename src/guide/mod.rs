//! The cooperative guide: how many plies a position is from satisfying a constraint, if nothing stands in the way.
//!
//! For every way to meet the constraint men are assigned to the places that must be filled, at the least total of
//! moves on a board with nothing on it but the men that never move; men too many have to be captured, men too few to
//! be promoted; rights to castle, check, mate and the turn have costs of their own. The estimate gives cooperative search
//! a slope to climb. It is no bound: what it promises may take longer, or go faster. But where it says that a position
//! leads nowhere, that is proved.

mod areas;
mod assignment;
mod ends;
mod estimate;
mod force;
mod numbers;
mod paths;
mod way;

use shakmaty::{Chess, Color};
use thiserror::Error;

pub use estimate::Estimate;
pub use paths::PLY;
use way::Way;

use crate::constraint::{Constraint, Facts, Impossible, Situation};

/// The most ways that are looked at, those that look shortest.
const MOST_WAYS: usize = 16;

/// Estimates for one constraint.
pub struct Guide {
    constraint: Constraint,
    ways: Vec<Way>,
    /// True if the length of the game matters.
    counts_plies: bool,
    /// The least estimate at the start.
    first: Estimate,
}

/// Why there is no guide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuideError {
    /// Nothing to be guided to.
    #[error("{0}")]
    Impossible(#[from] Impossible),
    /// Written out, the constraint has too many alternatives.
    #[error(
        "the constraint is too complex: written out, its '|', '!=' and '!' give more than 1024 alternatives"
    )]
    TooComplex,
}

impl Guide {
    /// A guide from `start`.
    ///
    /// # Errors
    /// [`GuideError`] if the constraint is proved impossible, or too complex.
    pub fn new(constraint: &Constraint, start: Situation<'_>) -> Result<Guide, GuideError> {
        let mut ways = Vec::new();
        let mut reason = None;
        for literals in constraint.ways().ok_or(GuideError::TooComplex)? {
            match Facts::of(&literals, start) {
                Ok(facts) => {
                    for goal in facts.goal.clone().split() {
                        let way = Way::new(&literals, &facts, goal);
                        match way.estimate(start.position, start.ply) {
                            Some(estimate) => ways.push((estimate, way)),
                            None => _ = reason.get_or_insert_with(|| way.obstacle(start.position)),
                        }
                    }
                }
                Err(why) => _ = reason.get_or_insert(why),
            }
        }
        if ways.is_empty() {
            return Err(GuideError::Impossible(reason.unwrap_or(Impossible::Contradiction)));
        }
        ways.sort_by_key(|(estimate, _)| estimate.total());
        ways.truncate(MOST_WAYS);
        let (first, _) = ways[0];
        let ways = ways.into_iter().map(|(_, way)| way).collect();
        let counts_plies = constraint.atoms().iter().any(|atom| atom.counts_plies());
        Ok(Guide { constraint: constraint.clone(), ways, counts_plies, first })
    }

    /// The estimate at the start, in plies, at least one.
    pub fn distance(&self) -> u32 {
        self.first.plies()
    }

    /// True if the constraint holds.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.constraint.holds(situation)
    }

    /// True if the same position may be worth more or less at another ply.
    pub fn counts_plies(&self) -> bool {
        self.counts_plies
    }

    /// The least of the ways' estimates; `None` if all are proved to lead nowhere.
    pub fn estimate(&self, position: &Chess, ply: u32) -> Option<Estimate> {
        let estimates = self.ways.iter().filter_map(|way| way.estimate(position, ply));
        estimates.min_by_key(|estimate| estimate.total())
    }
}

/// Index of a side: White 0, Black 1.
fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

#[cfg(test)]
mod tests;
