//! How likely it is that a game comes to what is demanded of its last position.

use entente_constraint::{Comparison, Judged, seen_by};
use shakmaty::{Chess, Position as _};

/// So far from what it must be, in centipawns, an evaluation makes it e times less likely that it will be.
const SCALE: f64 = 150.0;
/// In so many plies evaluations move as far again.
const PLIES: f64 = 8.0;
/// What counts as winning, where a mate is wanted.
const WINNING: i32 = 400;
/// Nothing is less likely than e to this power: the evaluation is a rough one.
const MIN: f64 = -4.0;

/// ln of the chance that what is judged will hold, by the evaluation `white` in centipawns for White, when about `plies` plies
/// are to be played yet. A rule of thumb: it says which games of a population to follow, not how likely they are.
pub(super) fn promise(demands: &[Judged], position: &Chess, white: i32, plies: u32) -> f64 {
    let off = demands.iter().map(|judged| off(*judged, position, white)).sum::<i32>();
    let scale = SCALE * (1.0 + f64::from(plies) / PLIES);
    (-f64::from(off) / scale).max(MIN)
}

/// How far the evaluation is from what a condition demands, in centipawns.
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
        // Somebody is about to mate, whoever it is.
        Judged::Mate(_) => WINNING - white.abs(),
        Judged::Quiet | Judged::Only | Judged::Best(_) => 0,
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
    fn the_nearer_the_evaluation_and_the_farther_the_end_the_likelier() {
        assert_eq!(chance("eval=-30..30", 20, 0), 0.0);
        assert!(chance("eval=-30..30", 80, 0) < 0.0);
        assert!(chance("eval=-30..30", 180, 0) < chance("eval=-30..30", 80, 0));
        assert!(chance("eval=-30..30", 180, 0) < chance("eval=-30..30", 180, 20));
        assert_eq!(chance("eval.mover>=100", 100, 0), 0.0);
        assert!(chance("eval<-100", 100, 0) < 0.0);
        assert_eq!(chance("mate=2", -900, 0), 0.0);
        assert!(chance("mate=2", 0, 0) < 0.0);
        // What is negated, and what evaluations say nothing of, is as likely anywhere.
        assert_eq!(chance("!eval=-30..30 quiet only", 500, 0), 0.0);
        assert_eq!(chance("eval=0", 9000, 0), MIN);
    }
}
