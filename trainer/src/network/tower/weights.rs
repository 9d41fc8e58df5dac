use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::{Device, Kind, Tensor};

use super::{Init, Tower, WeightShape, graph::Shapes};

/// The trainable numbers of a tower, in one row, so that an optimiser works on all at once.
#[derive(Debug)]
pub struct Weights {
    shapes: Vec<WeightShape>,
    flat: Tensor,
}

impl Tower {
    /// The shapes of its weights, in order.
    pub fn weight_shapes(&self) -> Vec<WeightShape> {
        let mut shapes = Shapes::default();
        self.build(&mut shapes, &(), &());
        shapes.0
    }
}

impl WeightShape {
    fn count(&self) -> i64 {
        self.sizes.iter().product()
    }
}

impl Weights {
    /// How many numbers `tower` trains.
    pub fn count(tower: &Tower) -> i64 {
        tower.weight_shapes().iter().map(WeightShape::count).sum()
    }

    /// Random, as the layers' [`Init`] says.
    pub fn random(tower: &Tower, device: Device, seed: i64) -> Weights {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let shapes = tower.weight_shapes();
        let mut numbers: Vec<f32> = Vec::new();
        for shape in &shapes {
            // Uniform, of He's variance 2 / numbers summed (He et al. 2015).
            let bound = match (shape.init, shape.fan_in) {
                (Init::He, Some(fan_in)) => (6.0 / fan_in as f32).sqrt(),
                _ => 0.0,
            };
            numbers.extend((0..shape.count()).map(|_| rng.random_range(-bound..=bound)));
        }
        Weights { shapes, flat: Tensor::from_slice(&numbers).to_device(device) }
    }

    /// The weights of `tower` with these numbers.
    ///
    /// # Panics
    /// If there are too many or too few.
    pub fn of(tower: &Tower, flat: Tensor) -> Weights {
        assert_eq!(flat.size(), [Weights::count(tower)], "the row of another network");
        Weights { shapes: tower.weight_shapes(), flat }
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
