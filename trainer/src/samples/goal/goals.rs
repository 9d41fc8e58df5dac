//! Draws the goals of samples.

use entente_constraint::{Check, End, KINDS, RIGHTS};
use entente_network::encoding::goal_policy::{Aim, Span};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use shakmaty::{Color, Position};

use super::replayed_game::{Counts, ReplayedGame};

/// Shares of the kinds of samples. The remaining samples have a goal that the game reached (hindsight).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mixture {
    /// The share without a goal, from which the plain human policy is learned.
    pub plain: f64,
    /// The share with a goal drawn independently of the rest of the game, which reached it or not.
    pub foreign: f64,
    /// Among the foreign goals, the share of goals of the game itself with small changes.
    pub perturbed: f64,
}

impl Default for Mixture {
    fn default() -> Self {
        Mixture { plain: 0.25, foreign: 0.3, perturbed: 0.25 }
    }
}

/// The form of a goal on numbers of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// All numbers of one side, exactly, as in the thesis.
    OneSide(Color),
    /// All numbers of both sides, exactly.
    BothSides,
    /// Some numbers, exactly or as ranges.
    Some,
    /// Differences between the sides.
    Differences,
}

impl Form {
    fn draw(rng: &mut impl Rng) -> Form {
        match rng.random_range(0..100) {
            0..60 => Form::OneSide(if rng.random() { Color::White } else { Color::Black }),
            60..78 => Form::BothSides,
            78..94 => Form::Some,
            _ => Form::Differences,
        }
    }

    /// An aim of this form that `counts` satisfy.
    fn aim(self, counts: &Counts, rng: &mut impl Rng) -> Aim {
        let mut aim = Aim::NONE;
        match self {
            Form::OneSide(color) => {
                for (kind, _) in KINDS.iter().enumerate().filter(|(_, piece)| piece.color == color) {
                    aim.counts[kind] = Span::exactly(counts[kind]);
                }
            }
            Form::BothSides => aim.counts = counts.map(Span::exactly),
            Form::Some => {
                for (span, count) in aim.counts.iter_mut().zip(counts) {
                    if rng.random_bool(0.4) {
                        *span = around(*count, rng);
                    }
                }
            }
            Form::Differences => {
                for (kind, span) in aim.differences.iter_mut().enumerate() {
                    if rng.random_bool(0.4) {
                        *span = around(counts[kind] - counts[kind + 5], rng);
                    }
                }
                for (span, count) in aim.counts.iter_mut().zip(counts) {
                    if rng.random_bool(0.1) {
                        *span = around(*count, rng);
                    }
                }
            }
        }
        aim
    }
}

/// A span that contains `number`.
fn around(number: i8, rng: &mut impl Rng) -> Span {
    match rng.random_range(0..10) {
        0..6 => Span::exactly(number),
        6..8 => Span { least: None, most: Some(number + rng.random_range(0..2)) },
        8 => Span { least: Some(number - rng.random_range(0..2)), most: None },
        _ => Span { least: Some(number - 1), most: Some(number + 1) },
    }
}

/// Draws the number of plies within which a goal must be reached: long horizons as at the start of generation, and
/// short ones.
pub(super) fn horizon(rng: &mut impl Rng) -> usize {
    if rng.random() {
        return rng.random_range(1..=120);
    }
    (200f64.powf(rng.random::<f64>())).round() as usize
}

/// A goal that does not hold yet, and that the game reaches between `ply` and `ply + horizon`.
pub(super) fn hindsight(
    replayed: &ReplayedGame,
    ply: usize,
    horizon: usize,
    rng: &mut impl Rng,
) -> Option<Aim> {
    let last = (ply + horizon).min(replayed.plies());
    for _ in 0..4 {
        let aim = if rng.random_bool(0.2) {
            detailed(replayed, ply, last, rng)
        } else {
            let changes = replayed.changes(ply, last);
            if changes.is_empty() {
                detailed(replayed, ply, last, rng)
            } else {
                let change = changes[rng.random_range(0..changes.len())];
                Some(Form::draw(rng).aim(&replayed.counts(change), rng))
            }
        }?;
        if !aim.is_none() && !aim.holds(&replayed.positions[ply]) {
            return Some(aim);
        }
    }
    None
}

/// A goal on the numbers of men in the last position, if it does not hold yet.
pub(super) fn last_of(replayed: &ReplayedGame, ply: usize, rng: &mut impl Rng) -> Option<Aim> {
    let aim = Form::draw(rng).aim(&replayed.counts(replayed.plies()), rng);
    (!aim.is_none() && !aim.holds_for(&replayed.men[ply])).then_some(aim)
}

/// A goal with other conditions than numbers of men, taken from a later position.
fn detailed(replayed: &ReplayedGame, ply: usize, last: usize, rng: &mut impl Rng) -> Option<Aim> {
    if last <= ply {
        return None;
    }
    // Include the last position of the game, for mates.
    let later = if last == replayed.plies() && rng.random_bool(0.1) {
        last
    } else {
        rng.random_range(ply + 1..=last)
    };
    let position = &replayed.positions[later];
    let mut aim = Aim::NONE;
    if rng.random_bool(0.5) {
        aim = Form::draw(rng).aim(&replayed.counts(later), rng);
    }
    if rng.random_bool(0.6) {
        let share = if rng.random_bool(0.1) { 0.9 } else { rng.random_range(0.02..0.3) };
        for square in shakmaty::Square::ALL {
            match position.board().piece_at(square) {
                Some(man) if rng.random_bool(share) => aim.squares[Aim::place(Some(man))].add(square),
                None if rng.random_bool(share / 10.0) => aim.squares[Aim::place(None)].add(square),
                _ => {}
            }
        }
    }
    for (wanted, (_, color, side)) in aim.castling.iter_mut().zip(RIGHTS) {
        if rng.random_bool(0.15) {
            *wanted = Some(position.castles().has(color, side));
        }
    }
    if rng.random_bool(if position.is_check() { 0.6 } else { 0.05 }) {
        aim.check = Some(match position.is_check() {
            true if rng.random() => Check::Any,
            true => Check::Of(position.turn()),
            false => Check::None,
        });
    }
    if rng.random_bool(0.15) {
        aim.turn = Some(position.turn());
    }
    if position.is_checkmate() && rng.random_bool(0.8) {
        aim.end = Some(End::Checkmate);
    } else if position.is_stalemate() {
        aim.end = Some(End::Stalemate);
    }
    Some(aim)
}

/// A goal drawn independently of this game after `ply`: the changes in numbers of men over a similar stretch of another
/// game.
pub(super) fn foreign(
    replayed: &ReplayedGame,
    ply: usize,
    other: &ReplayedGame,
    rng: &mut impl Rng,
) -> Option<Aim> {
    let before = if other.plies() < 2 { return None } else { rng.random_range(0..other.plies() - 1) };
    let changes = other.changes(before, before + horizon(rng));
    if changes.is_empty() {
        return None;
    }
    let change = changes[rng.random_range(0..changes.len())];
    let (from, to) = (other.counts(before), other.counts(change));
    let now = replayed.counts(ply);
    let swapped = rng.random();
    let counts: Counts = std::array::from_fn(|kind| {
        let kind_there = if swapped { (kind + 5) % 10 } else { kind };
        (now[kind] + to[kind_there] - from[kind_there]).max(0)
    });
    let aim = Form::draw(rng).aim(&counts, rng);
    worthwhile(replayed, ply, aim)
}

/// A goal that this game reached, with one or two changed numbers.
pub(super) fn perturbed(
    replayed: &ReplayedGame,
    ply: usize,
    horizon: usize,
    rng: &mut impl Rng,
) -> Option<Aim> {
    let changes = replayed.changes(ply, ply + horizon);
    if changes.is_empty() {
        return None;
    }
    let mut counts = replayed.counts(changes[rng.random_range(0..changes.len())]);
    for _ in 0..rng.random_range(1..=2) {
        let kind = rng.random_range(0..10);
        counts[kind] = (counts[kind] + if rng.random() { 1 } else { -1 }).max(0);
    }
    let aim = Form::draw(rng).aim(&counts, rng);
    worthwhile(replayed, ply, aim)
}

/// The aim, unless it already holds or is known to be unreachable.
fn worthwhile(replayed: &ReplayedGame, ply: usize, aim: Aim) -> Option<Aim> {
    let men = &replayed.men[ply];
    (!aim.is_none() && !aim.holds_for(men) && aim.is_reachable_from(men)).then_some(aim)
}
