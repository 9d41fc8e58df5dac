//! Legality: why no game can reach a diagram.
//!
//! [`illegal()`] takes a [`Problem`], a diagram with what else is known about the position. It returns the reason why
//! the diagram is [`Illegal`], if one of the [`Rule`]s finds one:
//!
//! ```
//! use entente_constraint::legality::{Problem, illegal};
//! use shakmaty::Board;
//!
//! let board = Board::from_ascii_board_fen(b"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR")?;
//! let reason = illegal(&Problem::of(board)).expect("the pawns on a2 and b2 have never moved");
//! assert_eq!(reason.rule.word(), "pawn-ways");
//! assert_eq!(reason.to_string(), "White's pawn on a3 cannot have come from any initial square");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A diagram that no rule refuses may still be illegal; only a proof game proves that it is legal. This module knows
//! the rules of chess, but no constraints and no search.
//!
//! - `problem` has the input, `illegal` the output, and `words` the wording of the reasons.
//! - `numbers`, `rights` and `checks` test what is on the board.
//! - `unmoved` finds the men that never moved. `ways` computes which squares other men can reach around these.
//! - `needs` are the men that must have been pawns, and `victims` the men that pawns can have captured. `pawns` tests
//!   whether the captures suffice. It uses the search in `passing` for the pawns of both sides together, and `captures`
//!   tests where they captured. `rooms` has men that were shut in together. `placement` combines these tests.
//! - [`kernel`] searches for an order of captures and promotions, which also is a plan for a game.
//! - `parity` counts moves, and `retraction` takes back the last moves.
//!
//! A new rule needs a file, a variant of [`Rule`], and a line in `illegal_within`.

mod captures;
mod checks;
mod double_step;
mod illegal;
pub mod kernel;
mod needs;
mod numbers;
mod parity;
mod passing;
mod pawns;
mod placement;
mod problem;
mod retraction;
mod rights;
mod rooms;
mod unmoved;
mod victims;
mod ways;
mod words;

pub use self::{
    double_step::DoubleStep,
    illegal::{Illegal, Rule},
    problem::Problem,
    retraction::{before_special_move, earlier, earlier_by_a_quiet_move},
};
use shakmaty::Bitboard;
use unmoved::Unmoved;

/// Why no game from the initial position reaches a diagram; `None` if no rule finds a reason. That does not prove that
/// there is a game.
pub fn illegal(problem: &Problem) -> Option<Illegal> {
    illegal_within(problem, USUAL_STATES, &|| false)
}

/// As [`illegal()`], but the search for an order of captures and promotions, which ends when `is_over`, may take two
/// seconds for each possible number of captures.
pub fn illegal_thoroughly(problem: &Problem, is_over: &dyn Fn() -> bool) -> Option<Illegal> {
    illegal_within(problem, MAX_STATES, is_over)
}

/// The most states that the search for a kernel usually visits for a number of captures, in some tens of milliseconds.
const USUAL_STATES: u64 = 100_000;
/// The most states that it ever visits for a number of captures.
const MAX_STATES: u64 = 20_000_000;

fn illegal_within(problem: &Problem, states: u64, is_over: &dyn Fn() -> bool) -> Option<Illegal> {
    let Problem { board, turn, .. } = problem;
    let rooks = problem.castling.unwrap_or_default();
    numbers::refuse(board)
        .or_else(|| rights::refuse_castling(board, rooks))
        .or_else(|| rights::refuse_en_passant(problem))
        .or_else(|| numbers::refuse_promotions(board))
        .or_else(|| checks::refuse(board, *turn))
        .or_else(|| placement::refuse(board, rooks))
        .or_else(|| parity::refuse(board, *turn, &Unmoved::of(board, rights::keep(rooks))))
        .or_else(|| retraction::refuse(problem))
        .or_else(|| kernel::refuse(problem, states, is_over))
}

/// The men of a diagram that never moved in any game that reaches it.
pub fn unmoved(problem: &Problem) -> Bitboard {
    let Problem { board, castling, .. } = problem;
    Unmoved::of(board, rights::keep(castling.unwrap_or_default()) & board.occupied()).men
}
