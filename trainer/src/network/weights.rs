//! How the weights of layers begin.

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::{Device, Kind, Tensor};

/// How the weights of a layer begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// Normal with variance 2 / inputs (He et al. 2015).
    He,
    /// All zero: the layer says nothing at first.
    Zero,
    /// All one: the layer changes nothing at first.
    One,
}

/// The shape of one tensor of weights, as PyTorch and ONNX write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightShape {
    /// Its sizes.
    pub sizes: Vec<i64>,
    /// Numbers that each output sums over; `None` for biases, which begin as zero.
    pub fan_in: Option<i64>,
    /// How it begins.
    pub init: Init,
}

impl WeightShape {
    fn count(&self) -> i64 {
        self.sizes.iter().product()
    }

    /// Numbers of all.
    pub fn total(shapes: &[WeightShape]) -> i64 {
        shapes.iter().map(WeightShape::count).sum()
    }
}

/// The trainable numbers of a network, in one row, so that an optimiser works on all at once.
#[derive(Debug)]
pub struct Weights {
    shapes: Vec<WeightShape>,
    flat: Tensor,
}

impl Weights {
    /// Random, as the shapes' [`Init`] says.
    pub fn random(shapes: Vec<WeightShape>, device: Device, seed: i64) -> Weights {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut numbers: Vec<f32> = Vec::new();
        for shape in &shapes {
            if shape.init == Init::One {
                numbers.extend(std::iter::repeat_n(1.0, shape.count() as usize));
                continue;
            }
            // Uniform, of He's variance 2 / numbers summed (He et al. 2015).
            let bound = match (shape.init, shape.fan_in) {
                (Init::He, Some(fan_in)) => (6.0 / fan_in as f32).sqrt(),
                _ => 0.0,
            };
            numbers.extend((0..shape.count()).map(|_| rng.random_range(-bound..=bound)));
        }
        Weights { shapes, flat: Tensor::from_slice(&numbers).to_device(device) }
    }

    /// These numbers as weights of these shapes.
    ///
    /// # Panics
    /// If there are too many or too few.
    pub fn of(shapes: Vec<WeightShape>, flat: Tensor) -> Weights {
        assert_eq!(flat.size(), [WeightShape::total(&shapes)], "the row of another network");
        Weights { shapes, flat }
    }

    /// All numbers in a row; changing them changes the network.
    pub fn flat(&self) -> &Tensor {
        &self.flat
    }

    /// The weights one after the other, as numbers of `kind`; gradients flow back to [`Weights::flat`].
    pub fn tensors(&self, kind: Kind) -> Vec<Tensor> {
        let counts: Vec<i64> = self.shapes.iter().map(WeightShape::count).collect();
        let parts = self.flat.to_kind(kind).split_with_sizes(counts, 0);
        parts.into_iter().zip(&self.shapes).map(|(part, shape)| part.view(shape.sizes.as_slice())).collect()
    }
}
