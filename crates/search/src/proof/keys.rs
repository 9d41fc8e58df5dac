//! The keys of positions: 128-bit Zobrist keys for the men of each side, which are updated incrementally.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position, Rank, Role, Square,
    attacks,
};

/// The keys of each side's men, White's first, and of each side's pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Keys {
    men: [u128; 2],
    pawns: [u128; 2],
}

impl Keys {
    /// The keys of the men on `board`.
    fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        board.clone().into_iter().for_each(|(square, piece)| keys.change(piece, square));
        keys
    }

    /// Adds a man on a square, or removes it.
    fn change(&mut self, piece: Piece, square: Square) {
        let number = NUMBERS[piece.color as usize * 6 + piece.role as usize - 1][square.to_usize()];
        self.men[index(piece.color)] ^= number;
        if piece.role == Role::Pawn {
            self.pawns[index(piece.color)] ^= number;
        }
    }

    /// The keys after a move of `color`.
    fn after(mut self, m: Move, color: Color) -> Keys {
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
}

/// Everything about a position that matters to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    keys: Keys,
    /// The side to move.
    turn: Color,
    /// The rooks that may castle.
    pub rights: Bitboard,
    /// The en passant square, if an enemy pawn attacks it.
    pub en_passant: Option<Square>,
}

impl State {
    /// The state of a position.
    pub(super) fn of(position: &Chess) -> State {
        State {
            keys: Keys::of(position.board()),
            turn: position.turn(),
            rights: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::PseudoLegal),
        }
    }

    /// The state after a legal move. This must be the state of `position`.
    pub(super) fn after(&self, m: Move, position: &Chess) -> State {
        let color = position.turn();
        let touched = m.from().map_or(Bitboard::EMPTY, Bitboard::from).with(m.to());
        let lost = if m.role() == Role::King { home(color) | touched } else { touched };
        State {
            keys: self.keys.after(m, color),
            turn: color.other(),
            rights: self.rights & !lost,
            en_passant: passed(m, color, position.board()),
        }
    }

    /// The key of the position.
    pub(super) fn key(&self) -> u128 {
        let turn = index(self.turn) as u64;
        self.keys.men[0] ^ self.keys.men[1] ^ mixed(self.rest(self.rights), turn)
    }

    /// The key of the position with `plies` plies left.
    pub(super) fn key_with(&self, plies: u32) -> u128 {
        self.key() ^ mixed(u64::from(plies), 1 << 33)
    }

    /// The key of everything on which [`ProofGoal::moves_needed`](super::ProofGoal::moves_needed) for `color` depends.
    pub(super) fn side(&self, color: Color) -> u128 {
        let (own, enemy) = (index(color), index(color.other()));
        let rest = mixed(self.rest(self.rights & home(color)), 2 + own as u64);
        self.keys.men[own] ^ self.keys.pawns[enemy] ^ rest
    }

    /// Castling rights and the en passant square as one number. The bits of the rights are on the first and eighth
    /// ranks.
    fn rest(&self, rights: Bitboard) -> u64 {
        rights.0 ^ self.en_passant.map_or(0, |square| (u64::from(square.to_u32()) + 1) << 20)
    }
}

/// The square that a pawn passes by `m` and on which an enemy pawn can capture it.
fn passed(m: Move, color: Color, board: &Board) -> Option<Square> {
    let Move::Normal { role: Role::Pawn, from, to, .. } = m else { return None };
    let square = from.offset(color.fold_wb(8, -8))?;
    let is_double = to == square.offset(color.fold_wb(8, -8))?;
    let capturers = attacks::pawn_attacks(color, square) & board.by_piece(Role::Pawn.of(color.other()));
    (is_double && capturers.any()).then_some(square)
}

/// The rank of a side's king and rooks in the initial position.
fn home(color: Color) -> Bitboard {
    color.fold_wb(Rank::First, Rank::Eighth).into()
}

/// The index of a side: White 0, Black 1.
fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// A Zobrist number for every man on every square.
static NUMBERS: [[u128; 64]; 12] = {
    let mut numbers = [[0; 64]; 12];
    let mut at = 0;
    while at < 12 * 64 {
        numbers[at / 64][at % 64] = mixed(at as u64, 1 << 32);
        at += 1;
    }
    numbers
};

/// A pseudorandom number from two numbers, by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
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
    use super::*;
    use crate::Chess960;
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    #[test]
    fn incremental_states_equal_full_states() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut kinds = [0; 3];
        for number in 0..4000 {
            let start = Chess960::start(rng.random_range(0..Chess960::COUNT)).filter(|_| number % 2 == 0);
            let mut position = start.unwrap_or_default();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                kinds[usize::from(m.is_en_passant()) + 2 * usize::from(m.is_castle())] += 1;
                let expected = State::of(&position).after(m, &position);
                position.play_unchecked(m);
                assert_eq!(State::of(&position), expected, "{m:?}");
            }
        }
        assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
    }
}
