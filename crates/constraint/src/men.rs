use shakmaty::{Board, Color, Move, Piece, Role};

/// The kinds of men that a constraint counts, White's first, each side's in the order of the thesis's tuple.
/// Kings are not included, because each side always has exactly one.
pub const KINDS: [Piece; 10] = [
    Piece { color: Color::White, role: Role::Queen },
    Piece { color: Color::White, role: Role::Rook },
    Piece { color: Color::White, role: Role::Bishop },
    Piece { color: Color::White, role: Role::Knight },
    Piece { color: Color::White, role: Role::Pawn },
    Piece { color: Color::Black, role: Role::Queen },
    Piece { color: Color::Black, role: Role::Rook },
    Piece { color: Color::Black, role: Role::Bishop },
    Piece { color: Color::Black, role: Role::Knight },
    Piece { color: Color::Black, role: Role::Pawn },
];

/// Index into [`KINDS`]; `None` for a king.
#[inline]
pub(super) const fn kind_index(color: Color, role: Role) -> Option<usize> {
    let offset = match role {
        Role::Queen => 0,
        Role::Rook => 1,
        Role::Bishop => 2,
        Role::Knight => 3,
        Role::Pawn => 4,
        Role::King => return None,
    };
    Some(match color {
        Color::White => offset,
        Color::Black => offset + 5,
    })
}

/// The numbers of men on a board, in the order of [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Men(pub(super) [i8; KINDS.len()]);

impl Men {
    /// Counts the men on `board`.
    #[inline]
    pub fn on(board: &Board) -> Men {
        let roles = [board.queens(), board.rooks(), board.bishops(), board.knights(), board.pawns()];
        let mut counts = [0; KINDS.len()];
        for (index, men) in roles.into_iter().enumerate() {
            counts[index] = (men & board.white()).count() as i8;
            counts[index + 5] = (men & board.black()).count() as i8;
        }
        Men(counts)
    }

    /// How much more the men of `color` are worth than those of the other side, in pawns: 3 for a knight or bishop, 5
    /// for a rook, 9 for a queen.
    pub fn lead(&self, color: Color) -> i32 {
        let worth = |(piece, number): (&Piece, i8)| {
            let side = if piece.color == color { 1 } else { -1 };
            side * value(piece.role) * i32::from(number)
        };
        KINDS.iter().zip(self.0).map(worth).sum()
    }

    /// The counts after `mover` plays `m`.
    #[inline]
    pub fn after(mut self, m: Move, mover: Color) -> Men {
        if let Some(captured) = m.capture()
            && let Some(index) = kind_index(mover.other(), captured)
        {
            self.0[index] -= 1;
        }
        if let Some(promotion) = m.promotion() {
            self.0[kind_index(mover, Role::Pawn).expect("pawns are counted")] -= 1;
            self.0[kind_index(mover, promotion).expect("a pawn never promotes to a king")] += 1;
        }
        self
    }

    /// How many men of the given kind there are; 1 for a king.
    pub fn count(&self, piece: Piece) -> u8 {
        kind_index(piece.color, piece.role).map_or(1, |index| self.0[index] as u8)
    }

    /// White's numbers (Q, R, B, N, P), the thesis's tuple.
    pub fn white(&self) -> [u8; 5] {
        std::array::from_fn(|index| self.0[index] as u8)
    }

    /// Black's numbers (Q, R, B, N, P).
    pub fn black(&self) -> [u8; 5] {
        std::array::from_fn(|index| self.0[index + 5] as u8)
    }
}

/// The name of a side in messages.
pub(super) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// The name of a kind of man in messages, in the singular.
pub(super) fn name(piece: Piece) -> String {
    format!("{} {}", piece.color.fold_wb("white", "black"), role_name(piece.role))
}

/// The name of a role in messages.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The value of a man in exchanges: 1 for a pawn, 3 for a knight or bishop, 5 for a rook, 9 for a queen. A king is
/// worth more than everything else together.
pub(crate) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 1000,
    }
}

/// The same kind of man of the other side.
pub(super) fn mirrored(piece: Piece) -> Piece {
    piece.role.of(piece.color.other())
}

/// True if `m` changes the number of men of some kind: a capture or a promotion.
#[inline]
pub(super) const fn changes_men(m: Move) -> bool {
    m.is_capture() || m.is_promotion()
}

#[cfg(test)]
mod tests {
    use crate::child_of;
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;

    #[test]
    fn counts_follow_the_moves() {
        let fen: Fen = "r3k2r/pP1pqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/P1PBBPpP/R3K2R w KQkq - 0 1".parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let men = Men::on(position.board());
        for m in position.legal_moves() {
            let child = child_of(&position, m);
            assert_eq!(men.after(m, position.turn()), Men::on(child.board()), "{m}");
            assert_eq!(changes_men(m), men != Men::on(child.board()), "{m}");
        }
    }

    #[test]
    fn initial_position_has_the_full_set() {
        let men = Men::on(Chess::default().board());
        assert_eq!(men.white(), [1, 2, 2, 2, 8]);
        assert_eq!(men.black(), [1, 2, 2, 2, 8]);
        assert_eq!(men.count(Piece { color: Color::Black, role: Role::King }), 1);
    }
}
