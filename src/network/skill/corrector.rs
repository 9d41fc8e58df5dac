use ndarray::{Array1, Array2, ArrayView2};

use super::{Layer, Skill};
use crate::encoding::skill::FEATURES;

/// The network of a skill, ready to be run.
pub struct Corrector {
    /// Of each layer the weights, `[inputs, outputs]`, and the biases.
    layers: Vec<(Array2<f32>, Array1<f32>)>,
}

impl Corrector {
    /// That of a sound skill.
    pub fn new(skill: &Skill) -> Corrector {
        let matrices = |Layer { weights, biases }: &Layer| {
            let inputs = weights.first().map_or(0, Vec::len);
            let transposed =
                Array2::from_shape_fn((inputs, weights.len()), |(input, output)| weights[output][input]);
            (transposed, Array1::from(biases.clone()))
        };
        Corrector { layers: skill.layers.iter().map(matrices).collect() }
    }

    /// What is added to the logarithm of each move's probability; `rows` has the features of the moves, one after
    /// another.
    pub fn corrections(&self, rows: &[f32]) -> Vec<f32> {
        let rows = rows.as_chunks::<FEATURES>().0.as_flattened();
        let rows = ArrayView2::from_shape((rows.len() / FEATURES, FEATURES), rows).expect("whole rows");
        let mut flow = rows.to_owned();
        for (index, (weights, biases)) in self.layers.iter().enumerate() {
            flow = flow.dot(weights) + biases;
            if index + 1 < self.layers.len() {
                flow.mapv_inplace(|number| number.max(0.0));
            }
        }
        flow.column(0).to_vec()
    }
}
