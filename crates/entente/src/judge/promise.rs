//! How likely a game is to reach a position that satisfies the judged conditions.

use entente_constraint::{Comparison, Judged, seen_by};
use shakmaty::{Chess, Position as _};

use crate::solution::Solution;

/// At the end of a game, an evaluation that is this far from its bounds, in centipawns, makes success e times less
/// likely.
const SCALE: f64 = 150.0;
/// The distance above doubles with this many more plies to play.
const PLIES: f64 = 8.0;
/// The evaluation that counts as winning, if a mate is demanded.
const WINNING: i32 = 400;
/// The minimum of the logarithm, because the evaluation is rough.
const MIN: f64 = -4.0;

/// ln of the estimated probability that the judged conditions will hold, given the evaluation `white` for White in
/// centipawns and about `plies` plies left to play. It is a rule of thumb: it decides which games of a population to
/// follow, not how likely they are.
pub(super) fn promise(demands: &[Judged], position: &Chess, white: i32, plies: u32) -> f64 {
    let off = demands.iter().map(|judged| off(*judged, position, white)).sum::<i32>();
    let scale = SCALE * (1.0 + f64::from(plies) / PLIES);
    (-f64::from(off) / scale).max(MIN)
}

/// The distance of the evaluation from the bounds of a condition, in centipawns.
pub(super) fn off(judged: Judged, position: &Chess, white: i32) -> i32 {
    let off = match judged {
        Judged::Eval { by_mover, comparison } => {
            let score = if by_mover { seen_by(white, position.turn()) } else { white };
            let below = |bound: i16| (i32::from(bound) - score).max(0);
            let above = |bound: i16| (score - i32::from(bound)).max(0);
            match comparison {
                Comparison::In(range) => below(range.low()).max(above(range.high())),
                Comparison::Less(bound) | Comparison::AtMost(bound) => above(bound),
                Comparison::Greater(bound) | Comparison::AtLeast(bound) => below(bound),
                Comparison::NotIn(_) => 0,
            }
        }
        // Either side may be the one that mates.
        Judged::Mate(_) => WINNING - white.abs(),
        // A side that converts is winning.
        Judged::Convert => Solution::WIN - white.abs(),
        Judged::Quiet
        | Judged::Only
        | Judged::Best(_)
        | Judged::Theme(_)
        | Judged::Moves(_)
        | Judged::Hold
        | Judged::Puzzle(_) => 0,
    };
    off.max(0)
}

#[cfg(test)]
mod tests {
    use entente_constraint::Constraint;

    use super::*;

    fn chance(constraint: &str, white: i32, plies: u32) -> f64 {
        let constraint: Constraint = constraint.parse().unwrap();
        promise(&constraint.demands(), &Chess::default(), white, plies)
    }

    #[test]
    fn near_evaluations_and_distant_ends_are_more_promising() {
        assert_eq!(chance("eval=-30..30", 20, 0), 0.0);
        assert!(chance("eval=-30..30", 80, 0) < 0.0);
        assert!(chance("eval=-30..30", 180, 0) < chance("eval=-30..30", 80, 0));
        assert!(chance("eval=-30..30", 180, 0) < chance("eval=-30..30", 180, 20));
        assert_eq!(chance("eval.mover>=100", 100, 0), 0.0);
        assert!(chance("eval<-100", 100, 0) < 0.0);
        assert_eq!(chance("mate=2", -900, 0), 0.0);
        assert!(chance("mate=2", 0, 0) < 0.0);
        // Negated conditions, and those that evaluations say nothing about, are equally likely everywhere.
        assert_eq!(chance("!eval=-30..30 quiet only", 500, 0), 0.0);
        assert_eq!(chance("eval=0", 9000, 0), MIN);
    }
}
