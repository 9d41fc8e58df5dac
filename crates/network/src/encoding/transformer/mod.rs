//! The input of the transformer: the last moves, the board and the rights.
//!
//! The board is not flipped for Black. The rights include the side to move.

pub mod vocabulary;

use std::sync::LazyLock;

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position};

use vocabulary::Vocabulary;

/// The token in places for which the game has no move.
pub const PADDING: f32 = 0.0;
/// The number of squares, each a token.
pub const SQUARES: usize = 64;
/// The number of values of a square's token: those of [`board`] plus 6, from 0 for a black king to 12 for a white one.
pub const SQUARE_TOKENS: usize = 13;
/// The length of the rights.
pub const RIGHTS: usize = 6;

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::of_chess);

/// The vocabulary of all moves of chess, computed once.
pub fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

/// The men on a1, b1 to h8: 1 to 6 for White's pawn, knight, bishop, rook, queen and king, −1 to −6 for Black's, 0 for
/// an empty square.
pub fn board(position: &Chess) -> [i8; SQUARES] {
    let mut board = [0; SQUARES];
    for (square, Piece { color, role }) in position.board().clone() {
        board[square.to_usize()] = color.fold_wb(1, -1) * role as i8;
    }
    board
}

/// White's kingside and queenside castling rights, then Black's; the file (1 to 8) of a pawn that can legally be
/// captured en passant, or 0; and 1 if White is to move.
pub fn rights(position: &Chess) -> [u8; RIGHTS] {
    let castles = position.castles();
    let can = |color, side| u8::from(castles.has(color, side));
    let file = position.ep_square(EnPassantMode::Legal).map_or(0, |square| square.file() as u8 + 1);
    [
        can(Color::White, CastlingSide::KingSide),
        can(Color::White, CastlingSide::QueenSide),
        can(Color::Black, CastlingSide::KingSide),
        can(Color::Black, CastlingSide::QueenSide),
        file,
        u8::from(position.turn().is_white()),
    ]
}

/// Writes the input for `position`, which the moves `played` reached, in the order of play and as far as they are
/// known.
///
/// `moves` receives the vocabulary indices, plus 1, of as many of the last moves as fit, the last one at its end, and
/// [`PADDING`] before them. `squares` receives the values of [`board`], plus 6. `rights` receives those of [`rights`],
/// with the file divided by 8.
///
/// # Panics
/// If `squares` or `rights` has the wrong length.
pub fn encode(position: &Chess, played: &[Move], moves: &mut [f32], squares: &mut [f32], rights: &mut [f32]) {
    moves.fill(PADDING);
    for (token, m) in moves.iter_mut().rev().zip(played.iter().rev()) {
        // The vocabulary has all moves of standard chess.
        *token = vocabulary().index(*m).map_or(PADDING, |index| f32::from(index) + 1.0);
    }
    let men = board(position).map(|man| f32::from(man + 6));
    squares.copy_from_slice(&men);
    let mut numbers = self::rights(position).map(f32::from);
    numbers[4] /= 8.0;
    rights.copy_from_slice(&numbers);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moves_are_at_the_end() {
        let mut position = Chess::default();
        let mut played = Vec::new();
        let write = |position: &Chess, played: &[Move]| {
            let (mut moves, mut squares, mut rights) = ([9.0; 3], [0.0; SQUARES], [0.0; RIGHTS]);
            encode(position, played, &mut moves, &mut squares, &mut rights);
            (moves, squares, rights)
        };
        let (moves, squares, rights) = write(&position, &played);
        assert_eq!((moves, rights), ([PADDING; 3], [1.0, 1.0, 1.0, 1.0, 0.0, 1.0]));
        assert_eq!((squares[0], squares[4], squares[20], squares[60]), (10.0, 12.0, 6.0, 0.0));
        let mut numbers = Vec::new();
        for name in ["e2e4", "a7a6", "e4e5", "d7d5"] {
            let m: shakmaty::uci::UciMove = name.parse().unwrap();
            let m = m.to_move(&position).unwrap();
            numbers.push(f32::from(vocabulary().index(m).unwrap()) + 1.0);
            position.play_unchecked(m);
            played.push(m);
            let (moves, ..) = write(&position, &played);
            assert_eq!(moves[2], *numbers.last().unwrap());
        }
        let (moves, squares, rights) = write(&position, &played);
        assert_eq!((&moves[..], rights[4], rights[5]), (&numbers[1..], 0.5, 1.0));
        assert_eq!((squares[36], squares[35]), (7.0, 5.0), "e5 and d5");
    }
}
