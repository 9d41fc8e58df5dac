//! The 112 input planes of the networks of Leela Chess Zero (lc0), which include those of Maia.
//!
//! The format is the one that lc0 calls `INPUT_CLASSICAL_112_PLANE`. The board is seen from the mover, who plays north.
//! For each of the last eight positions, the latest first, there are 13 planes: the mover's pawns, knights, bishops,
//! rooks, queens and king, then the opponent's, then ones if the position had occurred before. Eight constant planes
//! follow: the mover's queenside and kingside castling rights, then the opponent's; ones if Black is to move; plies
//! since the last capture or pawn move; zeros; ones.

mod moves;

pub use moves::Lc0;
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Position, Role};

use super::{
    history::{Past, before_double_step},
    moves::oriented,
};

/// The number of planes of one input.
pub const PLANES: usize = 112;
/// The number of positions that the network sees.
pub const POSITIONS: usize = 8;

/// The number of planes of each position.
const EACH: usize = 13;
/// The index of the repetition plane among the planes of a position.
const REPEATED: usize = 12;
const CASTLING: usize = POSITIONS * EACH;
const BLACK: usize = CASTLING + 4;
const CLOCK: usize = BLACK + 1;
const ONES: usize = PLANES - 1;

/// Writes the input for `position`, which the moves `played` reached, in the order of play. Bit k of `repeated` is set
/// if the position k plies ago had occurred before.
///
/// If fewer than eight positions are known, the earliest one is repeated, as lc0 does by default. If it is the initial
/// position, the planes before it stay empty instead.
///
/// # Panics
/// If `planes` does not have `PLANES × 64` numbers.
pub fn encode(position: &Chess, played: &[shakmaty::Move], repeated: u8, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * 64, "one input has 112×8×8 numbers");
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
    fn black_sees_the_board_flipped_and_nothing_before_the_initial_position() {
        let (position, moves) = played("e2e4");
        let planes = encoded(&position, &moves, 0);
        let number = |plane: usize, square: &str| {
            planes[plane * 64 + usize::from(square.parse::<shakmaty::Square>().unwrap())]
        };
        assert_eq!(number(6, "e5"), 1.0, "White's pawn on e4, as Black sees it");
        assert_eq!(number(EACH + 6, "e7"), 1.0, "before the move it was on e2");
        let sums = sums(&planes);
        assert_eq!(sums[..EACH], [8.0, 2.0, 2.0, 2.0, 1.0, 1.0, 8.0, 2.0, 2.0, 2.0, 1.0, 1.0, 0.0]);
        assert!(
            sums[2 * EACH..CASTLING].iter().all(|sum| *sum == 0.0),
            "nothing before the initial position"
        );
        assert_eq!(sums[CASTLING..], [64.0, 64.0, 64.0, 64.0, 64.0, 0.0, 0.0, 64.0]);
    }

    #[test]
    fn the_earliest_known_position_is_repeated() {
        let (position, moves) = played("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 c7c6 c1d2");
        let planes = encoded(&position, &moves[7..], 0);
        let board = |place: usize| &planes[place * EACH * 64..(place + 1) * EACH * 64];
        assert_ne!(board(1), board(2));
        for place in 3..POSITIONS {
            assert_eq!(board(place), board(2));
        }
        // The en-passant square of a FEN implies one more position.
        let (position, _) = played("g1f3 a7a6 e2e4");
        let planes = encoded(&position, &[], 0);
        let board = |place: usize| &planes[place * EACH * 64..(place + 1) * EACH * 64];
        assert_ne!(board(0), board(1));
        assert_eq!(board(1), board(7));
    }

    #[test]
    fn repetitions_the_clock_and_lost_castling_rights_are_encoded() {
        let (position, moves) = played("e2e4 e7e5 e1e2 g8f6 e2e1 f6g8 e1e2");
        let sums = sums(&encoded(&position, &moves, 0b100));
        let repeated = |place: usize| sums[place * EACH + REPEATED];
        assert_eq!([repeated(0), repeated(1), repeated(2)], [0.0, 0.0, 64.0]);
        assert_eq!(sums[CASTLING..], [64.0, 64.0, 0.0, 0.0, 64.0, 5.0 * 64.0, 0.0, 64.0]);
    }
}
