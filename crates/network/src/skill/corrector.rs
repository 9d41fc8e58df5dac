use entente_search::vectors::{LANES, Vector, Work, for_vectors, load, store};

use super::{Layer, Skill};
use crate::{
    encoding::skill::FEATURES,
    product::{Strided, product, right_side},
};

/// The network of a skill, prepared for running.
pub struct Corrector {
    layers: Vec<Matrix>,
}

/// A fully connected layer.
struct Matrix {
    inputs: usize,
    /// The right matrix of the product: see [`right_side`].
    weights: Vec<f32>,
    /// One for each output, padded to a multiple of [`LANES`].
    biases: Vec<f32>,
}

impl Corrector {
    /// The corrector of a valid skill.
    pub fn new(skill: &Skill) -> Corrector {
        let matrix = |Layer { weights, biases }: &Layer| {
            let inputs = weights.first().map_or(0, Vec::len);
            let mut padded = biases.clone();
            padded.resize(biases.len().next_multiple_of(LANES), 0.0);
            Matrix { inputs, weights: right_side(&weights.concat(), inputs, biases.len()), biases: padded }
        };
        Corrector { layers: skill.layers.iter().map(matrix).collect() }
    }

    /// The numbers to add to the logarithms of the moves' probabilities, one for each move. `rows` has the
    /// [`FEATURES`] of the moves, one move after another.
    pub fn corrections(&self, rows: &[f32]) -> Vec<f32> {
        let rows = rows.as_chunks::<FEATURES>().0;
        let mut corrections = Vec::new();
        for_vectors(Correcting { corrector: self, rows, corrections: &mut corrections });
        corrections
    }
}

/// The arguments of the vectorised computation.
struct Correcting<'a> {
    corrector: &'a Corrector,
    rows: &'a [[f32; FEATURES]],
    corrections: &'a mut Vec<f32>,
}

impl Work for Correcting<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Correcting { corrector: Corrector { layers }, rows, corrections } = self;
        // The outputs of the previous layer, and the distance between their rows.
        let (mut flow, mut stride) = (rows.as_flattened().to_vec(), FEATURES);
        for (number, Matrix { inputs, weights, biases }) in layers.iter().enumerate() {
            debug_assert!(*inputs <= stride);
            let wide = biases.len();
            let mut outputs = vec![0.0; rows.len() * wide];
            let left = Strided { numbers: &flow, rows: stride, columns: 1 };
            product::<V, GROUPS>(left, rows.len(), weights, wide, |row, first, sum| {
                store(sum.add(load(biases, first)), &mut outputs, row * wide + first);
            });
            if number + 1 < layers.len() {
                outputs.iter_mut().for_each(|number| *number = number.max(0.0));
            }
            (flow, stride) = (outputs, wide);
        }
        corrections.extend(flow.iter().step_by(stride));
    }
}
