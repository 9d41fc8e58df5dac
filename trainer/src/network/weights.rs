//! Weights of layers and their initialisation.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::{Device, Kind, Tensor};

/// The initialisation of the weights of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// Uniform with the variance 2 / inputs (He et al. 2015).
    He,
    /// All zero, so that the layer has no effect at first.
    Zero,
    /// All one, so that the layer changes nothing at first.
    One,
}

/// The shape of a tensor of weights, in the layout of PyTorch and ONNX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightShape {
    /// The dimensions.
    pub sizes: Vec<i64>,
    /// The number of inputs of each output; `None` for biases, which are initially zero.
    pub fan_in: Option<i64>,
    /// The initialisation.
    pub init: Init,
}

impl WeightShape {
    fn count(&self) -> i64 {
        self.sizes.iter().product()
    }

    /// The total number of weights.
    pub fn total(shapes: &[WeightShape]) -> i64 {
        shapes.iter().map(WeightShape::count).sum()
    }
}

/// The trainable weights of a network in one row, so that an optimizer updates all at once.
#[derive(Debug)]
pub struct Weights {
    shapes: Vec<WeightShape>,
    flat: Tensor,
}

impl Weights {
    /// Random weights, according to the [`Init`] of each shape.
    pub fn random(shapes: Vec<WeightShape>, device: Device, seed: i64) -> Weights {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut numbers: Vec<f32> = Vec::new();
        for shape in &shapes {
            if shape.init == Init::One {
                numbers.extend(std::iter::repeat_n(1.0, shape.count() as usize));
                continue;
            }
            // Uniform, with the variance 2 / inputs (He et al. 2015).
            let bound = match (shape.init, shape.fan_in) {
                (Init::He, Some(fan_in)) => (6.0 / fan_in as f32).sqrt(),
                _ => 0.0,
            };
            numbers.extend((0..shape.count()).map(|_| rng.random_range(-bound..=bound)));
        }
        Weights { shapes, flat: Tensor::from_slice(&numbers).to_device(device) }
    }

    /// Weights of these shapes from a row of numbers.
    ///
    /// # Panics
    ///
    /// If the row has another length.
    pub fn of(shapes: Vec<WeightShape>, flat: Tensor) -> Weights {
        assert_eq!(flat.size(), [WeightShape::total(&shapes)], "the row belongs to another network");
        Weights { shapes, flat }
    }

    /// All weights in a row. Changing them changes the network.
    pub fn flat(&self) -> &Tensor {
        &self.flat
    }

    /// The tensors of weights in order, in the precision `kind`. Gradients flow back to [`Weights::flat`].
    pub fn tensors(&self, kind: Kind) -> Vec<Tensor> {
        let counts: Vec<i64> = self.shapes.iter().map(WeightShape::count).collect();
        let parts = self.flat.to_kind(kind).split_with_sizes(counts, 0);
        parts.into_iter().zip(&self.shapes).map(|(part, shape)| part.view(shape.sizes.as_slice())).collect()
    }
}
