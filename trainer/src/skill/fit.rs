use entente_network::{Layer, Skill, encoding::skill::FEATURES};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};
use tch::{Kind, Tensor};

use super::{Labelled, SkillRecipe};
use crate::{progress::ProgressObserver, training::Adam};

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The skill.
    pub skill: Skill,
    /// The cross-entropy of the moves according to the policy alone, in nats.
    pub before: f64,
    /// The same with the skill.
    pub after: f64,
}

/// Fits the layers of a skill to the moves that were played. It minimises their mean cross-entropy with Adam (Kingma
/// and Ba 2015) and decoupled weight decay (Loshchilov and Hutter 2019).
pub fn fit(recipe: &SkillRecipe, labelled: &Labelled, observer: &dyn ProgressObserver) -> Fitted {
    let mut rng = ChaCha8Rng::seed_from_u64(recipe.seed);
    let mut layers = Layers::random(&recipe.hidden, &mut rng);
    let batches = labelled.len().div_ceil(recipe.batch);
    let steps = batches as u64 * u64::from(recipe.epochs);
    let mut order: Vec<usize> = (0..labelled.len()).collect();
    let mut step = 0;
    observer.begin("fitting", steps, "steps");
    for _ in 0..recipe.epochs {
        order.shuffle(&mut rng);
        for chosen in order.chunks(recipe.batch) {
            let progress = step as f64 / steps as f64;
            let rate = recipe.learning_rate * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos());
            layers.step(&Batch::new(labelled, chosen), rate, recipe.weight_decay);
            step += 1;
            observer.done(1);
        }
    }
    observer.end();
    let mean = |loss: &dyn Fn(&Batch) -> f64| {
        let all: Vec<usize> = (0..labelled.len()).collect();
        let parts = all.chunks(recipe.batch);
        parts.map(|part| part.len() as f64 * loss(&Batch::new(labelled, part))).sum::<f64>()
            / labelled.len().max(1) as f64
    };
    let _guard = tch::no_grad_guard();
    let before = mean(&|batch| batch.loss(&batch.logarithms).double_value(&[]));
    let after = mean(&|batch| batch.loss(&layers.corrected(batch)).double_value(&[]));
    Fitted { skill: Skill { layers: layers.layers(), ..recipe.looking() }, before, after }
}

/// A batch of positions as tensors.
struct Batch {
    /// [positions, moves, FEATURES]; zeros for positions with fewer moves than others.
    rows: Tensor,
    /// [positions, moves]; −∞ for such missing moves.
    logarithms: Tensor,
    /// [positions]: the index of the move that was played.
    played: Tensor,
}

impl Batch {
    fn new(labelled: &Labelled, chosen: &[usize]) -> Batch {
        let most = chosen.iter().map(|index| labelled.position(*index).1.len()).max().unwrap_or(0);
        let mut rows = vec![0f32; chosen.len() * most * FEATURES];
        let mut logarithms = vec![f32::NEG_INFINITY; chosen.len() * most];
        let mut played = Vec::with_capacity(chosen.len());
        for (place, index) in chosen.iter().enumerate() {
            let (features, own, m) = labelled.position(*index);
            rows[place * most * FEATURES..][..features.len()].copy_from_slice(features);
            logarithms[place * most..][..own.len()].copy_from_slice(own);
            played.push(m as i64);
        }
        let (count, most) = (chosen.len() as i64, most as i64);
        Batch {
            rows: Tensor::from_slice(&rows).view([count, most, FEATURES as i64]),
            logarithms: Tensor::from_slice(&logarithms).view([count, most]),
            played: Tensor::from_slice(&played),
        }
    }

    /// The mean cross-entropy of the moves that were played.
    fn loss(&self, logits: &Tensor) -> Tensor {
        logits.log_softmax(1, Kind::Float).nll_loss(&self.played)
    }
}

/// Fully connected layers, with all weights and biases in one row.
struct Layers {
    /// The numbers of inputs and outputs of each layer.
    sizes: Vec<[i64; 2]>,
    flat: Tensor,
    adam: Adam,
    steps: u64,
}

impl Layers {
    /// Random layers of these widths. The last layer is zero, so that it corrects nothing at first.
    fn random(hidden: &[i64], rng: &mut ChaCha8Rng) -> Layers {
        let widths: Vec<i64> =
            [FEATURES as i64].into_iter().chain(hidden.iter().copied()).chain([1]).collect();
        let sizes: Vec<[i64; 2]> = widths.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let mut numbers: Vec<f32> = Vec::new();
        for (index, [inputs, outputs]) in sizes.iter().enumerate() {
            // Uniform, with the variance 2 / inputs (He et al. 2015).
            let bound = if index == hidden.len() { 0.0 } else { (6.0 / *inputs as f32).sqrt() };
            numbers.extend((0..inputs * outputs).map(|_| bound * rng.random_range(-1.0..=1.0f32)));
            numbers.extend((0..*outputs).map(|_| 0.0));
        }
        let flat = Tensor::from_slice(&numbers);
        Layers { adam: Adam::new(&flat), flat: flat.set_requires_grad(true), sizes, steps: 0 }
    }

    /// The weights [outputs, inputs] and biases [outputs] of each layer.
    fn tensors(&self) -> Vec<[Tensor; 2]> {
        let mut start = 0;
        let mut next = |length: i64| {
            start += length;
            self.flat.narrow(0, start - length, length)
        };
        let layers = self.sizes.iter();
        layers
            .map(|[inputs, outputs]| [next(inputs * outputs).view([*outputs, *inputs]), next(*outputs)])
            .collect()
    }

    /// The logarithms of the moves' probabilities, corrected.
    fn corrected(&self, batch: &Batch) -> Tensor {
        let mut flow = batch.rows.shallow_clone();
        for (index, [weights, biases]) in self.tensors().iter().enumerate() {
            flow = flow.linear(weights, Some(biases));
            if index + 1 < self.sizes.len() {
                flow = flow.relu();
            }
        }
        &batch.logarithms + flow.squeeze_dim(2)
    }

    /// Does one step against the gradient of a batch.
    fn step(&mut self, batch: &Batch, rate: f64, decay: f64) {
        let gradient =
            Tensor::run_backward(&[batch.loss(&self.corrected(batch))], &[&self.flat], false, false);
        self.steps += 1;
        tch::no_grad(|| {
            let _ = self.flat.shallow_clone().g_mul_scalar_(1.0 - rate * decay);
        });
        self.adam.step(&self.flat, &gradient[0], self.steps, rate, None);
    }

    /// The layers in the engine's format.
    fn layers(&self) -> Vec<Layer> {
        let numbers = |tensor: &Tensor| {
            Vec::<f32>::try_from(tensor.detach().contiguous().view(-1)).expect("a row of floats on the CPU")
        };
        let layers = self.tensors().into_iter().zip(&self.sizes);
        layers
            .map(|([weights, biases], [inputs, _])| Layer {
                weights: numbers(&weights).chunks(*inputs as usize).map(<[f32]>::to_vec).collect(),
                biases: numbers(&biases),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use entente_network::{Corrector, SkillEffort};

    use super::*;

    fn recipe() -> SkillRecipe {
        SkillRecipe {
            samples: 1,
            plain: 1.0,
            online: 0.5,
            glance: 0.001,
            look: 0.01,
            cooling: Vec::new(),
            calibration: Vec::new(),
            play: None,
            efforts: vec![SkillEffort { from: 0, depths: 1, nodes: 100, slack: 100, study: None }],
            hidden: vec![8],
            epochs: 30,
            batch: 256,
            learning_rate: 2e-2,
            weight_decay: 0.0,
            seed: 3,
        }
    }

    /// Positions with four moves that the policy considers equally likely. The move with feature 0 is played three
    /// times as often as each of the others.
    fn positions(count: usize) -> Labelled {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut labelled = Labelled::empty();
        for _ in 0..count {
            let special = rng.random_range(0..4);
            let mut rows = vec![0.0; 4 * FEATURES];
            rows[special * FEATURES] = 1.0;
            let played = if rng.random_bool(0.5) { special } else { (special + rng.random_range(1..4)) % 4 };
            labelled.push(&rows, &[0.25f32.ln(); 4], played);
        }
        labelled
    }

    #[test]
    fn preferences_are_learned_and_the_engine_computes_the_same() {
        let labelled = positions(4000);
        let fitted = fit(&recipe(), &labelled, &());
        // The cross-entropy is ln 4 before. After the fit, half of the moves have the probability 1/2, and the others
        // 1/6.
        let expected = 0.5 * 2f64.ln() + 0.5 * 6f64.ln();
        assert!((fitted.before - 4f64.ln()).abs() < 1e-4, "{fitted:?}");
        assert!((fitted.after - expected).abs() < 0.01, "{} instead of {expected}", fitted.after);
        let (rows, _, _) = labelled.position(0);
        let corrections = Corrector::new(&fitted.skill).corrections(rows);
        let special = rows.chunks_exact(FEATURES).position(|row| row[0] == 1.0).unwrap();
        let other = corrections[(special + 1) % 4];
        assert!((corrections[special] - other - 3f32.ln()).abs() < 0.15, "{corrections:?}");
        assert!(Skill::read("net", &fitted.skill.text()).is_ok());
    }

    #[test]
    fn a_seed_gives_the_same_skill() {
        let labelled = positions(200);
        let fitted = |seed| fit(&SkillRecipe { seed, ..recipe() }, &labelled, &()).skill;
        assert_eq!(fitted(1), fitted(1));
        assert_ne!(fitted(1), fitted(2));
    }
}
