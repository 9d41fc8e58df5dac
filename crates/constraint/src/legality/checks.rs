//! Checks that are impossible whatever the last move was.

use shakmaty::{Bitboard, Board, Color, Rank, Role, attacks};

use super::{
    illegal::{Illegal, Rule},
    words::{self, side},
};

/// The men that give check to the king of `color`.
pub(super) fn checkers(board: &Board, color: Color) -> Bitboard {
    let king = board.king_of(color);
    king.map_or(Bitboard::EMPTY, |king| board.attacks_to(king, color.other(), board.occupied()))
}

/// Refuses adjacent kings, checks to the wrong side, and checks by pawns on their initial squares.
pub(super) fn refuse(board: &Board, turn: Option<Color>) -> Option<Illegal> {
    let (white, black) = (board.king_of(Color::White)?, board.king_of(Color::Black)?);
    if attacks::king_attacks(white).contains(black) {
        let reason = format!("the kings stand on adjacent squares, {white} and {black}");
        return Some(Illegal::because(Rule::Kings, reason));
    }
    let because = |reason: String| Some(Illegal::because(Rule::Check, reason));
    let checks = Color::ALL.map(|color| (color, checkers(board, color)));
    if checks.iter().all(|(_, checkers)| checkers.any()) {
        return because(format!("both kings are in check, on {white} and {black}"));
    }
    for (color, checkers) in checks.into_iter().filter(|(_, checkers)| checkers.any()) {
        let (name, enemy) = (side(color), side(color.other()));
        let by = words::men(board, checkers);
        if turn == Some(color.other()) {
            return because(format!("{enemy} is to move, but {name}'s king is in check from the {by}"));
        }
        // A pawn's check is never discovered, and the king cannot have moved into it: the pawn has just moved.
        let home = color.other().fold_wb(Rank::Second, Rank::Seventh);
        let unmoved = checkers & board.pawns() & Bitboard::from(home);
        if unmoved.any() {
            let pawn = words::standing(Role::Pawn, unmoved);
            return because(format!(
                "the {pawn} never moved, so it cannot have given check to {name}'s king"
            ));
        }
    }
    None
}
