//! What tells positions apart: one key of 128 bits for the men of each side, which moves change and nobody computes anew.

use shakmaty::{Bitboard, Board, CastlingSide, Color, Move, Piece, Rank, Role, Square};

/// The men of each side, White's first, and its pawns alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    men: [u128; 2],
    pawns: [u128; 2],
}

impl Keys {
    /// Those of the men on `board`.
    pub fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        board.clone().into_iter().for_each(|(square, piece)| keys.change(piece, square));
        keys
    }

    /// Puts a man onto a square, or takes him from there.
    fn change(&mut self, piece: Piece, square: Square) {
        let number = NUMBERS[piece.color as usize * 6 + piece.role as usize - 1][square.to_usize()];
        self.men[index(piece.color)] ^= number;
        if piece.role == Role::Pawn {
            self.pawns[index(piece.color)] ^= number;
        }
    }

    /// Those after a move of `color`.
    pub fn after(mut self, m: Move, color: Color) -> Keys {
        let enemy = color.other();
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.change(role.of(color), from);
                self.change(promotion.unwrap_or(role).of(color), to);
                if let Some(captured) = capture {
                    self.change(captured.of(enemy), to);
                }
            }
            Move::EnPassant { from, to } => {
                self.change(Role::Pawn.of(color), from);
                self.change(Role::Pawn.of(color), to);
                self.change(Role::Pawn.of(enemy), Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                for (role, from, to) in
                    [(Role::King, king, side.king_to(color)), (Role::Rook, rook, side.rook_to(color))]
                {
                    self.change(role.of(color), from);
                    self.change(role.of(color), to);
                }
            }
            Move::Put { .. } => {}
        }
        self
    }

    /// The key of a position with these men, of which `plies` are left to play; who is to move follows from these.
    pub fn position(&self, rights: Bitboard, en_passant: Option<Square>, plies: u32) -> u128 {
        let rest = rights.0 ^ en_passant.map_or(0, |square| (u64::from(square.to_u32()) + 1) << 20);
        self.men[0] ^ self.men[1] ^ mixed(rest, u64::from(plies))
    }

    /// The key of all that the least number of moves of `color` depends on.
    pub fn side(&self, color: Color, rights: Bitboard, en_passant: Option<Square>) -> u64 {
        let own = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        let rest = (rights & own).0 ^ en_passant.map_or(0, |square| (u64::from(square.to_u32()) + 1) << 20);
        let all =
            self.men[index(color)] ^ self.pawns[index(color.other())] ^ mixed(rest, 64 + index(color) as u64);
        (all >> 64) as u64
    }
}

/// Index of a side: White 0, Black 1.
fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// A number for every man on every square.
static NUMBERS: [[u128; 64]; 12] = {
    let mut numbers = [[0; 64]; 12];
    let mut at = 0;
    while at < 12 * 64 {
        numbers[at / 64][at % 64] = mixed(at as u64, 1 << 32);
        at += 1;
    }
    numbers
};

/// Two numbers as one that looks like chance: the finaliser of SplitMix64 (Steele, Lea and Flood 2014), twice.
const fn mixed(number: u64, other: u64) -> u128 {
    let low = finalised(number ^ finalised(other.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    let high = finalised(low.wrapping_add(0x3c6e_f372_fe94_f82a) ^ other);
    (high as u128) << 64 | low as u128
}

const fn finalised(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn moves_change_keys_into_those_of_the_board_after_them() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut kinds = [0; 3];
        for _ in 0..3000 {
            let mut position = Chess::default();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                kinds[usize::from(m.is_en_passant()) + 2 * usize::from(m.is_castle())] += 1;
                let expected = Keys::of(position.board()).after(m, position.turn());
                position.play_unchecked(m);
                assert_eq!(Keys::of(position.board()), expected, "{m:?}");
            }
        }
        assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
    }
}
