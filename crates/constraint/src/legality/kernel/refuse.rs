//! Refuses diagrams without a kernel.

use shakmaty::Color;

use super::{Existence, Kernels};
use crate::legality::{
    Problem,
    illegal::{Illegal, Rule},
    words::{number, side},
};

/// Refuses promoted pieces for which the pawns cannot have got past each other. For each number of captures by pawns,
/// the search visits at most `states` states; it proves nothing if it stops because `is_over`.
pub(in crate::legality) fn refuse(
    problem: &Problem,
    states: u64,
    is_over: &dyn Fn() -> bool,
) -> Option<Illegal> {
    let kernels = Kernels::of(problem)?;
    let most = kernels.most_captures();
    let is_refuted = |captures| kernels.existence(captures, states, is_over) == Existence::None;
    if kernels.promotions() == 0 || !(0..=most).all(is_refuted) {
        return None;
    }
    let promoted = Color::ALL.map(|color| (color, kernels.ledger.promoted(color)));
    let count = |(color, pawns): (Color, u8)| format!("{pawns} of {}'s pawns", side(color));
    let (pawns, need) = match promoted.map(|(_, pawns)| pawns) {
        [pawns, 0] => (count((Color::White, pawns)), pawns),
        [0, pawns] => (count((Color::Black, pawns)), pawns),
        [white, black] => {
            (format!("{} and {}", count((Color::White, white)), count((Color::Black, black))), white + black)
        }
    };
    let verb = if need == 1 { "was" } else { "were" };
    let reason = format!(
        "at least {pawns} {verb} promoted, but with {} in the whole game, no order of captures and promotions gets them past the other \
         pawns",
        number(most.into(), "capture")
    );
    Some(Illegal::because(Rule::PawnOrder, reason))
}
