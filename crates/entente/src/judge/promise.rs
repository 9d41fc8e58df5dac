//! How likely a game is to reach a position that satisfies the judged conditions.

use entente_constraint::{Comparison, Constraint, Judged, MoveKind, child_of, seen_by};
use shakmaty::{Chess, Color, Move, Position as _};

use super::judged_position::lead;
use crate::solution::{Solution, calibrated};

/// At the end of a game, an evaluation that is this far from its bounds, in centipawns, makes success e times less
/// likely.
const SCALE: f64 = 150.0;
/// The distance above doubles with this many more plies to play.
const PLIES: f64 = 8.0;
/// The evaluation that counts as winning, if a mate is demanded.
const WINNING: i32 = 400;
/// Each move by which the men are away from a theme makes it e^0.7 times less likely, up to a limit in moves. Half as many
/// mates again were found by their pattern as with e^0.5, and as many as with e^1.
const LOSS_A_MOVE: f64 = 0.7;
const MOST_MOVES: u32 = 8;
/// The minimum of the logarithm for evaluations, because they are rough.
const MIN: f64 = -4.0;

/// ln of the estimated probability that the judged conditions will hold, given the evaluation `white` for White in
/// centipawns and about `plies` plies left to play. It is a rule of thumb: it decides which games of a population to
/// follow, not how likely they are.
pub(super) fn promise(constraint: &Constraint, position: &Chess, white: i32, plies: u32) -> f64 {
    let off = constraint.least_cost(&|judged| off(judged, position, white));
    let scale = SCALE * (1.0 + f64::from(plies) / PLIES);
    (-f64::from(off) / scale).max(MIN) - LOSS_A_MOVE * f64::from(remoteness(constraint, position))
}

/// For each move, what it adds to [`promise`] because it brings the men nearer to the themes or to the moves that `best` and
/// `bad` ask for, or makes one side ahead where that is demanded; `None` if no move changes that.
pub(super) fn gains(constraint: &Constraint, position: &Chess, moves: &[Move]) -> Option<Vec<f32>> {
    let is_led_to = |judged| {
        matches!(
            judged,
            Judged::Theme(_)
                | Judged::Hold
                | Judged::Convert
                | Judged::Best(MoveKind::Of(_, Some(_)))
                | Judged::Bad(MoveKind::Of(_, Some(_)))
        )
    };
    if !constraint.needs(is_led_to) {
        return None;
    }
    let here = remoteness(constraint, position);
    let there = moves.iter().map(|m| remoteness(constraint, &child_of(position, *m)));
    let gains: Vec<f32> =
        there.map(|there| LOSS_A_MOVE as f32 * (i64::from(here) - i64::from(there)) as f32).collect();
    gains.iter().any(|gain| *gain != 0.0).then_some(gains)
}

/// How many moves the men are away from the themes and moves that are demanded, for the side that is nearer. Where a side
/// must be ahead or behind, level men are a move away.
fn remoteness(constraint: &Constraint, position: &Chess) -> u32 {
    let far = |solver: Color| {
        constraint.least_cost(&|judged| match judged {
            Judged::Theme(theme) => {
                theme.remoteness(position.board(), solver).unwrap_or(MOST_MOVES).min(MOST_MOVES)
            }
            Judged::Best(kind) | Judged::Bad(kind) => {
                kind.remoteness(position.board(), solver).unwrap_or(MOST_MOVES)
            }
            Judged::Hold | Judged::Convert => u32::from(lead(position) == 0),
            _ => 0,
        })
    };
    far(Color::White).min(far(Color::Black))
}

/// The fewest moves that the solution has after its first one, as far as conditions on its length tell.
pub(super) fn later_moves(constraint: &Constraint) -> u32 {
    let by_mate = constraint.least_cost(&|judged| match judged {
        Judged::Mate(moves) => u32::from(moves).saturating_sub(1),
        _ => 0,
    });
    let by_length = constraint.least_cost(&|judged| match judged {
        Judged::Moves(comparison) => {
            (0..MOST_MOVES).find(|later| comparison.holds(*later as i8 + 1)).unwrap_or(MOST_MOVES)
        }
        _ => 0,
    });
    by_mate.max(by_length)
}

/// The distance of the evaluation from the bounds of a condition, in centipawns.
pub(super) fn off(judged: Judged, position: &Chess, white: i32) -> u32 {
    let value = calibrated(white, position.board().occupied().count());
    let off = match judged {
        Judged::Eval { by_mover, comparison } => {
            let score = if by_mover { seen_by(value, position.turn()) } else { value };
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
        Judged::Theme(theme) if theme.is_mate() => WINNING - white.abs(),
        // The side that saves the game is neither winning nor lost.
        Judged::Theme(theme) if theme.saves() => white.abs() - Solution::WIN,
        Judged::Hold => white.abs() - Solution::WIN,
        // A side that converts is winning.
        Judged::Convert => Solution::WIN - value.abs(),
        // A result that tables know is decided without a look at the evaluation.
        Judged::Wdl { .. }
        | Judged::Quiet
        | Judged::Only
        | Judged::Best(_)
        | Judged::Bad(_)
        | Judged::Theme(_)
        | Judged::Moves(_)
        | Judged::Puzzle(_) => 0,
    };
    off.max(0).unsigned_abs()
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;

    use super::*;

    fn chance(constraint: &str, white: i32, plies: u32) -> f64 {
        let constraint: Constraint = constraint.parse().unwrap();
        promise(&constraint, &Chess::default(), white, plies)
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

    #[test]
    fn with_few_men_more_is_needed() {
        let promise = |constraint: &str, board: &str| {
            let constraint: Constraint = constraint.parse().unwrap();
            let position = position_from_fen(&format!("{board} w - - 0 1")).unwrap();
            promise(&constraint, &position, 250, 0)
        };
        for constraint in ["convert", "eval>=200"] {
            assert_eq!(
                promise(constraint, "r1bq1rk1/1ppppppp/8/8/8/8/PPPPPPPP/R1BQ1RK1"),
                0.0,
                "{constraint}"
            );
            assert!(promise(constraint, "6k1/5ppp/8/8/8/8/4PPPP/6K1") < 0.0, "{constraint}");
        }
    }

    #[test]
    fn a_side_that_holds_is_not_level() {
        let promise = |board: &str| {
            let constraint: Constraint = "hold".parse().unwrap();
            let position = position_from_fen(&format!("{board} w - - 0 1")).unwrap();
            promise(&constraint, &position, 0, 0)
        };
        assert!(promise("6k1/5ppp/8/8/8/8/6PP/6K1") > promise("6k1/5ppp/8/8/8/8/5PPP/6K1"));
    }

    #[test]
    fn a_theme_is_more_likely_if_the_men_are_near() {
        let promise = |theme: &str, board: &str| {
            let constraint: Constraint = format!("theme={theme}").parse().unwrap();
            let position = position_from_fen(&format!("{board} w - - 0 1")).unwrap();
            promise(&constraint, &position, 500, 0)
        };
        let shut_in = "6rk/6pp/8/6N1/8/8/8/6K1";
        assert!(promise("smothered", shut_in) > promise("smothered", "7k/8/8/6N1/8/8/8/6K1"));
        assert!(promise("smothered", shut_in) < 0.0);
        assert_eq!(promise("fork", shut_in), 0.0);
        assert_eq!(promise("boden", shut_in), -LOSS_A_MOVE * f64::from(MOST_MOVES));
    }

    #[test]
    fn conditions_on_the_length_tell_how_many_moves_follow_the_first() {
        for (constraint, expected) in [
            ("theme=smothered", 0),
            ("theme=smothered mate=1", 0),
            ("theme=smothered mate=3", 2),
            ("theme=smothered (mate=3 | mate=2)", 1),
            ("theme=fork moves>=2", 1),
            ("theme=fork moves<=2", 0),
            ("theme=fork moves=3..4", 2),
            ("theme=fork !mate=3", 0),
            ("theme=smothered mate=3 moves>=3", 2),
        ] {
            assert_eq!(later_moves(&constraint.parse().unwrap()), expected, "{constraint}");
        }
    }

    #[test]
    fn moves_that_bring_the_men_nearer_to_a_theme_gain() {
        let gain = |constraint: &str, name: &str| {
            let constraint: Constraint = constraint.parse().unwrap();
            let position = position_from_fen("6rk/6pp/8/8/4N3/8/8/6K1 w - - 0 1").unwrap();
            let moves = position.legal_moves();
            let index = moves.iter().position(|m| m.to_string() == name).unwrap();
            gains(&constraint, &position, &moves).map(|gains| gains[index])
        };
        let a_move = LOSS_A_MOVE as f32;
        for constraint in ["theme=smothered", "Q=0 theme=smothered", "theme=smothered | theme=boden"] {
            assert_eq!(gain(constraint, "Ne4-f6"), Some(a_move), "{constraint}");
            assert_eq!(gain(constraint, "Ne4-c3"), Some(-a_move), "{constraint}");
            assert_eq!(gain(constraint, "Kg1-f1"), Some(0.0), "{constraint}");
        }
        // From f6 the knight attacks h7.
        for constraint in ["best=N@h7", "bad=[BN]@f7-h7"] {
            assert_eq!(gain(constraint, "Ne4-f6"), Some(a_move), "{constraint}");
            assert_eq!(gain(constraint, "Ne4-c3"), Some(0.0), "{constraint}");
        }
        let others = [
            "theme=fork",
            "Q=0",
            "!theme=smothered",
            "theme=smothered | theme=fork",
            "best=N",
            "best=capture",
            "best=n@h7",
        ];
        for constraint in others {
            assert_eq!(gain(constraint, "Ne4-f6"), None, "{constraint}");
        }
    }
}
