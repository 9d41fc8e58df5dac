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
        tch::manual_seed(seed);
        let shapes = tower.weight_shapes();
        let parts: Vec<Tensor> = shapes
            .iter()
            .map(|shape| {
                let options = (Kind::Float, Device::Cpu);
                match (shape.init, shape.fan_in) {
                    (Init::He, Some(fan_in)) => {
                        Tensor::randn([shape.count()], options) * (2.0 / fan_in as f64).sqrt()
                    }
                    _ => Tensor::zeros([shape.count()], options),
                }
            })
            .collect();
        Weights { shapes, flat: Tensor::cat(&parts, 0).to_device(device) }
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
