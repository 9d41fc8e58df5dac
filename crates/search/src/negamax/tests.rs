use std::{
    convert::Infallible,
    sync::atomic::{AtomicBool, Ordering},
};

use entente_constraint::child_of;
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, fen::Fen};

use super::*;

/// Values that look random but depend only on the position.
struct Scrambled;

impl Scrambled {
    fn value(position: &Chess) -> f32 {
        let hash = key(position).0;
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1u64 << 24) as f32
    }
}

impl SatisfactionEvaluator for Scrambled {
    type Error = Infallible;

    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        _stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), Self::Error> {
        values.extend(moves.iter().map(|&m| Scrambled::value(&child_of(position, m))));
        Ok(())
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, Self::Error> {
        Ok(Scrambled::value(position))
    }

    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        best * (1.0 - criterion)
    }
}

/// Algorithm 3 of the thesis, implemented literally.
fn published(position: &Chess, depth: u32) -> f32 {
    if depth == 0 {
        return Scrambled::value(position);
    }
    position
        .legal_moves()
        .iter()
        .map(|&m| published(&child_of(position, m), depth - 1))
        .fold(f32::NEG_INFINITY, f32::max)
}

/// The default variant without the table and without incremental numbers of men.
fn plain(position: &Chess, goal: &Goal, depth: u32) -> f32 {
    if goal.is_satisfied(position) {
        1.0 + (depth + 1) as f32
    } else if !goal.is_reachable_from(&Men::on(position.board())) {
        0.0
    } else if depth == 0 {
        Scrambled::value(position)
    } else {
        position
            .legal_moves()
            .iter()
            .map(|&m| plain(&child_of(position, m), goal, depth - 1))
            .fold(0.0, f32::max)
    }
}

const FENS: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "4k3/P6p/8/3pP3/8/2n5/1P5q/4K2R w K d6 0 1",
    "7k/5Q2/8/8/8/8/p7/K7 w - - 0 1",
];

/// The moves chosen in many draws, sorted, with their reported values.
fn choices(settings: NegamaxSettings, goal: &Goal, position: &Chess) -> Vec<(String, f32)> {
    let mut negamax = Negamax::new(goal.clone(), Scrambled, settings);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut chosen: Vec<_> = (0..400)
        .map(|_| {
            let choice = negamax
                .choose(position, |_| true, &mut rng, Limits::until(&AtomicBool::new(false)))
                .unwrap()
                .expect("a move");
            (choice.m.to_uci(CastlingMode::Standard).to_string(), choice.value)
        })
        .collect();
    chosen.sort_by(|a, b| a.0.cmp(&b.0));
    chosen.dedup();
    chosen
}

fn expected(
    position: &Chess,
    threshold: impl Fn(f32) -> f32,
    value: impl Fn(&Chess) -> f32,
) -> Vec<(String, f32)> {
    let moves = position.legal_moves();
    let values: Vec<f32> = moves.iter().map(|&m| value(&child_of(position, m))).collect();
    let best = values.iter().copied().fold(0.0, f32::max);
    let threshold = if best > 1.0 { best } else { threshold(best) };
    let mut within: Vec<_> = moves
        .iter()
        .zip(values)
        .filter(|(_, value)| *value >= threshold)
        .map(|(m, value)| (m.to_uci(CastlingMode::Standard).to_string(), value.min(1.0)))
        .collect();
    within.sort_by(|a, b| a.0.cmp(&b.0));
    within
}

#[test]
fn both_variants_choose_among_exactly_the_moves_within_the_criterion() {
    for fen in FENS {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for constraint in ["q=0 P>=1", "Q=2", "n=0 | p=3"] {
            let goal = Goal::new(&constraint.parse().unwrap()).unwrap();
            if goal.is_satisfied(&position) || !goal.is_reachable_from(&Men::on(position.board())) {
                continue;
            }
            for depth in 1..=3 {
                let settings = NegamaxSettings { depth, criterion: 0.15, faithful: true };
                assert_eq!(
                    choices(settings, &goal, &position),
                    expected(&position, |best| best - 0.15, |child| published(child, depth - 1)),
                    "faithful, {fen}, depth {depth}"
                );
                let settings = NegamaxSettings { faithful: false, ..settings };
                assert_eq!(
                    choices(settings, &goal, &position),
                    expected(&position, |best| best * 0.85, |child| plain(child, &goal, depth - 1)),
                    "default, {constraint}, {fen}, depth {depth}"
                );
            }
        }
    }
}

#[test]
fn a_stopped_search_chooses_nothing() {
    let goal = Goal::new(&"q=0".parse().unwrap()).unwrap();
    let settings = NegamaxSettings { depth: 3, criterion: 0.1, faithful: false };
    let mut negamax = Negamax::new(goal, Scrambled, settings);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    assert_eq!(
        negamax.choose(&Chess::default(), |_| true, &mut rng, Limits::until(&AtomicBool::new(true))).unwrap(),
        None
    );
}

/// Sets the stop flag and returns the values of only half of the moves.
struct Interrupted<'a>(&'a AtomicBool);

impl SatisfactionEvaluator for Interrupted<'static> {
    type Error = Infallible;

    fn evaluate_moves(
        &mut self,
        _position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), Self::Error> {
        assert!(!stop());
        self.0.store(true, Ordering::Relaxed);
        assert!(stop());
        values.resize(moves.len() / 2, 0.5);
        Ok(())
    }

    fn evaluate(&mut self, _position: &Chess) -> Result<f32, Self::Error> {
        unreachable!("search asks for moves")
    }
}

#[test]
fn a_search_that_is_stopped_during_an_evaluation_chooses_nothing() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let goal = Goal::new(&"q=0".parse().unwrap()).unwrap();
    for depth in 1..=2 {
        STOP.store(false, Ordering::Relaxed);
        let settings = NegamaxSettings { depth, criterion: 0.1, faithful: false };
        let mut negamax = Negamax::new(goal.clone(), Interrupted(&STOP), settings);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let choice = negamax.choose(&Chess::default(), |_| true, &mut rng, Limits::until(&STOP));
        assert_eq!(choice.unwrap(), None);
        assert!(negamax.was_cut());
    }
}

/// The error of [`Failing`].
#[derive(Debug, PartialEq)]
struct Failure;

/// Fails for one position.
struct Failing(Chess);

impl SatisfactionEvaluator for Failing {
    type Error = Failure;

    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        _stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), Self::Error> {
        if *position == self.0 {
            return Err(Failure);
        }
        values.resize(moves.len(), 0.5);
        Ok(())
    }

    fn evaluate(&mut self, _position: &Chess) -> Result<f32, Self::Error> {
        unreachable!("search asks for moves")
    }
}

#[test]
fn a_position_that_cannot_be_evaluated_is_an_error_at_any_depth() {
    let goal = Goal::new(&"q=0".parse().unwrap()).unwrap();
    let mut position = Chess::default();
    for depth in 1..=3 {
        let settings = NegamaxSettings { depth, criterion: 0.1, faithful: false };
        let mut negamax = Negamax::new(goal.clone(), Failing(position.clone()), settings);
        let mut choose = |root: &Chess| {
            negamax.forget();
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            negamax.choose(root, |_| true, &mut rng, Limits::until(&AtomicBool::new(false)))
        };
        assert_eq!(choose(&Chess::default()), Err(Failure), "{depth}");
        let elsewhere = "4k3/8/8/8/8/8/3q4/6K1 b - - 0 1".parse::<Fen>().unwrap();
        let elsewhere: Chess = elsewhere.into_position(CastlingMode::Standard).unwrap();
        assert!(choose(&elsewhere).unwrap().is_some(), "a failure does not affect later searches, {depth}");
        let m = position.legal_moves()[0];
        position.play_unchecked(m);
    }
}
