use std::collections::HashSet;

use shakmaty::{
    Board,
    zobrist::{Zobrist64, ZobristValue},
};

/// A set of placements of men, with eight bytes for each.
///
/// It stores 64-bit hashes. Among a hundred million placements, the probability that two have the same hash is three in
/// ten thousand. Then a count is too low by one, or one more position is generated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placements(HashSet<Zobrist64>);

impl Placements {
    /// Adds the placement of men on `board`. Returns true if it is new.
    pub(crate) fn insert(&mut self, board: &Board) -> bool {
        let mut hash = Zobrist64::default();
        for (square, piece) in board.iter() {
            hash ^= Zobrist64::zobrist_for_piece(square, piece);
        }
        self.0.insert(hash)
    }

    /// The number of distinct placements.
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
    fn each_distinct_placement_counts_once() {
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
