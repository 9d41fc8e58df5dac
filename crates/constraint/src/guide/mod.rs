//! The cooperative guide: a heuristic for the number of plies from a position to a constraint.
//!
//! A [`Guide`] is built from a [`Target`] and the position from which games start. It gives each
//! position an [`Estimate`]. For each alternative, the guide assigns men to the squares that must be filled, with the
//! fewest moves in total on a board that holds only the men that never move. Surplus men must be captured, and missing
//! men must be promoted. Castling rights, check, mate and the side to move have costs of their own. Cooperative
//! searches follow the estimate downhill. It is not a bound: a game may take more plies or fewer. But if the guide
//! calls the target unreachable from a position, that is proved; except that a game that begins on a known way to an
//! opening must stay on one.
//!
//! To estimate a new condition, add it to `Way` in `way.rs`, and compute its cost in `estimate.rs` or in the files that
//! `estimate.rs` calls.

mod areas;
mod assignment;
mod ends;
mod estimate;
mod force;
mod game;
mod numbers;
mod paths;
mod relations;
mod sets;
mod way;

use std::ops::Range;

use shakmaty::{Board, Color, Position as _};
use thiserror::Error;

pub use assignment::{Costs, MEN, cheapest};
pub use estimate::Estimate;
pub use paths::PLY;
pub use paths::{NO_PATH, Paths};
use way::{SharedPaths, Way};

use crate::{Impossible, Situation, Target};

/// How many ways the estimate considers at once.
const FOCUS: usize = 16;

/// Estimates for one constraint.
#[derive(Clone)]
pub struct Guide {
    target: Target,
    /// The alternatives, in ascending order of their estimates at the start.
    ways: Vec<Way>,
    /// The ways that the estimate considers.
    focus: Range<usize>,
    /// True if the length of the game matters.
    counts_plies: bool,
    /// True if the moves of the game matter.
    remembers: bool,
    /// The lowest estimate at the start.
    first: Estimate,
}

/// Why there is no guide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuideError {
    /// No legal game can satisfy the constraint.
    #[error("impossible: {0}")]
    Impossible(#[from] Impossible),
    /// The constraint expands into too many alternatives.
    #[error("the constraint is too complex: its '|', '!=' and '!' expand into too many alternatives")]
    TooComplex,
    /// A side has more men than in chess. Such positions can be played, but not led to a constraint.
    #[error("{0} has more than 16 men; games toward a constraint begin with at most 16 for each side")]
    TooManyMen(Color),
}

impl GuideError {
    /// # Errors
    /// [`GuideError::TooManyMen`] if a side has more men than in chess.
    pub fn check_men(board: &Board) -> Result<(), GuideError> {
        let many = Color::ALL.into_iter().find(|color| board.by_color(*color).count() > 16);
        many.map_or(Ok(()), |color| Err(GuideError::TooManyMen(color)))
    }
}

impl Guide {
    /// A guide from `start` to `target`, which considers the nearest alternatives first.
    ///
    /// # Errors
    /// [`GuideError`] if the constraint is proved impossible or is too complex, or if a side has too many men.
    pub fn new(target: &Target, start: Situation<'_>) -> Result<Guide, GuideError> {
        GuideError::check_men(start.position.board())?;
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
            let way = match Way::new(&facts, start, &mut shared) {
                Ok(way) => way,
                Err(GuideError::Impossible(why)) => {
                    obstacle.get_or_insert(why);
                    continue;
                }
                Err(error) => return Err(error),
            };
            match way.estimate(start) {
                Some(estimate) => ways.push((estimate, way)),
                None => _ = obstacle.get_or_insert_with(|| way.obstacle(start)),
            }
        }
        if ways.is_empty() {
            // An obstacle is preferred: its alternative passed the analysis.
            let reason = obstacle.or(contradiction).unwrap_or(Impossible::Contradiction);
            return Err(GuideError::Impossible(reason));
        }
        ways.sort_by_key(|(estimate, _)| *estimate);
        let (first, _) = ways[0];
        let ways: Vec<Way> = ways.into_iter().map(|(_, way)| way).collect();
        let counts_plies = target.constraint.atoms().iter().any(|atom| atom.counts_plies());
        let focus = 0..ways.len().min(FOCUS);
        let remembers = target.constraint.is_of_the_game();
        Ok(Guide { target: target.clone(), ways, focus, counts_plies, remembers, first })
    }

    /// Chooses the alternatives that `attempt` considers, if there are too many to consider at once. Attempt 0
    /// considers the nearest ones.
    pub fn focus_for(&mut self, attempt: u32) {
        let first = attempt as usize % self.ways.len().div_ceil(FOCUS) * FOCUS;
        self.focus = first..self.ways.len().min(first + FOCUS);
    }

    /// True if the estimate considers all alternatives.
    pub fn looks_at_all(&self) -> bool {
        self.focus == (0..self.ways.len())
    }

    /// The fewest plies from the root that any alternative allows.
    pub fn fewest_plies(&self) -> u32 {
        self.ways.iter().map(|way| way.plies.0).min().unwrap_or(0)
    }

    /// The estimate at the start, in plies, at least one.
    pub fn distance(&self) -> u32 {
        self.first.plies()
    }

    /// True if every alternative fixes the content of every square.
    pub fn is_whole_diagram(&self) -> bool {
        self.ways.iter().all(|way| way.is_whole_diagram)
    }

    /// The number of men that must go to certain squares, in the alternative with the fewest.
    pub fn men_to_place(&self) -> usize {
        self.ways.iter().map(Way::men_to_place).min().unwrap_or(0)
    }

    /// The most plies from the root that any alternative allows.
    pub fn max_plies(&self) -> u32 {
        self.ways.iter().map(|way| way.plies.1).max().unwrap_or(u32::MAX)
    }

    /// True if the constraint holds.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.target.is_satisfied(situation)
    }

    /// True if the estimate of a position may depend on the ply at which it occurs.
    pub fn counts_plies(&self) -> bool {
        self.counts_plies
    }

    /// The lowest estimate of the considered alternatives for a position; `None` if all of them are unreachable.
    pub fn estimate(&self, situation: Situation<'_>) -> Option<Estimate> {
        self.considered().filter_map(|way| way.estimate(situation)).min()
    }

    /// True if conditions must hold that a policy network is not shown: on sets of men, or on the game.
    pub fn leads(&self) -> bool {
        self.ways.iter().any(Way::leads)
    }

    /// The part of the estimate that these conditions add, in plies, for the considered alternative in which it is
    /// lowest.
    pub fn led_distance(&self, situation: Situation<'_>) -> f32 {
        let costs = self.considered().filter_map(|way| way.led_cost(situation));
        costs.min().map_or(0.0, |cost| cost as f32 / PLY as f32)
    }

    /// The guides to the earlier positions that must still occur, for the considered alternative with the lowest
    /// estimate.
    pub fn stages<'a>(&'a self, situation: Situation<'a>) -> impl Iterator<Item = &'a Guide> {
        let estimated = self.considered().filter_map(move |way| Some((way.estimate(situation)?, way)));
        let nearest = estimated.min_by_key(|(estimate, _)| *estimate);
        nearest.into_iter().flat_map(move |(_, way)| way.game.stages(situation)).map(|guide| &**guide)
    }

    /// The fewest plies of an opening or of first moves that must still be played, for the considered alternative with
    /// the fewest; `None` if all are out of reach. An opening that the game cannot reach on a known way has no plies.
    pub fn opening_plies(&self, situation: Situation<'_>) -> Option<u32> {
        self.considered().filter_map(|way| way.opening_plies(situation)).min()
    }

    /// The target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// True if the estimate of a position depends on the moves that led to it.
    pub fn remembers(&self) -> bool {
        self.remembers
    }

    /// A number that is the same for two games to the same position if the constraint remembers the same of both: the
    /// events that have happened, captures, castling, and whether the game has begun as it must.
    pub fn memory(&self, situation: Situation<'_>) -> u64 {
        self.target.constraint.memory(situation)
    }

    fn considered(&self) -> impl Iterator<Item = &Way> {
        self.ways[self.focus.clone()].iter()
    }
}

/// The index of a side: White 0, Black 1.
fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

#[cfg(test)]
mod tests;
