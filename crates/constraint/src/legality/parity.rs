//! Whose turn it is, where every move that can have been made changes something that is seen.
//!
//! A knight changes the colour of its square with every move, and a man with two squares to move between his square. Who
//! never moved made no moves, and a pawn on its third rank one. If nobody else can have moved, the numbers of moves of
//! both sides are even or odd, and White is to move if they are both the same.

use shakmaty::{Bitboard, Board, Color, Rank, Role};

use super::{
    illegal::{Illegal, Rule},
    needs::groups,
    unmoved::Unmoved,
    words::side,
};

/// Whose turn it is, if the diagram tells.
pub(super) fn turn(board: &Board, unmoved: &Unmoved) -> Option<Color> {
    let (white, black) = (odd(board, Color::White, unmoved)?, odd(board, Color::Black, unmoved)?);
    Some(if white == black { Color::White } else { Color::Black })
}

/// Refuses the side to move if the diagram tells that it is the other's turn.
pub(super) fn refuse(board: &Board, turn: Option<Color>, unmoved: &Unmoved) -> Option<Illegal> {
    let right = self::turn(board, unmoved)?;
    if turn? == right {
        return None;
    }
    let number = if odd(board, Color::White, unmoved)? { "an odd" } else { "an even" };
    let black = if right == Color::White { "so has Black" } else { "Black has not" };
    let reason = format!(
        "it is {}'s turn: as knights change the colour of their square with every move, and few others can have moved, \
         White has made {number} number of moves, and {black}",
        side(right),
    );
    Some(Illegal::because(Rule::Parity, reason))
}

/// True if the number of a side's moves is odd, false if it is even; `None` if that is not known.
fn odd(board: &Board, color: Color, unmoved: &Unmoved) -> Option<bool> {
    let (home, third) = color.fold_wb((Rank::Second, Rank::Third), (Rank::Seventh, Rank::Sixth));
    let pawns = board.by_piece(Role::Pawn.of(color));
    let moved = pawns & Bitboard::from(third);
    // With all pawns there nobody was promoted.
    if pawns.count() != 8 || (pawns & !Bitboard::from(home)) != moved {
        return None;
    }
    let mut moves = moved.count();
    for group in groups(board, color, unmoved) {
        let (men, homes) = (group.men, group.homes);
        if group.region == homes && homes.single_square().is_some() {
            // He never left his square, where he may have been captured.
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
