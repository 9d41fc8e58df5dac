//! What makes a puzzle hard, in numbers.

use std::sync::LazyLock;

use entente_constraint::{Men, child_of};
use entente_network::encoding::Distribution;
use entente_search::{PortableMath as _, Score, loses_by_see};
use shakmaty::{Chess, Move, Position, Role, Square};

use super::{Puzzle, Step};
use crate::solution::{MORE_THAN_A_PAWN, is_sharp};

/// The ways in which the human policy is asked: the rating of both players, and whether its skill looks ahead.
pub(super) const ASKED: [(u16, bool); 5] =
    [(800, false), (1600, false), (2400, false), (1200, true), (2000, true)];

/// What the policy predicts, for each of [`ASKED`] and each step: the moves, and the probabilities of a win, a draw and
/// a loss.
pub(super) type Views = Vec<Vec<(Distribution, [f32; 3])>>;

/// A capture that wins this much by static exchange tempts the solver, in centipawns.
const TEMPTING: i32 = 80;
/// The least logarithm of a probability. Beyond it, a network only guesses.
const LEAST: f64 = -12.0;
/// Evaluations count up to this, in centipawns.
const CAP: i32 = 1500;

macro_rules! features {
    ($($name:literal: $value:expr),+ $(,)?) => {
        /// The names of the features of a puzzle's line and board.
        const OF_LINE: &[&str] = &[$($name),+];

        /// Their values. `standing` is the evaluation for the side to move after captures are resolved.
        fn of_line(puzzle: &Puzzle, standing: i32) -> Vec<f64> {
            let all = Line::new(puzzle, standing);
            vec![$(features!(@value all, $value)),+]
        }
    };
    (@value $line:ident, $value:expr) => { { let value: fn(&Line<'_>) -> f64 = $value; value(&$line) } };
}

features! {
    "moves": |line| line.steps.len() as f64,
    "mate": |line| match line.first().best {
        Score::Mate(moves) => f64::from(moves),
        Score::Centipawns(_) => 0.0,
    },
    "score": |line| of_score(line.first().best),
    "next": |line| line.first().next.map_or(-f64::from(CAP), of_score),
    "least_gap": |line| least(line.steps.iter().map(gap)),
    "solving": |line| line.first().solving.len() as f64,
    "standing": |line| f64::from(line.standing.clamp(-CAP, CAP)),
    "gain": |line| of_score(line.first().best) - f64::from(line.standing.clamp(-CAP, CAP)),
    "depth": |line| f64::from(line.first().depth),
    "most_depth": |line| most(line.steps.iter().map(|step| f64::from(step.depth))),
    "log_nodes": |line| (line.first().nodes as f64 + 1.0).portable_ln(),
    "legal": |line| line.first().moves.len() as f64,
    "mean_legal": |line| line.mean(|step| step.moves.len() as f64),
    "mean_replies": |line| line.mean(|step| child_of(&step.position, step.solution()).legal_moves().len() as f64),
    "first_replies": |line| {
        child_of(&line.first().position, line.first().solution()).legal_moves().len() as f64
    },
    "men": |line| line.first().position.board().occupied().count() as f64,
    "lead": |line| {
        let position = &line.first().position;
        f64::from(Men::on(position.board()).lead(position.turn()))
    },
    "pieces": |line| {
        let board = line.first().position.board();
        (board.occupied() ^ board.pawns() ^ board.kings()).count() as f64
    },
    "in_check": |line| number(line.first().position.is_check()),
    "captured": |line| line.first().solution().capture().map_or(0.0, |role| f64::from(worth(role))),
    "check": |line| number(is_check(line.first())),
    "quiet": |line| number(is_quiet(line.first())),
    "sacrifice": |line| number(loses_by_exchange(line.first())),
    "mover": |line| f64::from(worth(line.first().solution().role())),
    "is_king": |line| number(line.first().solution().role() == Role::King),
    "distance": |line| distance(line.first().solution()),
    "most_distance": |line| most(line.steps.iter().map(|step| distance(step.solution()))),
    "back": |line| backward(line.first()),
    "captures": |line| line.count(|step| step.solution().is_capture()),
    "checks": |line| line.count(is_check),
    "quiets": |line| line.count(is_quiet),
    "sacrifices": |line| line.count(loses_by_exchange),
    "promotions": |line| line.count(|step| step.solution().is_promotion()),
    "underpromotions": |line| {
        line.count(|step| step.solution().promotion().is_some_and(|role| role != Role::Queen))
    },
    "possible_checks": |line| line.others(|position, m| child_of(position, m).is_check()),
    "tempting_captures": |line| {
        line.others(|position, m| m.is_capture() && gains(position, m, TEMPTING))
    },
    "capture_gains": |line| {
        let first = line.first();
        number(first.solution().is_capture() && gains(&first.position, first.solution(), TEMPTING))
    },
}

/// The names of the features of each way in which the policy is asked.
const OF_VIEW: [&str; 10] =
    ["first", "sum", "least", "last", "rank", "most_rank", "likeliest", "entropy", "win", "loss"];

/// The names of the features, in their order: those of the line and the board, and those of each way in which the human
/// policy is asked, such as `1600_first`, the logarithm of the probability that a player rated 1600 finds the first
/// move. With `s`, as in `1200s_first`, the player looks ahead.
pub static FEATURES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of_line = OF_LINE.iter().map(|name| (*name).to_owned());
    let of_views = ASKED.iter().flat_map(|(rating, is_skilled)| {
        let skilled = if *is_skilled { "s" } else { "" };
        OF_VIEW.iter().map(move |name| format!("{rating}{skilled}_{name}"))
    });
    of_line.chain(of_views).collect()
});

/// The values of [`FEATURES`], all finite.
pub(super) fn values(puzzle: &Puzzle, standing: i32, views: &Views) -> Vec<f64> {
    let mut values = of_line(puzzle, standing);
    views.iter().for_each(|view| values.extend(of_view(&puzzle.steps, view)));
    values
}

fn of_view(steps: &[Step], view: &[(Distribution, [f32; 3])]) -> [f64; OF_VIEW.len()] {
    let found = |(step, (chances, _)): (&Step, &(Distribution, [f32; 3]))| {
        let sum: f64 = step.solving.iter().map(|index| f64::from(chances.probability(*index))).sum();
        sum.portable_ln().max(LEAST)
    };
    let rank = |(step, (chances, _)): (&Step, &(Distribution, [f32; 3]))| {
        let best = step.solving.iter().map(|index| chances.logarithms()[*index]).fold(f32::MIN, f32::max);
        chances.logarithms().iter().filter(|other| **other > best).count() as f64
    };
    let logs: Vec<f64> = steps.iter().zip(view).map(found).collect();
    let ranks: Vec<f64> = steps.iter().zip(view).map(rank).collect();
    let (chances, [win, _, loss]) = &view[0];
    let all = || (0..steps[0].moves.len()).map(|index| f64::from(chances.probability(index)));
    let entropy: f64 =
        all().filter(|chance| *chance > 0.0).map(|chance| -chance * chance.portable_ln()).sum();
    [
        logs[0],
        logs.iter().sum(),
        least(logs.iter().copied()),
        logs[logs.len() - 1],
        ranks[0],
        most(ranks.iter().copied()),
        all().fold(0.0, f64::max),
        entropy,
        f64::from(*win),
        f64::from(*loss),
    ]
}

/// What the features of the line and the board are computed from.
struct Line<'a> {
    steps: &'a [Step],
    standing: i32,
}

impl<'a> Line<'a> {
    fn new(puzzle: &'a Puzzle, standing: i32) -> Line<'a> {
        Line { steps: &puzzle.steps, standing }
    }

    fn first(&self) -> &Step {
        &self.steps[0]
    }

    fn mean(&self, value: impl Fn(&Step) -> f64) -> f64 {
        self.steps.iter().map(value).sum::<f64>() / self.steps.len() as f64
    }

    fn count(&self, is_so: impl Fn(&Step) -> bool) -> f64 {
        self.steps.iter().filter(|step| is_so(step)).count() as f64
    }

    /// The number of first moves of this kind that do not solve the puzzle.
    fn others(&self, is_so: impl Fn(&Chess, Move) -> bool) -> f64 {
        let step = self.first();
        let others = step.moves.iter().enumerate().filter(|(index, _)| !step.solving.contains(index));
        others.filter(|(_, m)| is_so(&step.position, **m)).count() as f64
    }
}

fn number(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

fn least(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::INFINITY, f64::min)
}

fn most(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::NEG_INFINITY, f64::max)
}

fn of_score(score: Score) -> f64 {
    f64::from(score.within(CAP))
}

/// How much worse the best move is that does not solve the step.
fn gap(step: &Step) -> f64 {
    of_score(step.best) - step.next.map_or(-f64::from(CAP), of_score)
}

fn is_check(step: &Step) -> bool {
    child_of(&step.position, step.solution()).is_check()
}

/// True if the solution is no capture, promotion or check.
fn is_quiet(step: &Step) -> bool {
    !is_sharp(&step.position, step.solution())
}

/// True if the solution loses more than a pawn by static exchange. The trees were fitted to this; pins do not matter.
fn loses_by_exchange(step: &Step) -> bool {
    loses_by_see(&step.position, step.solution(), MORE_THAN_A_PAWN)
}

/// True if a move gains at least this much by static exchange.
fn gains(position: &Chess, m: Move, centipawns: i32) -> bool {
    !loses_by_see(position, m, 1 - centipawns)
}

/// The number of king's steps of a move.
fn distance(m: Move) -> f64 {
    m.from().map_or(0.0, |from| f64::from(from.distance(m.to())))
}

/// The number of ranks by which the solution goes back, toward the solver's side; negative if it advances.
fn backward(step: &Step) -> f64 {
    let m = step.solution();
    let rank = |square: Square| f64::from(u32::from(square.rank()));
    let ahead = m.from().map_or(0.0, |from| rank(m.to()) - rank(from));
    step.position.turn().fold_wb(-ahead, ahead)
}

/// The value of a man, in pawns.
fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 10,
    }
}
