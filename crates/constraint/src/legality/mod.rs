//! Legality: why no game can come to a diagram.
//!
//! In comes a [`Problem`], a diagram with what is known beside it; out comes the reason why it is [`Illegal`], if one of
//! the [`Rule`]s finds it:
//!
//! ```
//! use entente_constraint::legality::{Problem, illegal};
//! use shakmaty::Board;
//!
//! let board = Board::from_ascii_board_fen(b"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR")?;
//! let reason = illegal(&Problem::of(board)).expect("the pawns on a2 and b2 have never moved");
//! assert_eq!(reason.rule.word(), "pawn-ways");
//! assert_eq!(reason.to_string(), "White's pawn on a3 can have started nowhere");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What no rule refuses may still be illegal: only a proof game proves the contrary. The room knows chess alone, no
//! constraints and no search.
//!
//! `problem` is what is asked, `illegal` the answer, in the `words` of the rules. `numbers`, `rights` and `checks` look at
//! what is there. `unmoved` finds the men that never moved; `ways` are those of
//! others around them, which `placement` asks of every man. `needs` are the men that must have been pawns, `victims` those that pawns can have taken, and
//! `pawns` asks whether both agree, for the pawns of both sides together by the search in `passing`, which asks `prey` where
//! the captures were. `parity` counts moves, and `retraction` takes the last ones back. A new rule gets a file, a [`Rule`] and a line in [`illegal()`].

mod checks;
mod illegal;
mod needs;
mod numbers;
mod parity;
mod passing;
mod pawns;
mod placement;
mod prey;
mod problem;
mod retraction;
mod rights;
mod unmoved;
mod victims;
mod ways;
mod words;

pub use self::{
    illegal::{Illegal, Rule},
    problem::Problem,
    rights::DoubleStep,
};
use shakmaty::Bitboard;
use unmoved::Unmoved;

/// Why no game from the initial position comes to a diagram; `None` if no rule finds a reason, which does not prove that
/// there is a game.
pub fn illegal(problem: &Problem) -> Option<Illegal> {
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
}

/// The men of a diagram that stand where they stand in every position of every game that comes to it.
pub fn unmoved(problem: &Problem) -> Bitboard {
    let Problem { board, castling, .. } = problem;
    Unmoved::of(board, rights::keep(castling.unwrap_or_default()) & board.occupied()).men
}
