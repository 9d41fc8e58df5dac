//! What networks of Leela Chess Zero (lc0) read, and with it those of Maia: 112 planes.
//!
//! The format is the one that lc0 calls `INPUT_CLASSICAL_112_PLANE`. The board is seen from the mover, who plays north.
//! For each of the last eight positions, the latest first, there are 13 planes: the mover's pawns, knights, bishops,
//! rooks, queens and king, the opponent's, and ones if the position had occurred before. Then come planes of one number
//! each: the mover's right to castle on the queen's side and on the king's side, the opponent's; ones if Black is to
//! move; plies since a capture or pawn move; zeros; ones.

mod moves;

pub use moves::Lc0;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Position, Role};

use super::{
    history::{Past, before_double_step},
    moves::oriented,
};

/// Planes of one input.
pub const PLANES: usize = 112;
/// Positions that the network sees.
pub const POSITIONS: usize = 8;

/// Planes of a position.
const EACH: usize = 13;
/// The place of the plane that tells of a repetition among those of a position.
const REPEATED: usize = 12;
const CASTLING: usize = POSITIONS * EACH;
const BLACK: usize = CASTLING + 4;
const CLOCK: usize = BLACK + 1;
const ONES: usize = PLANES - 1;

/// Writes the input for `position`, to which the moves `played` led, the last one last. Bit k of `repeated` tells
/// whether the position k plies ago had occurred before.
///
/// Where the moves are not known far enough, the earliest known position is repeated, as lc0 does by default; before
/// the initial position there is nothing.
///
/// # Panics
/// If `planes` has not `PLANES × 64` numbers.
pub fn encode(position: &Chess, played: &[shakmaty::Move], repeated: u8, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * 64, "the shape of one input");
    planes.fill(0.0);
    let mover = position.turn();
    let mut writer = Writer { mover, planes };
    let mut earliest = if played.is_empty() { before_double_step(position) } else { Board::empty() };
    let mut places = 0..POSITIONS;
    let known = std::iter::once(position.board().clone()).chain(Past::new(position, played));
    for (place, board) in places.by_ref().zip(known) {
        writer.board(place, &board, repeated >> place & 1 == 1);
        if place > 0 {
            earliest = board;
        }
    }
    let begins_here = Chess::default().board() == &earliest;
    for place in (1 + played.len()).min(POSITIONS)..POSITIONS {
        if !begins_here {
            writer.board(place, &earliest, false);
        }
    }
    let rights = [mover, mover.other()].into_iter().flat_map(|color| {
        [CastlingSide::QueenSide, CastlingSide::KingSide].map(|side| position.castles().has(color, side))
    });
    for (index, has) in rights.enumerate() {
        writer.plane(CASTLING + index, f32::from(u8::from(has)));
    }
    writer.plane(BLACK, f32::from(u8::from(mover == Color::Black)));
    writer.plane(CLOCK, position.halfmoves() as f32);
    writer.plane(ONES, 1.0);
}

struct Writer<'a> {
    mover: Color,
    planes: &'a mut [f32],
}

impl Writer<'_> {
    fn board(&mut self, place: usize, board: &Board, repeated: bool) {
        for (side, color) in [self.mover, self.mover.other()].into_iter().enumerate() {
            for (index, role) in Role::ALL.into_iter().enumerate() {
                self.fill(place * EACH + 6 * side + index, board.by_piece(role.of(color)));
            }
        }
        if repeated {
            self.plane(place * EACH + REPEATED, 1.0);
        }
    }

    fn fill(&mut self, plane: usize, squares: Bitboard) {
        for square in squares {
            self.planes[plane * 64 + usize::from(oriented(square, self.mover))] = 1.0;
        }
    }

    fn plane(&mut self, plane: usize, number: f32) {
        self.planes[plane * 64..][..64].fill(number);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Move, uci::UciMove};

    use super::*;

    fn played(line: &str) -> (Chess, Vec<Move>) {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        for word in line.split_whitespace() {
            let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            moves.push(m);
            position.play_unchecked(m);
        }
        (position, moves)
    }

    fn encoded(position: &Chess, moves: &[Move], repeated: u8) -> Vec<f32> {
        let mut planes = vec![9.0; PLANES * 64];
        encode(position, moves, repeated, &mut planes);
        planes
    }

    fn sums(planes: &[f32]) -> Vec<f32> {
        planes.chunks(64).map(|plane| plane.iter().sum()).collect()
    }

    #[test]
    fn black_sees_the_board_from_the_other_side_and_the_past_as_far_as_there_was_one() {
        let (position, moves) = played("e2e4");
        let planes = encoded(&position, &moves, 0);
        let number = |plane: usize, square: &str| {
            planes[plane * 64 + usize::from(square.parse::<shakmaty::Square>().unwrap())]
        };
        assert_eq!(number(6, "e5"), 1.0, "White's pawn on e4, as Black sees it");
        assert_eq!(number(EACH + 6, "e7"), 1.0, "before the move it was at home");
        let sums = sums(&planes);
        assert_eq!(sums[..EACH], [8.0, 2.0, 2.0, 2.0, 1.0, 1.0, 8.0, 2.0, 2.0, 2.0, 1.0, 1.0, 0.0]);
        assert!(
            sums[2 * EACH..CASTLING].iter().all(|sum| *sum == 0.0),
            "nothing before the initial position"
        );
        assert_eq!(sums[CASTLING..], [64.0, 64.0, 64.0, 64.0, 64.0, 0.0, 0.0, 64.0]);
    }

    #[test]
    fn where_the_past_is_unknown_the_earliest_position_is_repeated() {
        let (position, moves) = played("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 c7c6 c1d2");
        let planes = encoded(&position, &moves[7..], 0);
        let board = |place: usize| &planes[place * EACH * 64..(place + 1) * EACH * 64];
        assert_ne!(board(1), board(2));
        for place in 3..POSITIONS {
            assert_eq!(board(place), board(2));
        }
        // A FEN with an en-passant square tells of one more position.
        let (position, _) = played("g1f3 a7a6 e2e4");
        let planes = encoded(&position, &[], 0);
        let board = |place: usize| &planes[place * EACH * 64..(place + 1) * EACH * 64];
        assert_ne!(board(0), board(1));
        assert_eq!(board(1), board(7));
    }

    #[test]
    fn repetitions_the_clock_and_lost_rights_are_told() {
        let (position, moves) = played("e2e4 e7e5 e1e2 g8f6 e2e1 f6g8 e1e2");
        let sums = sums(&encoded(&position, &moves, 0b100));
        let repeated = |place: usize| sums[place * EACH + REPEATED];
        assert_eq!([repeated(0), repeated(1), repeated(2)], [0.0, 0.0, 64.0]);
        assert_eq!(sums[CASTLING..], [64.0, 64.0, 0.0, 0.0, 64.0, 5.0 * 64.0, 0.0, 64.0]);
    }
}
