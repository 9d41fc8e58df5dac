//! Encodings of moves as indices, from the mover's point of view. For Black the board is flipped vertically, so that
//! the mover plays north and row 0 is the mover's first rank. Castling is encoded as the king's move by two files,
//! except in the encodings of Leela Chess Zero.

mod alpha_zero;
mod from_to;
mod lc0_planes;

use std::fmt::{self, Display, Formatter};

pub use alpha_zero::AlphaZero;
pub use from_to::FromTo;
pub use lc0_planes::Lc0Planes;
use shakmaty::{Color, File, Move, Role, Square};

/// The index of a move in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveIndex(pub u16);

/// An encoding of moves as indices.
pub trait MoveEncoding {
    /// Its name in options and documentation.
    const NAME: &'static str;
    /// The number of indices.
    const SIZE: usize;

    /// The index of a legal move of `mover`.
    fn encode(m: Move, mover: Color) -> MoveIndex;

    /// The legal move of `mover` with this index, if any. If several promotions share it, the promotion to a queen.
    fn decode(index: MoveIndex, mover: Color, legal: &[Move]) -> Option<Move> {
        let fits = |m: &&Move| Self::encode(**m, mover) == index;
        legal.iter().filter(fits).max_by_key(|m| m.promotion() == Some(Role::Queen)).copied()
    }

    /// The legality mask: for each index, whether one of the `legal` moves has it.
    fn legality_mask(legal: &[Move], mover: Color) -> Vec<bool> {
        let mut mask = vec![false; Self::SIZE];
        for m in legal {
            mask[usize::from(Self::encode(*m, mover).0)] = true;
        }
        mask
    }
}

/// The origin and destination of a move. For castling these are the king's, two files apart.
pub fn ends(m: Move) -> (Square, Square) {
    match m {
        Move::Castle { king, rook } => {
            let file = if rook.file() > king.file() { File::G } else { File::C };
            (king, Square::from_coords(file, king.rank()))
        }
        // Drops are moves of Crazyhouse. They do not occur in standard chess.
        other => (other.from().unwrap_or_else(|| other.to()), other.to()),
    }
}

/// The origin and destination as the mover, who plays north, sees them.
fn steps(m: Move, mover: Color) -> (Square, Square) {
    let (from, to) = ends(m);
    (oriented(from, mover), oriented(to, mover))
}

/// The square as `mover`, who plays north, sees it: flipped vertically for Black.
pub fn oriented(square: Square, mover: Color) -> Square {
    mover.fold_wb(square, square.flip_vertical())
}

impl Display for MoveIndex {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    /// Positions that have every kind of move, for both colours.
    const FENS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2",
        "1n1nk3/P1P5/8/8/8/8/p1p5/1N1NK3 w - - 0 1",
        "1n1nk3/P1P5/8/8/8/8/p1p5/1N1NK3 b - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ];

    /// Each legal move, with the result of encoding and decoding it.
    fn round_trips<E: MoveEncoding>() -> Vec<(Move, Option<Move>)> {
        let mut seen = Vec::new();
        for fen in FENS {
            let position = position(fen);
            let (legal, mover) = (position.legal_moves(), position.turn());
            let mask = E::legality_mask(&legal, mover);
            for m in &legal {
                let index = E::encode(*m, mover);
                assert!(mask[usize::from(index.0)], "{fen} {m}");
                seen.push((*m, E::decode(index, mover, &legal)));
            }
            let distinct = mask.iter().filter(|legal| **legal).count();
            assert!(distinct <= legal.len());
        }
        seen
    }

    #[test]
    fn alpha_zero_indices_decode_to_the_same_move() {
        for (m, back) in round_trips::<AlphaZero>() {
            assert_eq!(back, Some(m));
        }
    }

    #[test]
    fn from_to_indices_decode_to_the_same_move_or_a_queen_promotion() {
        let mut promotions = 0;
        for (m, back) in round_trips::<FromTo>() {
            let Some(promotion) = m.promotion() else {
                assert_eq!(back, Some(m));
                continue;
            };
            promotions += usize::from(promotion != Role::Queen);
            let back = back.unwrap();
            assert_eq!((back.from(), back.to()), (m.from(), m.to()));
            assert_eq!(back.promotion(), Some(Role::Queen));
        }
        assert!(promotions > 20);
    }

    #[test]
    fn a_mirrored_move_has_the_same_index() {
        let index = |fen: &str, uci: &str| {
            let position = position(fen);
            let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
            (AlphaZero::encode(m, position.turn()), FromTo::encode(m, position.turn()))
        };
        assert_eq!(index(FENS[1], "e1c1"), index(FENS[2], "e8c8"));
        assert_eq!(index(FENS[3], "e5d6"), index("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2", "e4d3"));
        assert_eq!(index(FENS[5], "a7b8r"), index(FENS[6], "a2b1r"));
    }
}
