use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::table::Table;
use crate::game::key;

/// A position of the tree, with what the search knows of it.
pub(super) struct Node {
    pub position: Chess,
    pub key: Zobrist64,
    /// Plies from the root.
    pub ply: u32,
    /// The move that led to it; none to the root, nor if the other side has passed.
    pub reached_by: Option<Move>,
}

impl Node {
    pub(super) fn root(position: &Chess) -> Node {
        Node { position: position.clone(), key: key(position), ply: 0, reached_by: None }
    }

    /// The node after a legal move, for which the table is made ready.
    pub(super) fn after(&self, m: Move, table: &Table) -> Node {
        // Most moves change a key in so few places that it need not be reckoned anew.
        let changed = self.position.update_zobrist_hash(self.key, m, EnPassantMode::Legal);
        if let Some(key) = changed {
            table.prefetch(key);
        }
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let key = changed.unwrap_or_else(|| key(&position));
        Node { position, key, ply: self.ply + 1, reached_by: Some(m) }
    }

    /// The node after the side to move has passed; `None` in check, where nobody may.
    pub(super) fn after_pass(&self) -> Option<Node> {
        let position = self.position.clone().swap_turn().ok()?;
        Some(Node { key: key(&position), position, ply: self.ply + 1, reached_by: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    #[test]
    fn the_key_after_a_move_is_that_of_the_position_however_it_is_reckoned() {
        let table = Table::of_bytes(1);
        for fen in [
            // Castling and the rights to it, lost by moves and by captures.
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
