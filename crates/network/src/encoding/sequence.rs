//! What the transformer sees: the last moves, the board and the rights.
//!
//! Nothing is turned towards the mover: White is always White, and the rights say who is to move.

use std::sync::LazyLock;

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position};

use super::vocabulary::Vocabulary;

/// What stands where a game has had no move.
pub const PADDING: f32 = 0.0;
/// Squares, each a token.
pub const SQUARES: usize = 64;
/// What a square's token can be: a black king to a white one, by [`board`], counted from 0.
pub const SQUARE_TOKENS: usize = 13;
/// Numbers of the rights.
pub const RIGHTS: usize = 6;

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::of_chess);

/// The moves of chess, numbered, worked out once.
pub fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

/// The men from a1, b1 to h8: 1 to 6 for White's pawn to king, below 0 for Black's, 0 for none.
pub fn board(position: &Chess) -> [i8; SQUARES] {
    let mut board = [0; SQUARES];
    for (square, Piece { color, role }) in position.board().clone() {
        board[square.to_usize()] = color.fold_wb(1, -1) * role as i8;
    }
    board
}

/// Castling of White on the king's and the queen's side, of Black likewise, the file (from 1) of a pawn that can be captured
/// en passant or 0, and 1 if White is to move.
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

/// Writes the input for `position`, to which the moves `played` led, as far as they are known, the last one last.
///
/// `moves` gets the numbers of as many of the last moves as it has room for, plus 1, the last one at its end, and
/// [`PADDING`] before them; `squares` those of [`board`], plus 6; `rights` those of [`rights`], with files divided by 8.
///
/// # Panics
/// If `squares` or `rights` has another length.
pub fn encode(position: &Chess, played: &[Move], moves: &mut [f32], squares: &mut [f32], rights: &mut [f32]) {
    moves.fill(PADDING);
    for (token, m) in moves.iter_mut().rev().zip(played.iter().rev()) {
        // Standard chess has no move beside the vocabulary.
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
    fn the_last_moves_stand_at_the_end() {
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
