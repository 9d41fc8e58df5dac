//! A move as one byte: its rank among the legal moves of the position.
//!
//! shakmaty's order of generation may change with its version, so the store has an order of its own:
//! by origin square, then target square, then promotion (none, knight, bishop, rook, queen). Squares count
//! a1 = 0, b1 = 1 … h8 = 63; castling goes to the king's target (e1–g1). No position has more than 218
//! legal moves, so a rank fits a byte.

use shakmaty::{Bitboard, File, Move, MoveList, Square};

/// Sort key of a legal move; no two legal moves of a position share it.
fn key(m: Move) -> u16 {
    let (from, to, promotion) = match m {
        Move::Normal { from, to, promotion, .. } => (from, to, promotion.map_or(0, u16::from)),
        Move::EnPassant { from, to } => (from, to, 0),
        Move::Castle { king, rook } => {
            let file = if rook.file() > king.file() { File::G } else { File::C };
            (king, Square::from_coords(file, king.rank()), 0)
        }
        // Drops belong to Crazyhouse; standard chess never generates them.
        Move::Put { to, role } => (to, to, u16::from(role)),
    };
    u16::from(from) << 9 | u16::from(to) << 3 | promotion
}

/// The rank of `m` among `legal`, all legal moves of a position in any order.
pub fn rank_of(m: Move, legal: &MoveList) -> u8 {
    let own = key(m);
    // At most 218 legal moves: the count fits.
    legal.iter().filter(|&&other| key(other) < own).count() as u8
}

/// The legal move of a rank; `None` if there are not so many.
///
/// First the square that it begins on, by how many moves begin on each; then it among those few. Sorting all moves would take
/// nearly as long as generating them.
pub fn move_of(rank: u8, legal: &MoveList) -> Option<Move> {
    let mut keys = [0; MOST_LEGAL];
    let keys = keys.get_mut(..legal.len())?;
    let (mut counts, mut origins) = ([0u8; 64], Bitboard::EMPTY);
    for (place, m) in keys.iter_mut().zip(legal) {
        *place = key(*m);
        counts[origin(*place)] += 1;
        origins |= Bitboard(1 << origin(*place));
    }
    let mut left = rank;
    let from = origins.into_iter().map(usize::from).find(|from| {
        let is_there = left < counts[*from];
        left -= if is_there { 0 } else { counts[*from] };
        is_there
    })?;
    let mut few = [(0, 0); MOST_LEGAL];
    let mut found = 0;
    for (index, key) in keys.iter().enumerate() {
        few[found] = (*key, index);
        found += usize::from(origin(*key) == from);
    }
    let few = &few[..found];
    let is_it = |key: u16| few.iter().filter(|(other, _)| *other < key).count() == usize::from(left);
    few.iter().find(|(key, _)| is_it(*key)).map(|(_, index)| legal[*index])
}

/// No position has more legal moves, and one place is spare.
const MOST_LEGAL: usize = 256;

/// The square that a move with this key begins on.
fn origin(key: u16) -> usize {
    usize::from(key >> 9)
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
            // The position with the most legal moves known: 218.
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let legal = position(fen).legal_moves();
            let mut seen = vec![false; legal.len()];
            for &m in &legal {
                let rank = rank_of(m, &legal);
                assert!(!std::mem::replace(&mut seen[usize::from(rank)], true), "{fen}: {rank} twice");
                assert_eq!(move_of(rank, &legal), Some(m), "{fen}");
            }
            assert_eq!(move_of(legal.len() as u8, &legal), None, "{fen}");
        }
    }

    /// The order is part of the store's format.
    #[test]
    fn the_order_is_origin_target_promotion() {
        let legal = position("1n6/2P5/8/8/8/k7/8/4K2R w K - 0 1").legal_moves();
        let order: Vec<String> = (0..legal.len() as u8)
            .map(|rank| move_of(rank, &legal).unwrap().to_uci(CastlingMode::Standard).to_string())
            .collect();
        let expected = "e1d1 e1f1 e1g1 e1d2 e1e2 e1f2 h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8 \
                        c7b8n c7b8b c7b8r c7b8q c7c8n c7c8b c7c8r c7c8q";
        assert_eq!(order.join(" "), expected);
    }
}
