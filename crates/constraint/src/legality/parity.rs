//! The side to move, where the diagram shows whether each side has made an odd or even number of moves.
//!
//! A knight changes the colour of its square with every move. A man that can only move between two squares changes its
//! square. A man that never moved made no moves, and a pawn on its third rank made one. If no other man can have moved,
//! the parity of each side's number of moves is known. White is to move if the two parities are equal.

use shakmaty::{Bitboard, Board, Color, Rank, Role};

use super::{
    illegal::{Illegal, Rule},
    needs::groups,
    unmoved::Unmoved,
    words::side,
};

/// The side to move, if the diagram determines it.
pub(super) fn turn(board: &Board, unmoved: &Unmoved) -> Option<Color> {
    let (white, black) = (odd(board, Color::White, unmoved)?, odd(board, Color::Black, unmoved)?);
    Some(if white == black { Color::White } else { Color::Black })
}

/// Refuses the diagram if it determines that the other side is to move.
pub(super) fn refuse(board: &Board, turn: Option<Color>, unmoved: &Unmoved) -> Option<Illegal> {
    let right = self::turn(board, unmoved)?;
    if turn? == right {
        return None;
    }
    let (white, other) =
        if odd(board, Color::White, unmoved)? { ("an odd", "an even") } else { ("an even", "an odd") };
    let moves = match right {
        Color::White => format!("both sides have made {white} number of moves"),
        Color::Black => format!("White has made {white} number of moves and Black {other} number"),
    };
    let reason = format!(
        "it is {}'s turn: knights change the colour of their square with every move, and few other men can have moved, \
         so {moves}",
        side(right),
    );
    Some(Illegal::because(Rule::Parity, reason))
}

/// True if the number of a side's moves is odd, false if it is even; `None` if that is not known.
fn odd(board: &Board, color: Color, unmoved: &Unmoved) -> Option<bool> {
    let (home, third) = color.fold_wb((Rank::Second, Rank::Third), (Rank::Seventh, Rank::Sixth));
    let pawns = board.by_piece(Role::Pawn.of(color));
    let moved = pawns & Bitboard::from(third);
    // If all pawns are still there, none was promoted.
    if pawns.count() != 8 || (pawns & !Bitboard::from(home)) != moved {
        return None;
    }
    let mut moves = moved.count();
    for group in groups(board, color, unmoved) {
        let (men, homes) = (group.men, group.homes);
        if group.region == homes && homes.single_square().is_some() {
            // The man never left its square. It may have been captured there.
        } else if men.count() != homes.count() {
            return None;
        } else if group.role == Role::Knight {
            moves += (men & Bitboard::LIGHT_SQUARES).count() + (homes & Bitboard::LIGHT_SQUARES).count();
        } else if group.region.count() == 2 && homes.count() == 1 {
            moves += usize::from(men != homes);
        } else {
            return None;
        }
    }
    Some(moves % 2 == 1)
}
