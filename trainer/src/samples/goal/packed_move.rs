use shakmaty::{Board, Move, Role, Square};

/// A legal move in two bytes. It can be unpacked only with the board on which it is legal.
///
/// It has the origin, the target and the role of a promotion. Castling is stored as a move of the king to its rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedMove(u16);

impl PackedMove {
    /// Packs a move of standard chess.
    pub(super) fn new(m: Move) -> PackedMove {
        let (from, to) = match m {
            Move::Castle { king, rook } => (king, rook),
            other => (other.from().unwrap_or_else(|| other.to()), other.to()),
        };
        let promotion = m.promotion().map_or(0, u16::from);
        PackedMove(u16::from(from) | u16::from(to) << 6 | promotion << 12)
    }

    /// Unpacks the move. `board` is the board before it.
    ///
    /// # Panics
    ///
    /// If the origin square is empty.
    pub(super) fn unpack(self, board: &Board) -> Move {
        let square = |shift: u16| Square::new(u32::from(self.0 >> shift & 63));
        let (from, to) = (square(0), square(6));
        let role = board.role_at(from).expect("the board before the move");
        let capture = board.role_at(to);
        if role == Role::King && capture == Some(Role::Rook) && board.color_at(from) == board.color_at(to) {
            return Move::Castle { king: from, rook: to };
        }
        if role == Role::Pawn && from.file() != to.file() && capture.is_none() {
            return Move::EnPassant { from, to };
        }
        let promotion = Role::ALL.into_iter().find(|role| u16::from(*role) == self.0 >> 12);
        Move::Normal { role, from, capture, to, promotion }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    #[test]
    fn unpacking_restores_every_legal_move() {
        for fen in [
            "r3k2r/pP1pqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/P1PBBPpP/R3K2R w KQkq - 0 1",
            "r3k2r/pP1pqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/P1PBBPpP/R3K2R b KQkq - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            for m in position.legal_moves() {
                assert_eq!(PackedMove::new(m).unpack(position.board()), m);
            }
        }
    }
}
