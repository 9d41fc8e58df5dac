//! Kernels: orders of captures and promotions by which pawns get past each other.
//!
//! In many diagrams with promoted pieces, the question is how so many pawns can have passed each other with so few
//! captures. A kernel answers it in a relaxed game, in which a pawn has a file and a place in the order of the pawns
//! there, but no rank. A capture by a pawn moves it to any place of a neighbouring file. Nothing else is played:
//! promotions and captures by pieces are counted at the end, because it never helps to make them late. If there is no
//! kernel, the diagram is illegal. A kernel whose pawns can also have ranks is a plan for a game; a search can follow
//! its [`Stage`]s. To solve such a game before the real one is an idea of Peter Österlund's Texel.
//!
//! - `ledger` counts the men of the diagram.
//! - `columns` has the pawns of the relaxed game, and `search` its moves.
//! - `fits` says how the pawns of a file can become those of the diagram after the last capture.
//! - `schedule` gives the pawns their ranks, by the `ranks` that satisfy all bounds.
//! - `refuse` is the rule for diagrams without a kernel.

mod columns;
mod fits;
mod ledger;
mod ranks;
mod refuse;
mod schedule;
mod search;

#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Color, File, Rank, Square};

pub(super) use self::refuse::refuse;
pub use self::{
    columns::{Capture, PAWNS, Pawn, color},
    ledger::{BISHOPS, KINDS, pieces},
    schedule::Stage,
};
use self::{
    fits::Fits,
    ledger::Ledger,
    ranks::Purpose,
    schedule::schedule,
    search::{Kernel, Next, Part, Search},
};
use super::{Problem, unmoved};

/// A source of random numbers below its argument.
pub type Random<'a> = dyn FnMut(usize) -> usize + 'a;

/// The kernels of a diagram.
pub struct Kernels {
    ledger: Ledger,
    fits: [Fits; 8],
}

/// What is known of the kernels with a number of captures by pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existence {
    /// There are none, or the pawns cannot have ranks for any of them.
    None,
    /// There is one for which the pawns can have ranks.
    Some,
    /// The search was too short to say.
    Unknown,
}

impl Kernels {
    /// The kernels of a problem; `None` if a side has too many pawns or promoted pieces, or pawns on the first or the
    /// eighth rank.
    pub fn of(problem: &Problem) -> Option<Kernels> {
        let unmoved = unmoved(problem);
        // A pawn that has just made a double step was on its initial square until then.
        let before = problem.before_double_step();
        let board = &before.as_ref().unwrap_or(problem).board;
        let ledger = Ledger::of(board).filter(|_| board.pawns().is_disjoint(Bitboard::BACKRANKS))?;
        let fits = std::array::from_fn(|file| {
            let is_shut = [Rank::Eighth, Rank::First].map(|rank| {
                let square = Square::from_coords(File::new(file as u32), rank);
                unmoved.contains(square)
            });
            Fits::new(&ledger.files[file], is_shut)
        });
        Some(Kernels { ledger, fits })
    }

    /// The most captures that pawns can have made: all captures of the game.
    pub fn most_captures(&self) -> u8 {
        self.ledger.captures()
    }

    /// The fewest pieces that were promoted. For each, pawns had to pass each other.
    pub fn promotions(&self) -> u8 {
        self.ledger.promoted(Color::White) + self.ledger.promoted(Color::Black)
    }

    /// Whether there are kernels with `captures` captures by pawns. The search visits at most `states` states, and
    /// stops before that if `is_over`.
    pub fn existence(&self, captures: u8, states: u64, is_over: &dyn Fn() -> bool) -> Existence {
        /// The most kernels whose ranks are tried. They take a second or two.
        const KERNELS: u32 = 20_000;
        let (mut exists, mut kernels) = (false, KERNELS);
        let mut search = Search::new(&self.ledger, &self.fits, None, states, is_over);
        let part = search.run(captures, &mut |kernel: &Kernel| {
            exists = schedule(kernel, Purpose::Proof).is_some();
            kernels -= 1;
            if exists || kernels == 0 || is_over() { Next::Stop } else { Next::Continue }
        });
        match (exists, part) {
            (true, _) => Existence::Some,
            (false, Part::Stopped) => Existence::Unknown,
            (false, _) if search.is_partial => Existence::Unknown,
            (false, _) => Existence::None,
        }
    }

    /// A plan with `captures` captures by pawns, chosen at random, if a search of at most `states` states finds one.
    /// The last stage has no capture.
    pub fn plan(
        &self,
        captures: u8,
        states: u64,
        random: &mut Random<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Stage>> {
        /// How many fates of the pawns to try for the same captures.
        const FATES: u32 = 4;
        let mut plan = None;
        let mut fates = FATES;
        let mut search = Search::new(&self.ledger, &self.fits, Some(random), states, is_over);
        search.run(captures, &mut |kernel: &Kernel| {
            plan = schedule(kernel, Purpose::Plan);
            if plan.is_some() || is_over() {
                return Next::Stop;
            }
            fates -= 1;
            if fates > 0 {
                return Next::Continue;
            }
            fates = FATES;
            Next::Leave
        });
        plan
    }
}
