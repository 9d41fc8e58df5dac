use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::{Device, Kind, Tensor};

use super::{Architecture, ParameterShape};

/// The trainable parameters of a network in one row, so that an optimizer updates all at once.
///
/// The row has the weights and then the biases, layer by layer. The weights of a convolution are stored as the matrix
/// [9 × channels in, channels out] by which its windows are multiplied, and the weights of a linear layer as [out, in].
#[derive(Debug)]
pub struct Parameters {
    shapes: Vec<ParameterShape>,
    flat: Tensor,
}

impl Parameters {
    /// The number of parameters of `architecture`.
    pub fn count(architecture: &Architecture) -> i64 {
        architecture.parameters().map(|shape| shape.fan_in * shape.output + shape.output).sum()
    }

    /// Parameters of zero, to store gradients or moments.
    pub fn zeros(architecture: &Architecture, device: Device) -> Parameters {
        let flat = Tensor::zeros([Parameters::count(architecture)], (Kind::Float, device));
        Parameters { shapes: architecture.parameters().collect(), flat }
    }

    /// Random weights and biases, uniform in ±1/√(inputs of an output), as PyTorch initialises these layers.
    pub fn random(architecture: &Architecture, device: Device, seed: i64) -> Parameters {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let shapes: Vec<ParameterShape> = architecture.parameters().collect();
        let mut numbers: Vec<f32> = Vec::new();
        for shape in &shapes {
            let bound = 1.0 / (shape.fan_in as f32).sqrt();
            let count = (shape.fan_in * shape.output + shape.output) as usize;
            numbers.extend((0..count).map(|_| rng.random_range(-bound..=bound)));
        }
        Parameters { shapes, flat: Tensor::from_slice(&numbers).to_device(device) }
    }

    /// The same network with the parameters `flat`, a row of the same length.
    ///
    /// # Panics
    ///
    /// If the length differs.
    pub fn with(&self, flat: Tensor) -> Parameters {
        assert_eq!(flat.size(), self.flat.size(), "the row belongs to another network");
        Parameters { shapes: self.shapes.clone(), flat }
    }

    /// All parameters in a row. Changing them changes the network.
    pub fn flat(&self) -> &Tensor {
        &self.flat
    }

    /// A view of the weights of the trained layer `index`, in their stored layout.
    pub fn weight(&self, index: usize) -> Tensor {
        let shape = self.shapes[index];
        let view = self.flat.narrow(0, self.start(index), shape.fan_in * shape.output);
        if shape.convolution {
            view.view([shape.fan_in, shape.output])
        } else {
            view.view([shape.output, shape.fan_in])
        }
    }

    /// A view of the biases of the trained layer `index`.
    pub fn bias(&self, index: usize) -> Tensor {
        let shape = self.shapes[index];
        self.flat.narrow(0, self.start(index) + shape.fan_in * shape.output, shape.output)
    }

    /// The weights of the trained layer `index` in the layout of PyTorch and ONNX: [out, in, 3, 3] or [out, in].
    pub fn published_weight(&self, index: usize) -> Tensor {
        let (shape, weight) = (self.shapes[index], self.weight(index));
        if shape.convolution {
            weight.view([3, 3, shape.fan_in / 9, shape.output]).permute([3, 2, 0, 1]).contiguous()
        } else {
            weight
        }
    }

    /// True if the trained layer `index` is a convolution.
    pub(super) fn is_convolution(&self, index: usize) -> bool {
        self.shapes[index].convolution
    }

    fn start(&self, index: usize) -> i64 {
        self.shapes[..index].iter().map(|shape| shape.fan_in * shape.output + shape.output).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_parameters_are_those_of_the_published_layers() {
        let head = 128 * 64 + 64 + 64 + 1;
        let first = 17 * 9 * 64 + 64;
        assert_eq!(Parameters::count(&Architecture::thesis_1()), first + 64 * 9 * 32 + 32 + head);
        let second = first + 64 * 9 * 64 + 64 + 64 * 9 * 32 + 32 + head;
        assert_eq!(Parameters::count(&Architecture::thesis_2()), second);
    }

    #[test]
    fn the_same_seed_gives_the_same_weights_within_the_bounds() {
        let network = Architecture::thesis_1();
        let (a, b) =
            (Parameters::random(&network, Device::Cpu, 5), Parameters::random(&network, Device::Cpu, 5));
        assert_eq!(a.flat(), b.flat());
        assert_ne!(*a.flat(), *Parameters::random(&network, Device::Cpu, 6).flat());
        assert!(a.weight(0).abs().max().double_value(&[]) <= 1.0 / 153f64.sqrt());
        assert_eq!(a.published_weight(0).size(), [64, 17, 3, 3]);
    }
}
