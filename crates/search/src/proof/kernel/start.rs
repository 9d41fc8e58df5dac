//! The problems for which attempts make plans: the diagram itself, or positions a move earlier where the last move must
//! have been one that a plan has to know.

use entente_constraint::legality::{
    Problem, before_special_move,
    kernel::{Existence, Kernels},
};

/// A problem with its kernels.
pub(super) struct Start {
    /// The diagram, and what comes before it. Plans lead to the last of these.
    pub walk: Vec<Problem>,
    pub kernels: Kernels,
    /// The fewest captures by pawns.
    pub fewest: u8,
}

/// The most starts: each is searched for the fewest captures.
const MAX_STARTS: usize = 12;
/// The states of that search.
const STATES: u64 = 1_000_000;

impl Start {
    /// The starts for a problem; none if it has no kernel.
    ///
    /// If a piece can have moved last without a capture, plans lead to the diagram. If not, for example because a pawn
    /// gives check, they lead to the positions before the last move, by a pawn's step if possible.
    pub(super) fn all(problem: &Problem, is_over: &dyn Fn() -> bool) -> Vec<Start> {
        let Some(before) = before_special_move(problem) else {
            return Start::of(vec![problem.clone()], is_over).into_iter().collect();
        };
        let before = before.into_iter().take(MAX_STARTS);
        before.filter_map(|before| Start::of(vec![problem.clone(), before], is_over)).collect()
    }

    fn of(mut walk: Vec<Problem>, is_over: &dyn Fn() -> bool) -> Option<Start> {
        walk.extend(walk.last()?.before_double_step());
        let kernels = Kernels::of(walk.last()?)?;
        let is_none = |captures: &u8| kernels.existence(*captures, STATES, is_over) == Existence::None;
        let fewest = (0..=kernels.most_captures()).find(|captures| !is_none(captures))?;
        Some(Start { walk, kernels, fewest })
    }
}
