use std::convert::Infallible;

use entente_constraint::Constraint;
use entente_search::position_from_fen;

use super::*;

/// A search that gives captures one score and other moves another.
#[derive(Clone, Copy)]
struct Scores {
    capture: i32,
    other: i32,
}

impl Referee for Scores {
    type Error = Infallible;

    fn lines(
        &mut self,
        _: &Chess,
        moves: &[Move],
        count: usize,
        _: Option<u32>,
        _: Limits<'_>,
    ) -> Result<Vec<Variation>, Infallible> {
        let score = |m: Move| if m.is_capture() { self.capture } else { self.other };
        let mut lines: Vec<Variation> =
            moves.iter().map(|m| Variation::of(Score::Centipawns(score(*m)), vec![*m])).collect();
        lines.sort_by_key(|line| -centipawns(line.score));
        lines.truncate(count);
        Ok(lines)
    }
}

/// Whether a constraint holds according to a search, and perhaps a longer one, in a position with a single capture.
fn holds(constraint: &str, mut own: Scores, mut deeper: Option<Scores>) -> bool {
    let position = position_from_fen("4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1").unwrap();
    let margin = Margin { only: 80, best: 50, eval: 25, ..Margin::NONE };
    let mut judged = JudgedPosition::new(&mut own, margin, None, Limits::none(), None);
    judged.deeper = deeper.as_mut();
    let constraint: Constraint = constraint.parse().unwrap();
    let Ok(holds) = constraint.holds_by(Situation::root(&position), &mut judged);
    holds
}

#[test]
fn a_longer_search_can_only_refuse_an_evaluation() {
    let all = |score| Scores { capture: score, other: score };
    let window = |own, deeper: Option<i32>| {
        ["eval=100..200", "eval.mover>=300 | eval=100..200", "!eval=100..200"]
            .map(|constraint| holds(constraint, all(own), deeper.map(all)))
    };
    assert_eq!(window(150, None), [true, true, false]);
    assert_eq!(window(150, Some(115)), [true, true, false]);
    assert_eq!(window(150, Some(90)), [false, false, false]);
    assert_eq!(window(50, Some(150)), [false, false, false]);
    assert_eq!(window(50, Some(50)), [false, false, true]);
}

#[test]
fn no_move_is_best_if_others_win_too() {
    let best = |capture, other| holds("best=capture", Scores { capture, other }, None);
    assert!(best(900, 400) && best(300, 200));
    assert!(!best(900, 700) && !best(300, 270) && !best(100, 300));
}

#[test]
fn a_longer_search_must_find_the_same_single_good_move() {
    let only = |own: (i32, i32), deeper: Option<(i32, i32)>| {
        let scores = |(capture, other)| Scores { capture, other };
        ["only", "!only"].map(|constraint| holds(constraint, scores(own), deeper.map(scores)))
    };
    assert_eq!(only((500, 200), None), [true, false]);
    assert_eq!(only((500, 300), None), [false, false], "nearly");
    // It must be clear by half of the margin.
    assert_eq!(only((500, 200), Some((390, 200))), [true, false]);
    assert_eq!(only((500, 200), Some((389, 200))), [false, false]);
    // Another move is the best.
    assert_eq!(only((500, 200), Some((-300, 0))), [false, false]);
    // Conditions that must not hold are not confirmed.
    assert_eq!(only((100, 60), Some((500, 200))), [false, true]);
}
