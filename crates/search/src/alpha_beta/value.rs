use std::ops::Neg;

use entente_endings::Wdl;

use crate::Score;

/// The value of a position for the side to move: centipawns, or a mate at some ply from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(i32);

/// Greater than every value.
const INFINITE: i32 = 32_000;
/// The value of a mate at the root.
const MATE: i32 = 31_000;
/// The most plies from the root.
pub(super) const MAX_PLY: u32 = 128;
/// Values of endings that are known to be won exceed the least of them by at most twice this.
const KNOWN_SPAN: i32 = 2_000;
/// The least absolute value of a mate.
const MIN_MATE: i32 = MATE - MAX_PLY as i32;

impl Value {
    pub(super) const MIN: Value = Value(-INFINITE);
    pub(super) const MAX: Value = Value(INFINITE);
    pub(super) const DRAW: Value = Value(0);
    /// Less than the value of every ending that is known to be won, greater than the evaluations of others.
    pub(super) const KNOWN_WIN: Value = Value(Score::KNOWN_WIN);

    /// The value of an evaluation, which is clamped so that it is never a mate.
    #[inline]
    pub(super) fn new(centipawns: i32) -> Value {
        Value(centipawns.clamp(1 - MIN_MATE, MIN_MATE - 1))
    }

    /// The value of an ending whose result is known. Among wins and losses, the evaluation decides, so that a search makes
    /// progress.
    pub(super) fn known(result: Wdl, centipawns: i32) -> Value {
        let better = centipawns.clamp(-KNOWN_SPAN, KNOWN_SPAN) + KNOWN_SPAN;
        let worse = centipawns.clamp(-KNOWN_SPAN, KNOWN_SPAN) - KNOWN_SPAN;
        match result {
            Wdl::Win => Value::KNOWN_WIN.plus(better),
            Wdl::Draw => Value::DRAW,
            Wdl::Loss => (-Value::KNOWN_WIN).plus(worse),
        }
    }

    /// The value if the side to move mates at this ply.
    #[inline]
    pub(super) fn mate_at(ply: u32) -> Value {
        Value(MATE - ply as i32)
    }

    /// The value if the side to move is mated at this ply.
    #[inline]
    pub(super) fn mated_at(ply: u32) -> Value {
        -Value::mate_at(ply)
    }

    #[inline]
    pub(super) fn is_mate(self) -> bool {
        self.0.abs() >= MIN_MATE
    }

    /// The value plus `centipawns`. For a mate this is only meaningful as a bound of a window.
    #[inline]
    pub(super) fn plus(self, centipawns: i32) -> Value {
        Value((self.0 + centipawns).clamp(-INFINITE, INFINITE))
    }

    /// The value for the table, in which mates are counted from the node instead of the root.
    #[inline]
    pub(super) fn relative_to_node(self, ply: u32) -> i16 {
        let ply = if self.is_mate() { ply as i32 * self.0.signum() } else { 0 };
        (self.0 + ply) as i16
    }

    /// The inverse of [`Value::relative_to_node`].
    #[inline]
    pub(super) fn from_stored(stored: i16, ply: u32) -> Value {
        let value = Value(i32::from(stored));
        let ply = if value.is_mate() { ply as i32 * value.0.signum() } else { 0 };
        Value(value.0 - ply)
    }

    /// The value in centipawns. Mates are greater than all evaluations.
    #[inline]
    pub(super) fn centipawns(self) -> i32 {
        self.0
    }

    #[inline]
    pub(super) fn score(self) -> Score {
        if self.is_mate() {
            let plies = MATE - self.0.abs();
            Score::Mate(self.0.signum() * (plies + 1) / 2)
        } else {
            Score::Centipawns(self.0)
        }
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_count_moves() {
        assert_eq!(Value::mate_at(1).score(), Score::Mate(1));
        assert_eq!(Value::mate_at(3).score(), Score::Mate(2));
        assert_eq!(Value::mated_at(2).score(), Score::Mate(-1));
        assert_eq!(Value::mated_at(4).score(), Score::Mate(-2));
        assert_eq!(Value::mated_at(0).score(), Score::Mate(0));
        assert_eq!(Value::new(-120).score(), Score::Centipawns(-120));
        assert!(!Value::new(1_000_000).is_mate() && Value::mate_at(MAX_PLY).is_mate());
    }
}
