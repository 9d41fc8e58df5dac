use tch::Tensor;

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-8;
/// Added to gradients and to their squares. If the gradient of a weight stays 0 (behind a ReLU that never fires), its
/// moments become subnormal numbers, on which processors compute a hundred times slower. With this constant, they stop
/// at 10⁻²⁵. The weight then moves by 10⁻²⁰ per step, which has no effect.
const FLOOR: f64 = 1e-25;

/// The optimizer Adam (Kingma and Ba 2015, algorithm 1) with the published constants β₁ = 0.9, β₂ = 0.999, ε = 10⁻⁸.
#[derive(Debug)]
pub struct Adam {
    /// First moments.
    pub first: Tensor,
    /// Second moments.
    pub second: Tensor,
}

impl Adam {
    /// Moments of zero with the shape of `parameters`.
    pub fn new(parameters: &Tensor) -> Adam {
        Adam { first: parameters.zeros_like(), second: parameters.zeros_like() }
    }

    /// Does one step of `parameters` against `gradient`. `step` is the number of the step, counted from 1. With
    /// `factors`, each parameter has the learning rate times its factor.
    pub fn step(
        &mut self,
        parameters: &Tensor,
        gradient: &Tensor,
        step: u64,
        learning_rate: f64,
        factors: Option<&Tensor>,
    ) {
        tch::no_grad(|| {
            let _ = self.first.lerp_(&(gradient + FLOOR), 1.0 - BETA_1);
            let _ = self.second.lerp_(&gradient.square().g_add_scalar_(FLOOR), 1.0 - BETA_2);
            let step = step.min(i32::MAX as u64) as i32;
            let (correction_1, correction_2) = (1.0 - BETA_1.powi(step), 1.0 - BETA_2.powi(step));
            let mut denominator = self.second.sqrt();
            let _ = denominator.g_mul_scalar_(1.0 / correction_2.sqrt()).g_add_scalar_(EPSILON);
            let _ =
                denominator.reciprocal_().g_mul_(&self.first).g_mul_scalar_(-learning_rate / correction_1);
            if let Some(factors) = factors {
                let _ = denominator.g_mul_(factors);
            }
            let _ = parameters.shallow_clone().g_add_(&denominator);
        });
    }
}

#[cfg(test)]
mod tests {
    use tch::{
        Device, Kind,
        nn::{self, OptimizerConfig},
    };

    use super::*;

    #[test]
    fn moments_of_weights_without_gradient_do_not_become_subnormal() {
        let weights = Tensor::from_slice(&[0.5f32, -0.25]);
        let mut adam = Adam { first: weights.zeros_like() + 1e-9, second: weights.zeros_like() + 1e-18 };
        let moved = weights.copy();
        for step in 1..=50_000 {
            adam.step(&moved, &weights.zeros_like(), step + 1000, 1e-3, None);
        }
        for moments in [&adam.first, &adam.second] {
            assert!(moments.min().double_value(&[]) > f64::from(f32::MIN_POSITIVE));
        }
        assert!(
            (moved - weights).abs().max().double_value(&[]) < 1e-3,
            "only the initial moments moved them"
        );
    }

    #[test]
    fn steps_equal_those_of_libtorch() {
        let variables = nn::VarStore::new(Device::Cpu);
        let mut theirs = variables.root().zeros("x", &[100]);
        let mut optimiser = nn::adam(BETA_1, BETA_2, 0.0).build(&variables, 1e-2).unwrap();
        let ours = Tensor::zeros([100], (Kind::Float, Device::Cpu));
        let mut adam = Adam { first: ours.zeros_like(), second: ours.zeros_like() };
        let target = Tensor::randn([100], (Kind::Float, Device::Cpu));
        for step in 1..=50 {
            let loss = (&theirs - &target).square().sum(Kind::Float);
            optimiser.backward_step(&loss);
            adam.step(&ours, &((&ours - &target) * 2.0), step, 1e-2, None);
        }
        let difference = (theirs.detach_() - ours).abs().max().double_value(&[]);
        assert!(difference < 1e-5, "{difference}");
    }
}
