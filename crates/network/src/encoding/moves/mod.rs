//! Moves as numbers, seen from the player who makes them: for Black the ranks are mirrored and the files kept, so that
//! the mover plays north and row 0 is the mover's first rank. Castling is the king's step of two files.

mod alpha_zero;
mod from_to;

use std::fmt::{self, Display, Formatter};

pub use alpha_zero::AlphaZero;
pub use from_to::FromTo;
use shakmaty::{Color, File, Move, Role, Square};

/// The number of a move in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveIndex(pub u16);

/// A way to number moves.
pub trait MoveEncoding {
    /// Its name in options and documents.
    const NAME: &'static str;
    /// Indices are below this.
    const SIZE: usize;

    /// The number of a legal move of `mover`.
    fn encode(m: Move, mover: Color) -> MoveIndex;

    /// The move among the legal ones of `mover` that has this number; where several share it, the promotion to a queen.
    fn decode(index: MoveIndex, mover: Color, legal: &[Move]) -> Option<Move> {
        let fits = |m: &&Move| Self::encode(**m, mover) == index;
        legal.iter().filter(fits).max_by_key(|m| m.promotion() == Some(Role::Queen)).copied()
    }

    /// The legality mask: for each index whether one of `legal` has it.
    fn legality_mask(legal: &[Move], mover: Color) -> Vec<bool> {
        let mut mask = vec![false; Self::SIZE];
        for m in legal {
            mask[usize::from(Self::encode(*m, mover).0)] = true;
        }
        mask
    }
}

/// Where a move begins and ends; castling is the king's step of two files.
pub fn ends(m: Move) -> (Square, Square) {
    match m {
        Move::Castle { king, rook } => {
            let file = if rook.file() > king.file() { File::G } else { File::C };
            (king, Square::from_coords(file, king.rank()))
        }
        // Drops belong to Crazyhouse; standard chess never generates them.
        other => (other.from().unwrap_or_else(|| other.to()), other.to()),
    }
}

/// Where a move begins and ends for the mover, who plays north.
fn steps(m: Move, mover: Color) -> (Square, Square) {
    let (from, to) = ends(m);
    (oriented(from, mover), oriented(to, mover))
}

/// A square as `mover`, who plays north, sees it.
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

    /// What comes back of each legal move.
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
    fn every_kind_of_move_comes_back_from_its_alpha_zero_index() {
        for (m, back) in round_trips::<AlphaZero>() {
            assert_eq!(back, Some(m));
        }
    }

    #[test]
    fn from_to_gives_queens_for_promotions_and_every_other_move_back() {
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
