use std::sync::LazyLock;

use shakmaty::{Color, Move, Role, Square};

use crate::encoding::moves::{MoveEncoding, MoveIndex, oriented};

/// The 1858 moves of Leela Chess Zero, from the mover's point of view.
///
/// The origin squares are in the order a1, b1 to h8. For each come, in the same order, the destinations of a queen or
/// knight on it. Promotions to queen, rook and bishop come last, starting from the a-file. A promotion to a knight has
/// the index of the plain move. Castling is encoded as the king's move to its rook's square.
#[derive(Clone, Copy, Debug)]
pub struct Lc0;

/// The number of plain moves, which precede the promotions.
const PLAIN: u16 = 1792;
/// The promotions that have indices of their own.
const PROMOTIONS: [Role; 3] = [Role::Queen, Role::Rook, Role::Bishop];

/// The index of the plain move from one square to another; `None` if neither a queen nor a knight can make it.
static INDICES: LazyLock<[[Option<u16>; 64]; 64]> = LazyLock::new(|| {
    let mut indices = [[None; 64]; 64];
    let mut next = 0..PLAIN;
    for from in Square::ALL {
        for to in Square::ALL {
            let [files, ranks] = [from.file().distance(to.file()), from.rank().distance(to.rank())];
            let is_queens = files == 0 || ranks == 0 || files == ranks;
            if from != to && (is_queens || files + ranks == 3) {
                indices[usize::from(from)][usize::from(to)] = next.next();
            }
        }
    }
    indices
});

impl MoveEncoding for Lc0 {
    const NAME: &'static str = "lc0";
    const SIZE: usize = 1858;

    fn encode(m: Move, mover: Color) -> MoveIndex {
        let from = match m {
            Move::Castle { king, .. } => king,
            other => other.from().unwrap_or_else(|| other.to()),
        };
        // In shakmaty, too, the destination of castling is the rook's square.
        let [from, to] = [from, m.to()].map(|square| oriented(square, mover));
        match m.promotion().and_then(|role| PROMOTIONS.iter().position(|one| *one == role)) {
            // a7: a8, b8. b7: a8, b8, c8. And so on, with three promotions for each.
            Some(role) => {
                let targets = 2 * from.file() as u16 + to.file() as u16;
                MoveIndex(PLAIN + 3 * targets + role as u16)
            }
            None => {
                let index = INDICES[usize::from(from)][usize::from(to)];
                MoveIndex(index.expect("every move is one of a queen or a knight"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    fn index(fen: &str, uci: &str) -> u16 {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
        Lc0::encode(m, position.turn()).0
    }

    #[test]
    fn moves_have_the_indices_of_lc0() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!([index(start, "a2a3"), index(start, "g1f3")], [204, 159]);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        // e1h1 and e1a1 as the mover sees them.
        assert_eq!([index(castling, "e8g8"), index(castling, "e8c8")], [103, 97]);
        let promotions = "1n1nk3/P1P4P/8/8/8/8/8/4K3 w - - 0 1";
        let expected = [("a7a8q", 1792), ("a7b8b", 1797), ("c7b8r", 1808), ("c7c8q", 1810), ("h7h8b", 1857)];
        for (uci, number) in expected {
            assert_eq!(index(promotions, uci), number, "{uci}");
        }
        assert_eq!(index(promotions, "h7h8n"), index("8/7R/8/8/8/4k3/8/4K3 w - - 0 1", "h7h8"));
    }

    #[test]
    fn plain_moves_use_each_index_once() {
        let mut plain: Vec<u16> = INDICES.iter().flatten().flatten().copied().collect();
        plain.sort_unstable();
        assert!(plain.into_iter().eq(0..PLAIN));
    }
}
