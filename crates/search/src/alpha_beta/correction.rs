//! Correction history: how much better or worse than their static evaluation positions turned out to be, by their pawns and
//! by the pieces of each side.

use shakmaty::{Bitboard, Chess, Color, Position};

use super::value::Value;

/// The number of entries of a table for each side to move.
const ENTRIES: usize = 1 << BITS;
const BITS: u32 = 14;
/// A correction of 1, in units of the scorer, is stored as this number.
const PARTS: i32 = 256;
/// The greatest correction by one table, in units of the scorer.
const MOST: i32 = 64;
/// The greatest error that counts, in the same units.
const MOST_LEARNED: i32 = 400;
/// Each of the three tables learns an error divided by this. It is the error that the corrections have left, so all of them
/// together learn at most three fifths of a constant error.
const DIVIDED: i32 = 2;
/// The weight of a new error relative to [`WHOLE`]: a ply more than the depth of the search, at most this.
const MOST_WEIGHT: i32 = 16;
const WHOLE: i32 = 256;

/// Statistics of the errors of the static evaluation.
#[derive(Debug)]
pub(super) struct Correction {
    /// The tables for the pawns, White's pieces and Black's pieces, each by side to move. None for a short search.
    tables: Vec<[[i16; ENTRIES]; 2]>,
}

impl Correction {
    /// Empty statistics for a deep search, or none.
    pub(super) fn new(is_deep: bool) -> Correction {
        Correction { tables: if is_deep { vec![[[0; ENTRIES]; 2]; 3] } else { Vec::new() } }
    }

    /// The corrected evaluation of a position for the side to move.
    pub(super) fn apply(&self, position: &Chess, eval: Value) -> Value {
        if self.tables.is_empty() {
            return eval;
        }
        let side = position.turn() as usize;
        let all = self.tables.iter().zip(keys(position)).map(|(table, key)| i32::from(table[side][key]));
        Value::new(eval.centipawns() + all.sum::<i32>() / PARTS)
    }

    /// Learns that a search of `depth` plies found a position better than its corrected evaluation by `error`, in units of
    /// the scorer.
    pub(super) fn learn(&mut self, position: &Chess, error: i32, depth: i32) {
        let side = position.turn() as usize;
        let weight = (depth + 1).min(MOST_WEIGHT);
        let error = error.clamp(-MOST_LEARNED, MOST_LEARNED) * PARTS / DIVIDED;
        for (table, key) in self.tables.iter_mut().zip(keys(position)) {
            let entry = &mut table[side][key];
            let mean = (i32::from(*entry) * (WHOLE - weight) + error * weight) / WHOLE;
            *entry = mean.clamp(-MOST * PARTS, MOST * PARTS) as i16;
        }
    }
}

/// The entries of a position, below [`ENTRIES`].
fn keys(position: &Chess) -> [usize; 3] {
    let board = position.board();
    let side = |color: Color| {
        let own = board.by_color(color);
        let royal = board.queens() | board.kings();
        // Three sets tell five kinds of men apart.
        [board.knights() | board.bishops(), board.rooks() | board.kings(), royal | board.bishops()]
            .map(|men| men & own)
    };
    let pawns = Color::ALL.map(|color| board.pawns() & board.by_color(color));
    [hash(&pawns), hash(&side(Color::White)), hash(&side(Color::Black))]
}

/// A number of [`BITS`] bits.
fn hash(sets: &[Bitboard]) -> usize {
    /// 2^64 divided by the golden ratio, and the multiplier of the finaliser of SplitMix64.
    const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];
    let mixed =
        sets.iter().fold(0, |mixed: u64, set| (mixed.rotate_left(29) ^ set.0).wrapping_mul(FACTORS[0]));
    ((mixed ^ (mixed >> 29)).wrapping_mul(FACTORS[1]) >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    #[test]
    fn errors_are_learned_for_the_same_pawns_and_pieces_within_bounds() {
        let mut correction = Correction::new(true);
        let learned = position_from_fen("4k3/pp3ppp/8/8/3P4/8/PP3PPP/R3K3 w - - 0 1").unwrap();
        let corrected =
            |correction: &Correction, position| correction.apply(position, Value::new(10)).centipawns();
        assert_eq!(corrected(&correction, &learned), 10);
        (0..500).for_each(|_| correction.learn(&learned, 150, 9));
        assert_eq!(corrected(&correction, &learned), 10 + 3 * MOST);
        let pawns_alone = position_from_fen("r3k3/pp3ppp/8/8/3P4/8/PP3PPP/4K2R w - - 0 1").unwrap();
        assert_eq!(corrected(&correction, &pawns_alone), 10 + MOST);
        let turn = position_from_fen("4k3/pp3ppp/8/8/3P4/8/PP3PPP/R3K3 b - - 0 1").unwrap();
        assert_eq!(corrected(&correction, &turn), 10);
        (0..500).for_each(|_| correction.learn(&learned, -9999, 99));
        assert_eq!(corrected(&correction, &learned), 10 - 3 * MOST);
        assert_eq!(corrected(&Correction::new(false), &learned), 10);
    }
}
