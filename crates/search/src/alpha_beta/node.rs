use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::table::Table;
use crate::game::key;

/// A node of the tree: a position with its key, its ply and the move that led to it.
pub(super) struct Node {
    pub position: Chess,
    pub key: Zobrist64,
    /// The number of plies from the root.
    pub ply: u32,
    /// The move that led here; `None` at the root and after a null move.
    pub reached_by: Option<Move>,
}

impl Node {
    pub(super) fn root(position: &Chess) -> Node {
        Node { position: position.clone(), key: key(position), ply: 0, reached_by: None }
    }

    /// The node after a legal move. Its table entry is prefetched.
    pub(super) fn after(&self, m: Move, table: &Table) -> Node {
        // The key can be updated incrementally for most moves.
        let changed = self.position.update_zobrist_hash(self.key, m, EnPassantMode::Legal);
        if let Some(key) = changed {
            table.prefetch(key);
        }
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let key = changed.unwrap_or_else(|| key(&position));
        Node { position, key, ply: self.ply + 1, reached_by: Some(m) }
    }

    /// The node after a null move; `None` in check, where null moves are not allowed.
    pub(super) fn after_null_move(&self) -> Option<Node> {
        let position = self.position.clone().swap_turn().ok()?;
        Some(Node { key: key(&position), position, ply: self.ply + 1, reached_by: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    #[test]
    fn incremental_keys_equal_full_keys() {
        let table = Table::of_bytes(1);
        for fen in [
            // Castling, and castling rights lost by moves and by captures.
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            // Double steps, en passant and promotions.
            "4k3/1P6/8/3pP3/8/8/P5p1/4K2R w K d6 0 1",
            "4k3/8/8/8/2p1p3/8/1P1P1P2/4K3 w - - 0 1",
        ] {
            let root = Node::root(&position_from_fen(fen).unwrap());
            for m in root.position.legal_moves() {
                let child = root.after(m, &table);
                assert_eq!(child.key, key(&child.position), "{fen}: {m}");
                for reply in child.position.legal_moves() {
                    let grandchild = child.after(reply, &table);
                    assert_eq!(grandchild.key, key(&grandchild.position), "{fen}: {m} {reply}");
                }
            }
        }
    }
}
