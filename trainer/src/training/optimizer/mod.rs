//! The optimizers Adam and Muon.

mod adam;

pub use adam::Adam;
use tch::{Kind, Tensor};

use crate::network::weights::{Init, WeightShape};

/// The share of its momentum that Muon keeps in each step.
const MOMENTUM: f64 = 0.95;
/// The number of Newton–Schulz steps and their coefficients, with which a few steps bring all singular values near 1
/// (Jordan et al. 2024).
const NEWTON_SCHULZ: (usize, [f64; 3]) = (5, [3.4445, -4.7750, 2.0315]);
/// The root mean square of the elements of Muon's updates. It is that of Adam's, so that the same learning rate works
/// for both (Liu et al. 2025, "Muon is scalable for LLM training").
const ROOT_MEAN_SQUARE: f64 = 0.2;

/// Updates a row of weights.
#[derive(Debug)]
pub struct Optimizer {
    /// Adam's first moments; for matrices, Muon's momentum.
    pub first: Tensor,
    /// Adam's second moments.
    pub second: Tensor,
    /// Groups of matrices of the same size. A group is processed in one batched multiplication, because separate calls
    /// would take longer than the work itself.
    matrices: Vec<Vec<Part>>,
    /// The parts of the row between the matrices.
    rest: Vec<Part>,
    kind: Kind,
    /// The factor of the learning rate of each weight; `None`: 1 for all.
    factors: Option<Tensor>,
}

/// A part of the row, as a matrix with `rows` rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    start: i64,
    length: i64,
    rows: i64,
}

impl Part {
    fn of(self, row: &Tensor) -> Tensor {
        row.narrow(0, self.start, self.length)
    }
}

impl Optimizer {
    /// Updates weights like `weights` with Adam.
    pub fn adam(weights: &Tensor) -> Optimizer {
        let rest = vec![Part { start: 0, length: weights.size()[0], rows: 1 }];
        let Adam { first, second } = Adam::new(weights);
        Optimizer { first, second, matrices: Vec::new(), rest, kind: Kind::Float, factors: None }
    }

    /// The same with a factor of the learning rate for each weight. Muon ignores it for matrices.
    pub fn with_factors(self, factors: Option<Tensor>) -> Optimizer {
        Optimizer { factors, ..self }
    }

    /// Updates weights like `weights`, which have these shapes: 3×3 convolutions with Muon, the rest with Adam.
    /// Matrices are multiplied in the precision `kind`.
    pub fn muon(weights: &Tensor, shapes: &[WeightShape], kind: Kind) -> Optimizer {
        let (mut matrices, mut rest): (Vec<Vec<Part>>, Vec<Part>) = Default::default();
        let mut start = 0;
        for shape in shapes {
            let (length, rows) = (shape.sizes.iter().product(), shape.sizes[0]);
            let part = Part { start, length, rows };
            start += part.length;
            if !shape.sizes.ends_with(&[3, 3]) || shape.init != Init::He {
                rest.push(part);
                continue;
            }
            let like = |group: &&mut Vec<Part>| (group[0].length, group[0].rows) == (part.length, part.rows);
            match matrices.iter_mut().find(like) {
                Some(group) => group.push(part),
                None => matrices.push(vec![part]),
            }
        }
        merge(&mut rest);
        Optimizer { matrices, rest, kind, ..Optimizer::adam(weights) }
    }

    /// Does one step of `weights` against `gradient`. `step` is the number of the step, counted from 1.
    pub fn step(&mut self, weights: &Tensor, gradient: &Tensor, step: u64, learning_rate: f64) {
        let _guard = tch::no_grad_guard();
        for part in &self.rest {
            let mut adam = Adam { first: part.of(&self.first), second: part.of(&self.second) };
            let factors = self.factors.as_ref().map(|factors| part.of(factors));
            adam.step(&part.of(weights), &part.of(gradient), step, learning_rate, factors.as_ref());
        }
        for group in &self.matrices {
            let ahead: Vec<Tensor> = group
                .iter()
                .map(|part| {
                    let (mut momentum, gradient) = (part.of(&self.first), part.of(gradient));
                    let _ = momentum.lerp_(&gradient, 1.0 - MOMENTUM);
                    // Nesterov momentum: look one step ahead.
                    gradient.lerp(&momentum, MOMENTUM).view([part.rows, -1])
                })
                .collect();
            let ahead = Tensor::stack(&ahead, 0);
            let size = ahead.size();
            let scale = ROOT_MEAN_SQUARE * (size[1].max(size[2]) as f64).sqrt();
            let updates = orthogonal(&ahead, self.kind) * (-learning_rate * scale);
            for (part, update) in group.iter().zip(updates.unbind(0)) {
                let _ = part.of(weights).g_add_(&update.reshape(-1));
            }
        }
    }
}

/// Merges adjacent parts.
fn merge(parts: &mut Vec<Part>) {
    parts.dedup_by(|next, last| {
        let is_next = last.start + last.length == next.start;
        if is_next {
            last.length += next.length;
        }
        is_next
    });
}

/// The matrices [count, rows, columns] with their singular values changed to nearly 1 (about 0.7 to 1.2), in 32 bits.
fn orthogonal(matrices: &Tensor, kind: Kind) -> Tensor {
    let (steps, [a, b, c]) = NEWTON_SCHULZ;
    let size = matrices.size();
    let is_tall = size[1] > size[2];
    let matrices = if is_tall { matrices.transpose(1, 2) } else { matrices.shallow_clone() };
    let norms = matrices.square().sum_dim_intlist([1i64, 2].as_slice(), true, Kind::Float).sqrt();
    let mut x = (matrices / norms.clamp_min(1e-20)).to_kind(kind);
    for _ in 0..steps {
        let square = x.matmul(&x.transpose(1, 2));
        let polynomial = &square * b + square.matmul(&square) * c;
        x = &x * a + polynomial.matmul(&x);
    }
    let x = x.to_kind(Kind::Float);
    if is_tall { x.transpose(1, 2) } else { x }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
    use tch::Device;

    use super::*;
    use crate::network::tower::Tower;

    const TOWER: Tower = Tower::TINY;

    #[test]
    fn each_weight_learns_at_its_own_rate() {
        let weights = Tensor::from_slice(&[0.5_f32, -0.25, 1.0, 2.0]);
        let moved = |optimizer: &mut Optimizer| {
            let moved = weights.copy();
            optimizer.step(&moved, &weights.ones_like(), 1, 1e-3);
            Vec::<f32>::try_from(&weights - moved).unwrap()
        };
        let alike = moved(&mut Optimizer::adam(&weights));
        let factors = [1.0_f32, 0.0, 0.5, 10.0];
        let apart = moved(&mut Optimizer::adam(&weights).with_factors(Some(Tensor::from_slice(&factors))));
        for ((alike, apart), factor) in alike.iter().zip(&apart).zip(factors) {
            assert!(
                (alike - 1e-3).abs() < 1e-6 && (apart - factor * alike).abs() < 1e-6,
                "{factor}: {apart}"
            );
        }
    }

    #[test]
    fn singular_values_become_nearly_1_for_every_shape() {
        // Use fixed random numbers, because a few square matrices have a singular value that is too small to be raised.
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for sizes in [[6, 40], [40, 6], [12, 12]] {
            let numbers: Vec<f32> =
                (0..2 * sizes[0] * sizes[1]).map(|_| rng.random_range(-3.0..3.0)).collect();
            let matrices = Tensor::from_slice(&numbers).view([2, sizes[0], sizes[1]]);
            let (_, values, _) = orthogonal(&matrices, Kind::Float).svd(true, false);
            let (least, most) = (values.min().double_value(&[]), values.max().double_value(&[]));
            assert!(least > 0.3 && most < 1.3, "{sizes:?}: {least} to {most}");
        }
    }

    #[test]
    fn muon_moves_every_weight_and_lowers_a_loss() {
        let weights = TOWER.random(Device::Cpu, 1).flat().copy();
        let target = weights.rand_like() - 0.5;
        let loss = |row: &Tensor| (row - &target).square().mean(Kind::Float).double_value(&[]);
        let (before, first) = (loss(&weights), weights.copy());
        let mut optimizer = Optimizer::muon(&weights, &TOWER.weight_shapes(), Kind::Float);
        assert!(!optimizer.matrices.is_empty() && !optimizer.rest.is_empty());
        optimizer.step(&weights, &(&weights - &target), 1, 1e-3);
        let moved = (&weights - &first).abs().gt(0.0).to_kind(Kind::Float).mean(Kind::Float);
        assert!(moved.double_value(&[]) > 0.999, "{moved:?}");
        (2..=100).for_each(|step| optimizer.step(&weights, &(&weights - &target), step, 1e-2));
        assert!(loss(&weights) < 0.5 * before, "{} from {before}", loss(&weights));
    }
}
