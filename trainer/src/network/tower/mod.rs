//! The residual tower of the goal-conditioned policy.
//!
//! [`Tower::build`] describes the network once, with the operations of [`Graph`]. One implementation of [`Graph`] lists
//! the shapes of the weights, one computes the outputs, and one writes the ONNX file.

mod compute;
mod graph;

pub use compute::Compute;
use entente_network::encoding::{
    goal_policy::{FEATURES, FIRST_PLANES},
    moves::{AlphaZero, Lc0Planes, MoveEncoding as _},
};

pub use graph::Graph;
use serde::{Deserialize, Serialize};
use shakmaty::{Color, Move};
use tch::{Device, Tensor};

use super::weights::{Init, WeightShape, Weights};

/// Number of moves from a square in AlphaZero's encoding.
pub const MOVE_PLANES: i64 = AlphaZero::PLANES as i64;
/// Number of channels from which the satisfaction value and the result are computed.
const VALUE_CHANNELS: i64 = 8;

/// The sizes of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tower {
    /// Number of channels of every convolution.
    pub channels: i64,
    /// Number of residual blocks.
    pub blocks: i64,
    /// Number of values to which the features are condensed.
    pub condition: i64,
    /// Number of values in the squeeze-and-excitation of a block.
    pub squeeze: i64,
    /// Number of channels of the 3×3 convolution in a block with a bottleneck; 0: two 3×3 convolutions without a
    /// bottleneck.
    #[serde(default)]
    pub bottleneck: i64,
    /// Number of planes that the tower reads, the first ones of the input.
    #[serde(default = "first_planes", skip_serializing_if = "is_first_planes")]
    pub planes: i64,
    /// Size of the kernels of the policy head, 1 or 3.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub head: i64,
    /// True if its moves are those of [`Lc0Planes`], so that it can begin with a network of Leela Chess Zero; otherwise
    /// they are those of [`AlphaZero`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lc0_moves: bool,
    /// Number of residual trunks side by side. They share the condensed features. The logits of moves are the sum over
    /// the trunks, each of whose heads is scaled by a function of the features. The other outputs read the first trunk.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub trunks: i64,
}

fn first_planes() -> i64 {
    FIRST_PLANES as i64
}

fn is_first_planes(planes: &i64) -> bool {
    *planes == first_planes()
}

fn one() -> i64 {
    1
}

fn is_one(number: &i64) -> bool {
    *number == 1
}

/// The outputs of the network.
#[derive(Clone, Debug)]
pub struct Outputs<T> {
    /// Logits of all moves [batch, 4672], including illegal ones.
    pub policy: T,
    /// Logits of reaching the goal in time after each move [batch, 4672]. If [`Compute`] has origin squares, only after
    /// the moves from these squares [batch, 73].
    pub action_value: T,
    /// Logit of reaching the goal in time [batch, 1].
    pub value: T,
    /// Logits of a win, a draw and a loss for the mover [batch, 3].
    pub result: T,
}

impl Tower {
    /// A small tower for tests, which they vary.
    #[cfg(test)]
    pub(crate) const TINY: Tower = Tower {
        channels: 8,
        blocks: 1,
        condition: 8,
        squeeze: 4,
        bottleneck: 0,
        planes: FIRST_PLANES as i64,
        head: 1,
        lc0_moves: false,
        trunks: 1,
    };

    /// Builds the network from `planes` [batch, [`Tower::planes`], 8, 8] and `features` [batch, FEATURES].
    ///
    /// Each block condenses its channels to their means, adds the condensed features, and scales and shifts the
    /// channels by the result (squeeze-and-excitation, Hu et al. 2018, with the shift of FiLM, Perez et al. 2018).
    pub fn build<G: Graph>(&self, graph: &mut G, planes: &G::Flow, features: &G::Flow) -> Outputs<G::Flow> {
        let Tower { channels, condition, head, .. } = *self;
        let row = graph.linear(features, FEATURES as i64, condition, Init::He);
        let row = graph.relu(&row);
        let row = graph.linear(&row, condition, condition, Init::He);
        let row = graph.relu(&row);

        let flow = self.trunk(graph, planes, &row);
        let others: Vec<G::Flow> = (1..self.trunks).map(|_| self.trunk(graph, planes, &row)).collect();
        let is_scaled = self.trunks > 1;
        let mut policy = self.move_head(graph, &flow, &row, head, is_scaled);
        for other in &others {
            let other = self.move_head(graph, other, &row, head, is_scaled);
            policy = graph.add(&policy, &other);
        }
        let policy = graph.moves(&policy);
        let origins = graph.of_interest(&flow);
        let action_value = self.move_head(graph, &origins, &row, 1, false);
        let action_value = graph.moves(&action_value);

        let values = graph.conv(&flow, channels, VALUE_CHANNELS, 1, Init::He);
        let values = graph.relu(&values);
        let values = graph.flatten(&values);
        let values = graph.linear(&values, VALUE_CHANNELS * 64, condition, Init::He);
        let wanted = graph.linear(&row, condition, condition, Init::He);
        let values = graph.add(&values, &wanted);
        let values = graph.relu(&values);
        let value = graph.linear(&values, condition, 1, Init::Zero);
        let result = graph.linear(&values, condition, 3, Init::Zero);
        Outputs { policy, action_value, value, result }
    }

    /// The first convolution and the residual blocks.
    fn trunk<G: Graph>(&self, graph: &mut G, planes: &G::Flow, row: &G::Flow) -> G::Flow {
        let Tower { channels, blocks, condition, squeeze, bottleneck, planes: input, .. } = *self;
        let mut flow = graph.conv(planes, input, channels, 3, Init::He);
        flow = graph.square_bias(&flow, channels);
        flow = self.shifted(graph, &flow, row, channels);
        flow = graph.relu(&flow);
        for _ in 0..blocks {
            let inner = if bottleneck > 0 {
                let inner = graph.conv(&flow, channels, bottleneck, 1, Init::He);
                let inner = graph.relu(&inner);
                let inner = graph.conv(&inner, bottleneck, bottleneck, 3, Init::He);
                let inner = graph.relu(&inner);
                graph.conv(&inner, bottleneck, channels, 1, Init::He)
            } else {
                let inner = graph.conv(&flow, channels, channels, 3, Init::He);
                let inner = graph.relu(&inner);
                graph.conv(&inner, channels, channels, 3, Init::He)
            };
            let means = graph.mean(&inner);
            let means = graph.linear(&means, channels, squeeze, Init::He);
            let wanted = graph.linear(row, condition, squeeze, Init::He);
            let squeezed = graph.add(&means, &wanted);
            let squeezed = graph.relu(&squeezed);
            let gate = graph.linear(&squeezed, squeeze, channels, Init::Zero);
            let gate = graph.sigmoid(&gate);
            let shift = graph.linear(&squeezed, squeeze, channels, Init::Zero);
            let inner = graph.multiply_channels(&inner, &gate);
            let inner = graph.add_channels(&inner, &shift);
            flow = graph.add(&flow, &inner);
            flow = graph.relu(&flow);
        }
        flow
    }

    /// Computes a plane for each kind of move. If `is_scaled`, its hidden channels are scaled by a function of the
    /// features that is initially ½, so that the sum of two heads begins as their mean.
    fn move_head<G: Graph>(
        &self,
        graph: &mut G,
        flow: &G::Flow,
        row: &G::Flow,
        kernel: i64,
        is_scaled: bool,
    ) -> G::Flow {
        let head = graph.conv(flow, self.channels, self.channels, kernel, Init::He);
        let head = self.shifted(graph, &head, row, self.channels);
        let mut head = graph.relu(&head);
        if is_scaled {
            let scale = graph.linear(row, self.condition, self.channels, Init::Zero);
            let scale = graph.sigmoid(&scale);
            head = graph.multiply_channels(&head, &scale);
        }
        graph.conv(&head, self.channels, MOVE_PLANES, kernel, Init::Zero)
    }

    /// Shifts the channels by a linear function of the features.
    fn shifted<G: Graph>(&self, graph: &mut G, flow: &G::Flow, row: &G::Flow, channels: i64) -> G::Flow {
        let shift = graph.linear(row, self.condition, channels, Init::Zero);
        graph.add_channels(flow, &shift)
    }

    /// The name of the encoding of its moves.
    pub fn moves_name(&self) -> &'static str {
        if self.lc0_moves { Lc0Planes::NAME } else { AlphaZero::NAME }
    }

    /// The index of a move of `mover` among its outputs.
    pub fn move_index(&self, m: Move, mover: Color) -> usize {
        let index = if self.lc0_moves { Lc0Planes::encode(m, mover) } else { AlphaZero::encode(m, mover) };
        usize::from(index.0)
    }

    /// The shapes of the weights, in order.
    pub fn weight_shapes(&self) -> Vec<WeightShape> {
        let mut shapes = graph::Shapes::default();
        self.build(&mut shapes, &(), &());
        shapes.0
    }

    /// The number of trainable weights.
    pub fn count(&self) -> i64 {
        WeightShape::total(&self.weight_shapes())
    }

    /// Random initial weights.
    pub fn random(&self, device: Device, seed: i64) -> Weights {
        Weights::random(self.weight_shapes(), device, seed)
    }

    /// Weights from a row of numbers.
    ///
    /// # Panics
    ///
    /// If the row has another length.
    pub fn weights(&self, flat: Tensor) -> Weights {
        Weights::of(self.weight_shapes(), flat)
    }
}
