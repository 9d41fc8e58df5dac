//! A move as one byte: its rank among the legal moves of the position.
//!
//! The order in which shakmaty generates moves may change with its version, so the store has an order of its own: by
//! origin square, then target square, then promotion (none, knight, bishop, rook, queen). Squares are numbered a1 = 0,
//! b1 = 1 … h8 = 63, and the target of castling is the king's (e1–g1). No position has more than 218 legal moves, so a
//! rank fits into a byte.

use shakmaty::{Bitboard, Chess, File, Move, Role, Square};

use super::legal::LegalTargets;

/// Promotions, in the order of ranks.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The rank of a legal move among all legal moves of the position.
pub fn rank_of(m: Move, position: &Chess) -> u8 {
    let legal = LegalTargets::new(position);
    let (from, to, promotion) = match m {
        Move::Normal { from, to, promotion, .. } => (from, to, promotion),
        Move::EnPassant { from, to } => (from, to, None),
        Move::Castle { king, rook } => {
            let file = if rook.file() > king.file() { File::G } else { File::C };
            (king, Square::from_coords(file, king.rank()), None)
        }
        // Drops occur only in Crazyhouse.
        Move::Put { to, .. } => (to, to, None),
    };
    let before: usize = below(legal.origins(), from).map(|from| legal.count(from, legal.of(from))).sum();
    let lesser = below(legal.of(from), to).collect();
    let place = PROMOTIONS.iter().position(|role| promotion == Some(*role)).unwrap_or(0);
    // There are at most 218 legal moves, so the sum fits.
    (before + legal.count(from, lesser) + place) as u8
}

/// The legal move with this rank; `None` if the rank is not below the number of legal moves.
pub fn move_of(rank: u8, position: &Chess) -> Option<Move> {
    let legal = LegalTargets::new(position);
    let mut left = usize::from(rank);
    for from in legal.origins() {
        let targets = legal.of(from);
        let count = legal.count(from, targets);
        if left < count {
            // Either all or none of a pawn's moves are promotions.
            let promotes = count > targets.count();
            let (nth, promotion) =
                if promotes { (left / 4, Some(PROMOTIONS[left % 4])) } else { (left, None) };
            return targets.into_iter().nth(nth).map(|to| legal.to_move(from, to, promotion));
        }
        left -= count;
    }
    None
}

/// The squares of a set that are before `end`.
fn below(squares: Bitboard, end: Square) -> impl Iterator<Item = Square> {
    squares.into_iter().take_while(move |square| *square < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn ranks_are_a_bijection_on_the_legal_moves() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
            "1n1n4/2P5/8/8/8/k7/8/K7 w - - 0 1",
            // The position with the most legal moves: 218.
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            let mut seen = vec![false; legal.len()];
            for &m in &legal {
                let rank = rank_of(m, &position);
                assert!(!std::mem::replace(&mut seen[usize::from(rank)], true), "{fen}: {rank} twice");
                assert_eq!(move_of(rank, &position), Some(m), "{fen}");
            }
            assert_eq!(move_of(legal.len() as u8, &position), None, "{fen}");
        }
    }

    /// The order is part of the store's format.
    #[test]
    fn the_order_is_origin_target_promotion() {
        let position = position("1n6/2P5/8/8/8/k7/8/4K2R w K - 0 1");
        let order: Vec<String> = (0..position.legal_moves().len() as u8)
            .map(|rank| move_of(rank, &position).unwrap().to_uci(CastlingMode::Standard).to_string())
            .collect();
        let expected = "e1d1 e1f1 e1g1 e1d2 e1e2 e1f2 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8 \
                        c7b8n c7b8b c7b8r c7b8q c7c8n c7c8b c7c8r c7c8q";
        assert_eq!(order.join(" "), expected);
    }
}
