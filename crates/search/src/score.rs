use shakmaty::{Chess, Position};

use crate::PortableMath as _;

/// The value of a line for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns; in generation, thousandths of the satisfaction value.
    Centipawns(i32),
    /// Mate in this number of moves. It is negative if the side to move is mated, and 0 if it is mated already.
    Mate(i32),
}

/// The score at which a side wins half of its games, in centipawns.
const EVEN_CHANCE: f64 = 180.0;
/// The scale of the logistic curve, in centipawns.
const STEEPNESS: f64 = 80.0;

impl Score {
    /// The least score of an ending that tables know to be won, in centipawns. No evaluation comes near it.
    pub const KNOWN_WIN: i32 = 20_000;

    /// The score of a position without legal moves: mate or a draw.
    pub fn without_moves(position: &Chess) -> Score {
        if position.is_check() { Score::Mate(0) } else { Score::Centipawns(0) }
    }

    /// A rank that is greater for better scores. Quicker mates are better, and later losses are better.
    pub fn rank(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self {
            Score::Centipawns(centipawns) => i64::from(centipawns),
            Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
            Score::Mate(moves) => -MATE - i64::from(moves),
        }
    }

    /// The score in centipawns, clamped to −`most`..=`most`. Mates count as ±`most`.
    pub fn within(self, most: i32) -> i32 {
        match self {
            Score::Centipawns(centipawns) => centipawns.clamp(-most, most),
            Score::Mate(moves) if moves > 0 => most,
            Score::Mate(_) => -most,
        }
    }

    /// The probabilities of a win, a draw and a loss in thousandths, which add up to 1000. They follow a logistic curve
    /// of the score, a rule of thumb for searches without better information.
    pub fn chances(self) -> [u32; 3] {
        let win = |centipawns: i32| {
            (1000.0 / (1.0 + ((EVEN_CHANCE - f64::from(centipawns)) / STEEPNESS).portable_exp())).round()
                as u32
        };
        match self {
            Score::Mate(moves) if moves > 0 => [1000, 0, 0],
            Score::Mate(_) => [0, 0, 1000],
            Score::Centipawns(centipawns) => {
                let (win, loss) = (win(centipawns), win(-centipawns));
                [win, 1000 - win - loss, loss]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for centipawns in -3000..3000 {
            let [win, draw, loss] = Score::Centipawns(centipawns).chances();
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(Score::Centipawns(-centipawns).chances(), [loss, draw, win]);
        }
        let [win, draw, loss] = Score::Centipawns(0).chances();
        assert!(win == loss && draw > win);
        assert!(Score::Centipawns(500).chances()[0] > 950);
        assert_eq!(Score::Mate(-3).chances(), [0, 0, 1000]);
        assert_eq!(Score::Mate(0).chances(), [0, 0, 1000]);
    }
}
