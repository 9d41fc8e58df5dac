use std::collections::HashSet;

use shakmaty::{
    Board,
    zobrist::{Zobrist64, ZobristValue},
};

/// A set of piece placements, eight bytes each.
///
/// It holds 64-bit hashes: among a hundred million placements some two are taken for the same with a
/// chance of three in ten thousand, and then a count is one too low, or one position more is generated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placements(HashSet<Zobrist64>);

impl Placements {
    /// Adds the placement of men on `board`; true if it is new.
    pub(crate) fn insert(&mut self, board: &Board) -> bool {
        let mut hash = Zobrist64::default();
        for (square, piece) in board.iter() {
            hash ^= Zobrist64::zobrist_for_piece(square, piece);
        }
        self.0.insert(hash)
    }

    /// How many different ones there are.
    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use entente_constraint::child_of;
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn placements_are_counted_once_and_told_apart() {
        let mut placements = Placements::default();
        assert!(placements.insert(&Board::new()) && placements.insert(&Board::empty()));
        let root = Chess::default();
        for (index, m) in root.legal_moves().into_iter().enumerate() {
            let child = child_of(&root, m);
            assert!(placements.insert(child.board()), "{m}");
            assert!(!placements.insert(child.board()) && !placements.insert(&Board::new()));
            assert_eq!(placements.len(), 3 + index as u64);
        }
    }
}
