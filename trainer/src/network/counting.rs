//! Weights with which a network counts White's men. They are fixed in training.

use entente_network::encoding::thesis::{BOARD_PLANES, WHITE_PLANES};
use tch::Tensor;

use super::{Architecture, Layer, Parameters};

const KINDS: i64 = WHITE_PLANES.len() as i64;
/// The number of layers with counting weights: the convolutions and the first linear layer.
const LAYERS: usize = KERNELS.len() + 1;

/// The rows, and also the columns, of the kernels of three successive convolutions that together count men.
///
/// Their product as polynomials is 1 + x² + x⁴ + x⁶. After the convolutions, two rows of the board are left. The first
/// one sees the board's rows 0 to 6, and the second one rows 1 to 7. In their sum, every row of the board has the
/// weight 1. No intermediate sum is negative, so the ReLUs change nothing.
const KERNELS: [[f64; 3]; 3] =
    [[1.0, 0.0, 1.0], [1.0, std::f64::consts::SQRT_2, 1.0], [1.0, -std::f64::consts::SQRT_2, 1.0]];

impl Architecture {
    /// True if [`Parameters::counting`] works for this architecture: three convolutions without pooling, then two
    /// linear layers, with a ReLU after each of these layers except the last.
    pub fn counts(&self) -> bool {
        use Layer::{Conv2d, Flatten, Linear, Relu};
        matches!(
            self.layers(),
            [
                Conv2d { .. },
                Relu,
                Conv2d { .. },
                Relu,
                Conv2d { .. },
                Relu,
                Flatten,
                Linear { .. },
                Relu,
                Linear { .. }
            ]
        )
    }
}

impl Parameters {
    /// Sets ten channels of every convolution and ten outputs of the first linear layer so that these outputs count
    /// men: White's surplus queens, rooks, bishops, knights and pawns, and then its missing ones.
    ///
    /// A search prefers the moves that the network values most, so it finds the boards on which the network miscounts,
    /// and learned sums over the board stay inexact for a long time. Training must not change the counting weights (see
    /// [`Parameters::clear_counting`]): if they are only initial values, the first steps already spoil them.
    ///
    /// # Panics
    ///
    /// If [`Architecture::counts`] is false.
    pub fn counting(self, architecture: &Architecture) -> Parameters {
        assert!(architecture.counts(), "{} cannot count", architecture.name());
        self.clear_counting();
        for (layer, kernel) in KERNELS.iter().enumerate() {
            let weight = self.weight(layer);
            let weight = weight.view([3, 3, -1, weight.size()[1]]);
            for (kind, plane) in (0..KINDS).zip(WHITE_PLANES) {
                let (men, wanted) = if layer == 0 {
                    (plane as i64, BOARD_PLANES as i64 + kind)
                } else {
                    (kind, KINDS + kind)
                };
                for row in 0..3 {
                    for column in 0..3 {
                        set(
                            &weight,
                            &[row, column, men, kind],
                            kernel[row as usize] * kernel[column as usize],
                        );
                    }
                }
                set(&weight, &[1, 1, wanted, KINDS + kind], 1.0);
            }
        }
        let weight = self.weight(KERNELS.len());
        // The dimensions are output, channel and square: each channel has four squares left.
        let weight = weight.view([weight.size()[0], -1, 4]);
        for kind in 0..KINDS {
            for (output, sign) in [(kind, 1.0), (KINDS + kind, -1.0)] {
                for place in 0..4 {
                    set(&weight, &[output, kind, place], sign);
                    set(&weight, &[output, KINDS + kind, place], -sign / 4.0);
                }
            }
        }
        self
    }

    /// In gradients, sets to zero the entries for the weights that [`Parameters::counting`] sets: the weights and
    /// biases of the first ten outputs of each layer except the last.
    pub fn clear_counting(&self) {
        for layer in 0..LAYERS {
            let outputs = if self.is_convolution(layer) { 1 } else { 0 };
            let _ = self.weight(layer).narrow(outputs, 0, 2 * KINDS).zero_();
            let _ = self.bias(layer).narrow(0, 0, 2 * KINDS).zero_();
        }
    }
}

fn set(tensor: &Tensor, index: &[i64], value: f64) {
    let place = index.iter().fold(tensor.shallow_clone(), |tensor, index| tensor.get(*index));
    let _ = { place }.fill_(value);
}

#[cfg(test)]
mod tests {
    use entente_constraint::thesis::SEVENTEEN;
    use entente_network::encoding::thesis::{LENGTH, bitmaps, encode};
    use shakmaty::{Chess, Position};
    use tch::Device;

    use super::*;
    use crate::{network::forward, samples::tests::random_game};

    #[test]
    fn the_hidden_outputs_are_the_numbers_of_surplus_and_missing_men() {
        let network = Architecture::named("thesis-2").unwrap();
        let parameters = Parameters::random(&network, Device::Cpu, 3).counting(&network);
        // The positions of a game, each with one of the constraints. The last layer is set to show one hidden output at
        // a time.
        let mut position = Chess::default();
        let (mut planes, mut differences) = (Vec::new(), Vec::new());
        for (ply, m) in random_game(5, 200).into_iter().enumerate() {
            position.play_unchecked(m);
            let board = bitmaps(position.board());
            let wanted = &SEVENTEEN[ply % SEVENTEEN.len()];
            let mut input = [0.0; LENGTH];
            encode(&board, wanted, &mut input);
            planes.extend(input);
            differences.push(std::array::from_fn::<f32, 5, _>(|kind| {
                board[WHITE_PLANES[kind]].count() as f32 - f32::from(wanted[kind])
            }));
        }
        let planes = Tensor::from_slice(&planes).view([-1, 17, 8, 8]);
        let _ = parameters.bias(4).zero_();
        for output in 0..10 {
            let _ = parameters.weight(4).zero_();
            set(&parameters.weight(4), &[0, output as i64], 1.0);
            let shown: Vec<f32> = forward(&network, &parameters, &planes).try_into().unwrap();
            let sign = if output < 5 { 1.0 } else { -1.0 };
            for (shown, differences) in shown.into_iter().zip(&differences) {
                let expected = (sign * differences[output % 5]).max(0.0);
                assert!((shown - expected).abs() < 1e-4, "output {output}: {shown}, {differences:?}");
            }
        }
        assert!(differences.iter().any(|difference| difference.iter().any(|number| *number < 0.0)));
    }

    #[test]
    fn pooled_networks_cannot_count() {
        assert!(!Architecture::named("thesis-1").unwrap().counts());
    }
}
