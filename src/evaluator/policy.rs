use std::path::Path;

use shakmaty::{Chess, Move, Position};

use super::{
    Network, NetworkError,
    model::{Model, ModelSession},
};
use crate::encoding::{
    goal_policy::{Aim, Context, FEATURES, PLANES, encode},
    moves::{AlphaZero, MoveEncoding},
};

/// The policies in the program, by name.
pub const POLICIES: [(&str, &[u8]); 1] = [("goal-policy", include_bytes!("../../models/goal-policy.onnx"))];

/// A goal-conditioned policy, optimised by tract for batches of one.
///
/// Inputs `[1, 40, 8, 8]` and `[1, 102]` (see [`crate::encoding::goal_policy`]); outputs, all logits: moves `[1, 4672]`,
/// the chance of reaching the goal after each move `[1, 4672]`, that chance now `[1, 1]`, and won, drawn, lost
/// `[1, 3]`.
#[derive(Debug)]
pub struct Policy {
    model: Model,
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

impl Policy {
    /// The embedded policy of that name, or else the file at that path.
    ///
    /// # Errors
    /// [`NetworkError`] if there is no such file, or it is not a network of this kind.
    pub fn open(name_or_path: &str) -> Result<Policy, NetworkError> {
        match POLICIES.iter().find(|(name, _)| *name == name_or_path) {
            Some((name, bytes)) => Policy::from_bytes(name, bytes),
            None => Policy::load(Path::new(name_or_path)),
        }
    }

    /// Loads the ONNX file at `path`.
    ///
    /// # Errors
    /// [`NetworkError`] if it cannot be read or is not a network of this kind.
    pub fn load(path: &Path) -> Result<Policy, NetworkError> {
        Policy::from_bytes(&path.display().to_string(), &Network::read_file(path)?)
    }

    /// Reads an ONNX model and runs it once, so that a policy that loads also works.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Policy, NetworkError> {
        let moves = AlphaZero::SIZE;
        let inputs: [&[usize]; 2] = [&[1, PLANES, 8, 8], &[1, FEATURES]];
        let outputs: [&[usize]; 4] = [&[1, moves], &[1, moves], &[1, 1], &[1, 3]];
        Ok(Policy { model: Model::new(name, bytes, &inputs, &outputs)? })
    }

    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// A session, which every thread needs its own of.
    pub fn session(&self) -> PolicySession {
        PolicySession {
            session: self.model.session(),
            planes: vec![0.0; PLANES * 64],
            features: vec![0.0; FEATURES],
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
        encode(position, context, aim, &mut self.planes, &mut self.features);
        self.evaluations += 1;
        let mover = position.turn();
        let of_moves = |output: &[f32]| -> Vec<f32> {
            legal.iter().map(|m| output[usize::from(AlphaZero::encode(*m, mover).0)]).collect()
        };
        self.session.run(&[&self.planes, &self.features], |index, output| match index {
            0 => {
                opinion.logits = finite(of_moves(output).into_iter());
            }
            1 => {
                opinion.action_values = of_moves(output);
                opinion.action_values.iter_mut().for_each(|logit| *logit = sigmoid(*logit));
            }
            2 => opinion.value = sigmoid(output[0]),
            _ => {
                let chances = [output[0], output[1], output[2]]
                    .map(|logit| if logit.is_finite() { logit } else { 0.0 });
                let chances = crate::encoding::softmax(&chances);
                opinion.result = [chances[0], chances[1], chances[2]];
            }
        })
    }
}

impl PolicySession {
    /// The logits of all moves, [`AlphaZero::SIZE`] of them, illegal ones among them; what is no finite number is −∞.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute them.
    pub fn raw(&mut self, position: &Chess, context: &Context, aim: &Aim) -> Result<Vec<f32>, NetworkError> {
        encode(position, context, aim, &mut self.planes, &mut self.features);
        self.evaluations += 1;
        let mut logits = Vec::new();
        self.session.run(&[&self.planes, &self.features], |index, output| {
            if index == 0 {
                logits = finite(output.iter().copied());
            }
        })?;
        Ok(logits)
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
