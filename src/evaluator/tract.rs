use shakmaty::{Chess, Move, Position};
use tract_onnx::prelude::*;

use super::{Evaluator, Network, NetworkError};
use crate::{
    constraint::{Goal, thesis::Counts},
    encoding::thesis,
};

/// A network's evaluation on the CPU through tract, one position at a time: for convolutions on 8×8
/// boards tract is fastest at a static batch of one.
pub struct Tract {
    state: TypedSimpleState,
    input: Tensor,
    counts: Counts,
}

impl Tract {
    /// The evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the goal is not exact counts of White, [`NetworkError::Model`] if tract
    /// cannot start the network.
    pub fn new(network: &Network, goal: &Goal) -> Result<Tract, NetworkError> {
        let counts =
            goal.exact_white().ok_or_else(|| NetworkError::Unreadable { name: network.name().to_owned() })?;
        let model_error = |error: TractError| NetworkError::Model {
            name: network.name().to_owned(),
            reason: format!("{error:#}"),
        };
        let [planes, rows, columns] = thesis::SHAPE;
        Ok(Tract {
            state: network.plan().spawn().map_err(model_error)?,
            input: Tensor::zero::<f32>(&[1, planes, rows, columns]).map_err(model_error)?,
            counts,
        })
    }

    /// The network's output for one position.
    pub fn evaluate(&mut self, position: &Chess) -> f32 {
        const RAN_AT_LOAD: &str = "the network ran when it was loaded, and its shapes are static";
        let mut planes = self.input.as_plain_ram_mut().expect(RAN_AT_LOAD);
        let planes = planes.as_slice_mut::<f32>().expect(RAN_AT_LOAD);
        thesis::encode(&thesis::bitmaps(position.board()), &self.counts, planes);
        let output = self.state.run(tvec!(self.input.clone().into())).expect(RAN_AT_LOAD);
        let value = output[0].view().as_slice::<f32>().expect(RAN_AT_LOAD)[0];
        // A network with broken weights must not poison comparisons.
        if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl Evaluator for Tract {
    fn evaluate_moves(&mut self, position: &Chess, moves: &[Move], values: &mut Vec<f32>) {
        values.extend(moves.iter().map(|&m| {
            let mut child = position.clone();
            child.play_unchecked(m);
            self.evaluate(&child)
        }));
    }
}
