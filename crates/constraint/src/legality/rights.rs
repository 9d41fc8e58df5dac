//! Castling rights and en passant squares: what they require of the men.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square};

use super::{
    double_step::DoubleStep,
    illegal::{Illegal, Rule},
    problem::Problem,
    words::side,
};

/// Refuses a castling right without the king or the rook on its initial square.
pub(super) fn refuse_castling(board: &Board, rooks: Bitboard) -> Option<Illegal> {
    rooks.into_iter().find_map(|rook| {
        let because = |reason: String| Some(Illegal::because(Rule::CastlingRights, reason));
        let (color, king) = match rook {
            Square::A1 | Square::H1 => (Color::White, Square::E1),
            Square::A8 | Square::H8 => (Color::Black, Square::E8),
            _ => return because(format!("a rook on {rook} never has the right to castle")),
        };
        let name = side(color);
        let right = format!("{name}'s right to castle with the rook on {rook}");
        if board.piece_at(rook) != Some(Role::Rook.of(color)) {
            return because(format!("{right}: there is no such rook"));
        }
        if board.piece_at(king) != Some(Role::King.of(color)) {
            return because(format!("{right}: the king is not on {king}, so it has moved"));
        }
        None
    })
}

/// The squares of the kings and rooks that cannot have moved because of castling rights. The rights of `rooks` must be
/// valid.
pub(super) fn keep(rooks: Bitboard) -> Bitboard {
    let king = |rank: Rank, king: Square| if rooks.intersects(rank) { king.into() } else { Bitboard::EMPTY };
    rooks | king(Rank::First, Square::E1) | king(Rank::Eighth, Square::E8)
}

/// Refuses an en passant square without the pawn in front of it, without the empty squares behind the pawn, or with the
/// wrong side to move.
pub(super) fn refuse_en_passant(problem: &Problem) -> Option<Illegal> {
    let behind = problem.en_passant??;
    let because =
        |reason: String| Some(Illegal::because(Rule::EnPassant, format!("en passant on {behind}: {reason}")));
    let Some(step) = DoubleStep::over(behind) else {
        return because("no double step passes this square".to_owned());
    };
    let name = side(step.color);
    if problem.turn == Some(step.color) {
        return because(format!("the pawn that passed it is {name}'s, but {name} is to move"));
    }
    if problem.board.piece_at(step.to) != Some(Role::Pawn.of(step.color)) {
        return because(format!("{name} has no pawn on {}", step.to));
    }
    let between = Bitboard::from(behind).with(step.from) & problem.board.occupied();
    if let Some(square) = between.first() {
        return because(format!("{square} is not empty, so no pawn has just come from {}", step.from));
    }
    None
}
