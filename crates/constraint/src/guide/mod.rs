//! The cooperative guide: how many plies a position is from satisfying a constraint, if nothing stands in the way.
//!
//! In comes a [`Target`](crate::Target) and the position that games start from; out comes a [`Guide`],
//! which gives each position an [`Estimate`]. For each alternative it assigns men to the squares that must be filled,
//! at the least total of moves on a board that is empty but for the men that never move. Superfluous men have to be
//! captured, missing men promoted; castling rights, check, mate and the turn have costs of their own. The estimate
//! gives cooperative search a slope to climb. It is no bound: a game may take longer or shorter. But if the guide says
//! that a position leads nowhere, that is proved.
//!
//! To let it estimate a new condition, bring the condition into the form of `way.rs`, and measure it in `estimate.rs`
//! and the files beside it.

mod areas;
mod assignment;
mod ends;
mod estimate;
mod force;
mod numbers;
mod paths;
mod way;

use std::ops::Range;

use shakmaty::{Chess, Color};
use thiserror::Error;

pub use assignment::{Costs, MEN, cheapest};
pub use estimate::Estimate;
pub use paths::PLY;
pub use paths::{NO_WAY, Paths};
use way::{SharedPaths, Way};

use crate::{Impossible, Situation, Target};

/// How many of them are looked at together.
const FOCUS: usize = 16;

/// Estimates for one constraint.
#[derive(Clone)]
pub struct Guide {
    target: Target,
    /// The nearest first.
    ways: Vec<Way>,
    /// Those that are looked at.
    focus: Range<usize>,
    /// True if the length of the game matters.
    counts_plies: bool,
    /// The least estimate at the start.
    first: Estimate,
}

/// Why there is no guide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuideError {
    /// Nothing to be guided to.
    #[error("impossible: {0}")]
    Impossible(#[from] Impossible),
    /// Written out, the constraint has too many alternatives.
    #[error("the constraint is too complex: written out, its '|', '!=' and '!' give too many alternatives")]
    TooComplex,
}

impl Guide {
    /// A guide to `target` from `start`, which looks at the nearest ways.
    ///
    /// # Errors
    /// [`GuideError`] if the constraint is proved impossible, or too complex.
    pub fn new(target: &Target, start: Situation<'_>) -> Result<Guide, GuideError> {
        let mut shared = SharedPaths::default();
        let mut ways = Vec::new();
        let (mut contradiction, mut obstacle) = (None, None);
        for facts in target.facts(start) {
            let facts = match facts {
                Ok(facts) => facts,
                Err(why) => {
                    contradiction.get_or_insert(why);
                    continue;
                }
            };
            let way = Way::new(&facts, &mut shared).ok_or(GuideError::TooComplex)?;
            match way.estimate(start.position, start.ply) {
                Some(estimate) => ways.push((estimate, way)),
                None => _ = obstacle.get_or_insert_with(|| way.obstacle(start.position)),
            }
        }
        if ways.is_empty() {
            // The reason of the way that comes farthest.
            let reason = obstacle.or(contradiction).unwrap_or(Impossible::Contradiction);
            return Err(GuideError::Impossible(reason));
        }
        ways.sort_by_key(|(estimate, _)| *estimate);
        let (first, _) = ways[0];
        let ways: Vec<Way> = ways.into_iter().map(|(_, way)| way).collect();
        let counts_plies = target.constraint.atoms().iter().any(|atom| atom.counts_plies());
        let focus = 0..ways.len().min(FOCUS);
        Ok(Guide { target: target.clone(), ways, focus, counts_plies, first })
    }

    /// Looks at other ways for each attempt, if there are too many to look at together: the nearest at the first one.
    pub fn focus_for(&mut self, attempt: u32) {
        let first = attempt as usize % self.ways.len().div_ceil(FOCUS) * FOCUS;
        self.focus = first..self.ways.len().min(first + FOCUS);
    }

    /// True if no way is left out.
    pub fn looks_at_all(&self) -> bool {
        self.focus == (0..self.ways.len())
    }

    /// The fewest plies of a game from its root that any way allows.
    pub fn fewest_plies(&self) -> u32 {
        self.ways.iter().map(|way| way.plies.0).min().unwrap_or(0)
    }

    /// The estimate at the start, in plies, at least one.
    pub fn distance(&self) -> u32 {
        self.first.plies()
    }

    /// True if the constraint leaves no choice where men are to stand.
    pub fn is_whole_diagram(&self) -> bool {
        self.ways.iter().all(|way| way.is_whole_diagram)
    }

    /// The fewest men that any way wants on squares to which they have to go.
    pub fn men_to_place(&self) -> usize {
        self.ways.iter().map(Way::men_to_place).min().unwrap_or(0)
    }

    /// The most plies of a game from its root that any way allows.
    pub fn most_plies(&self) -> u32 {
        self.ways.iter().map(|way| way.plies.1).max().unwrap_or(u32::MAX)
    }

    /// True if the constraint holds.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.target.is_satisfied(situation)
    }

    /// True if the same position may be worth more or less at another ply.
    pub fn counts_plies(&self) -> bool {
        self.counts_plies
    }

    /// The least estimate of the ways that are looked at; `None` if all of these are proved to lead nowhere.
    pub fn estimate(&self, position: &Chess, ply: u32) -> Option<Estimate> {
        self.ways[self.focus.clone()].iter().filter_map(|way| way.estimate(position, ply)).min()
    }
}

/// Index of a side: White 0, Black 1.
fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

#[cfg(test)]
mod tests;
