use shakmaty::{Chess, Move, Position};

use super::{
    NetworkError, NetworkKind,
    model::{Model, ModelSession},
};
use crate::encoding::{
    goal_policy::{Aim, Context, FEATURES, FIRST_FEATURES, PLANES, encode},
    moves::{AlphaZero, MoveEncoding},
    softmax,
};

/// A goal-conditioned policy, optimised by tract for batches of one.
///
/// Inputs `[1, 51, 8, 8]` and `[1, 110]`, or `[1, 102]`, the first of these (see [`crate::encoding::goal_policy`]); outputs, all logits: moves `[1, 4672]`,
/// the chance of reaching the goal after each move `[1, 4672]`, that chance now `[1, 1]`, and won, drawn, lost
/// `[1, 3]`.
#[derive(Debug)]
pub struct Policy {
    model: Model,
    /// How many features it reads.
    features: usize,
}

/// What a policy says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// A logit for each legal move.
    pub logits: Vec<f32>,
    /// For each legal move the chance that the aim is reached in time, in [0, 1].
    pub action_values: Vec<f32>,
    /// The chance that the aim is reached in time, in [0, 1].
    pub value: f32,
    /// The chances that the mover wins, draws and loses.
    pub result: [f32; 3],
}

impl NetworkKind for Policy {
    const EMBEDDED: &'static [(&'static str, &'static [u8])] =
        &[("goal-policy", include_bytes!("../../models/goal-policy.onnx"))];
    const DEFAULT: &'static str = "goal-policy";

    fn from_bytes(name: &str, bytes: &[u8]) -> Result<Policy, NetworkError> {
        let moves = AlphaZero::SIZE;
        let outputs: [&[usize]; 4] = [&[1, moves], &[1, moves], &[1, 1], &[1, 3]];
        let read = |features: usize| {
            let inputs: [&[usize]; 2] = [&[1, PLANES, 8, 8], &[1, features]];
            Ok(Policy { model: Model::new(name, bytes, &inputs, &outputs)?, features })
        };
        // An older network reads the first features. What is wrong with a network of neither length is said of the present one.
        read(FEATURES).or_else(|error| read(FIRST_FEATURES).map_err(|_: NetworkError| error))
    }
}

impl Policy {
    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// A session, which every thread needs its own of.
    pub fn session(&self) -> PolicySession {
        PolicySession {
            session: self.model.session(),
            planes: vec![0.0; PLANES * 64],
            features: vec![0.0; self.features],
            evaluations: 0,
        }
    }
}

/// A policy at work, on one position at a time.
pub struct PolicySession {
    session: ModelSession,
    planes: Vec<f32>,
    features: Vec<f32>,
    /// Positions evaluated so far.
    pub evaluations: u64,
}

impl PolicySession {
    /// Writes what the policy says of `position` to `opinion`; `legal` are its legal moves.
    ///
    /// A logit that is no finite number becomes −∞, a probability that is none becomes 0.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute it.
    pub fn evaluate(
        &mut self,
        position: &Chess,
        context: &Context,
        aim: &Aim,
        legal: &[Move],
        opinion: &mut Opinion,
    ) -> Result<(), NetworkError> {
        self.run(position, context, aim, |output, numbers| opinion.read(output, numbers, position, legal))
    }

    /// The same, and the logits of all moves, [`AlphaZero::SIZE`] of them, illegal ones among them.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute it.
    pub fn evaluate_all(
        &mut self,
        position: &Chess,
        context: &Context,
        aim: &Aim,
        legal: &[Move],
    ) -> Result<(Opinion, Vec<f32>), NetworkError> {
        let (mut opinion, mut all) = (Opinion::default(), Vec::new());
        self.run(position, context, aim, |output, numbers| {
            if output == POLICY {
                all = finite(numbers.iter().copied());
            }
            opinion.read(output, numbers, position, legal);
        })?;
        Ok((opinion, all))
    }

    fn run(
        &mut self,
        position: &Chess,
        context: &Context,
        aim: &Aim,
        read: impl FnMut(usize, &[f32]),
    ) -> Result<(), NetworkError> {
        encode(position, context, aim, &mut self.planes, &mut self.features);
        self.evaluations += 1;
        self.session.run(&[&self.planes, &self.features], read)
    }
}

/// The places of the outputs; the result is the last.
const POLICY: usize = 0;
const ACTION_VALUE: usize = 1;
const VALUE: usize = 2;

impl Opinion {
    /// Takes what the output at that place says.
    fn read(&mut self, output: usize, numbers: &[f32], position: &Chess, legal: &[Move]) {
        let mover = position.turn();
        let of_moves = legal.iter().map(|m| numbers[usize::from(AlphaZero::encode(*m, mover).0)]);
        match output {
            POLICY => self.logits = finite(of_moves),
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

/// The logits, with −∞ for what is no finite number.
fn finite(logits: impl Iterator<Item = f32>) -> Vec<f32> {
    logits.map(|logit| if logit.is_finite() { logit } else { f32::NEG_INFINITY }).collect()
}

/// 1 / (1 + e⁻ˣ); 0 for what is no number.
fn sigmoid(logit: f32) -> f32 {
    if logit.is_nan() { 0.0 } else { 1.0 / (1.0 + (-logit).exp()) }
}
