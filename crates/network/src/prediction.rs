use entente_search::PortableMath as _;
use shakmaty::{Color, Move, Position};

use super::Query;
use crate::encoding::{
    lc0::Lc0,
    moves::{AlphaZero, Lc0Planes, MoveEncoding},
    softmax,
    transformer::vocabulary,
};

/// A policy's prediction for a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// A logit for each move of the query; −∞ if the network's number is not finite.
    pub logits: Vec<f32>,
    /// For each of these moves, the probability of reaching the aim in time, in [0, 1].
    pub action_values: Vec<f32>,
    /// The probability of reaching the aim in time, in [0, 1].
    pub value: f32,
    /// The probabilities of a win, a draw and a loss for the side to move.
    pub result: [f32; 3],
}

/// The kinds of outputs of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heads {
    /// Moves, the probabilities of reaching an aim, and results.
    Goal(Numbering),
    /// The same outputs of a network that has learned nothing about aims.
    NoGoal(Numbering),
    /// Moves alone, in the order of the vocabulary.
    Moves,
    /// Moves as Leela Chess Zero numbers them, and the probabilities of a win, a draw and a loss.
    Lc0,
}

/// How a network numbers moves in AlphaZero's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// [`AlphaZero`].
    AlphaZero,
    /// [`Lc0Planes`].
    Lc0Planes,
}

/// The index of the moves' logits among the outputs.
pub(super) const POLICY: usize = 0;
const ACTION_VALUE: usize = 1;
const VALUE: usize = 2;
/// The default of a probability that a network does not predict.
const UNKNOWN: f32 = 0.5;

impl Heads {
    /// The shapes of the outputs for one query.
    pub(crate) fn outputs(self) -> Vec<Vec<usize>> {
        match self {
            Heads::Goal(_) | Heads::NoGoal(_) => {
                vec![vec![AlphaZero::SIZE], vec![AlphaZero::SIZE], vec![1], vec![3]]
            }
            Heads::Moves => vec![vec![vocabulary().len()]],
            Heads::Lc0 => vec![vec![Lc0::SIZE], vec![3]],
        }
    }

    /// The index of a move of `mover` among the logits.
    pub(crate) fn index(self, m: Move, mover: Color) -> usize {
        match self {
            Heads::Goal(numbering) | Heads::NoGoal(numbering) => match numbering {
                Numbering::AlphaZero => usize::from(AlphaZero::encode(m, mover).0),
                Numbering::Lc0Planes => usize::from(Lc0Planes::encode(m, mover).0),
            },
            Heads::Moves => usize::from(vocabulary().index(m).expect("all moves of standard chess")),
            Heads::Lc0 => usize::from(Lc0::encode(m, mover).0),
        }
    }
}

impl Prediction {
    /// Reads output number `place` for the query. A probability that is not a number becomes 0.
    pub(super) fn read(&mut self, place: usize, numbers: &[f32], query: &Query<'_>, heads: Heads) {
        let mover = query.position.turn();
        let of_moves = query.moves.iter().map(|m| numbers[heads.index(*m, mover)]);
        match place {
            POLICY => {
                self.logits = finite(of_moves);
                if !matches!(heads, Heads::Goal(_)) {
                    self.action_values = vec![UNKNOWN; self.logits.len()];
                    (self.value, self.result) = (UNKNOWN, [1.0 / 3.0; 3]);
                }
            }
            // These are probabilities already, not logits.
            _ if heads == Heads::Lc0 => self.result = [numbers[0], numbers[1], numbers[2]].map(chance),
            ACTION_VALUE | VALUE if matches!(heads, Heads::NoGoal(_)) => {}
            ACTION_VALUE => self.action_values = of_moves.map(sigmoid).collect(),
            VALUE => self.value = sigmoid(numbers[0]),
            _ => {
                let logits = [numbers[0], numbers[1], numbers[2]];
                let chances = softmax(&logits.map(|logit| if logit.is_finite() { logit } else { 0.0 }));
                self.result = [chances[0], chances[1], chances[2]];
            }
        }
    }
}

/// The logits, with −∞ for those that are not finite.
pub(super) fn finite(logits: impl Iterator<Item = f32>) -> Vec<f32> {
    logits.map(|logit| if logit.is_finite() { logit } else { f32::NEG_INFINITY }).collect()
}

/// A number as a probability; 0 for NaN.
fn chance(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) }
}

/// 1 / (1 + e⁻ˣ); 0 for NaN.
fn sigmoid(logit: f32) -> f32 {
    if logit.is_nan() { 0.0 } else { 1.0 / (1.0 + (-logit).portable_exp()) }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::encoding::goal_policy::{Aim, Context};

    #[test]
    fn broken_outputs_still_give_valid_probabilities() {
        let position = Chess::default();
        let moves = position.legal_moves();
        let query = Query {
            position: &position,
            moves: &moves,
            played: &[],
            context: Context::default(),
            aim: &Aim::NONE,
        };
        for (broken, heads) in [f32::NAN, f32::INFINITY]
            .into_iter()
            .flat_map(|number| [Heads::Goal(Numbering::AlphaZero), Heads::Moves].map(|heads| (number, heads)))
        {
            let mut prediction = Prediction::default();
            for (place, shape) in heads.outputs().iter().enumerate() {
                prediction.read(place, &vec![broken; shape[0]], &query, heads);
            }
            assert_eq!(prediction.logits, vec![f32::NEG_INFINITY; moves.len()]);
            assert!(prediction.action_values.iter().all(|value| (0.0..=1.0).contains(value)));
            assert!((0.0..=1.0).contains(&prediction.value));
            assert!((prediction.result.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
}
