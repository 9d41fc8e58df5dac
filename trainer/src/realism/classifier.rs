use anyhow::{Context, anyhow};
use forust_ml::{GradientBooster, Matrix};
use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};
use shakmaty::Chess;

use super::{FEATURES, features};
use crate::training::auc;

/// Parts of the cross-validation.
const FOLDS: usize = 5;
/// Trees, their depth, and how much each counts: more of them tell positions apart no better, only later.
const TREES: usize = 200;
const DEPTH: usize = 4;
const LEARNING_RATE: f32 = 0.06;
/// The share of features that a tree may use: many tell nearly the same.
const FEATURES_A_TREE: f64 = 0.3;

/// How well a classifier tells two kinds of positions apart: 0.5 not at all, 1 always.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auc {
    /// Area under the ROC curve, of positions that the classifier had not seen.
    pub value: f64,
    /// Its standard error (Hanley and McNeil 1982, formula 1).
    pub error: f64,
}

impl Auc {
    /// Of so many positions of either kind.
    fn new(value: f64, count: usize) -> Auc {
        let (n, square) = (count as f64, value * value);
        let (q1, q2) = (value / (2.0 - value), 2.0 * square / (1.0 + value));
        let variance =
            (value * (1.0 - value) + (n - 1.0) * (q1 - square) + (n - 1.0) * (q2 - square)) / (n * n);
        Auc { value, error: variance.max(0.0).sqrt() }
    }

    /// The 95% confidence interval.
    pub fn interval(&self) -> (f64, f64) {
        ((self.value - 1.96 * self.error).max(0.0), (self.value + 1.96 * self.error).min(1.0))
    }
}

/// The cross-validated AUC of gradient-boosted trees that tell `generated` from as many positions of `people`.
///
/// # Errors
/// If the trees cannot be grown.
pub fn auc_of(people: &[&Chess], generated: &[&Chess], threads: usize, seed: u64) -> anyhow::Result<Auc> {
    let count = people.len().min(generated.len());
    let mut samples: Vec<(Vec<f64>, bool)> = Vec::with_capacity(2 * count);
    samples.extend(people[..count].iter().map(|position| (features(position), false)));
    samples.extend(generated[..count].iter().map(|position| (features(position), true)));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    samples.shuffle(&mut rng);
    let (mut predictions, mut labels) = (Vec::new(), Vec::new());
    for fold in 0..FOLDS {
        let (test, train): (Vec<_>, Vec<_>) =
            samples.iter().enumerate().partition(|(index, _)| index % FOLDS == fold);
        let train: Vec<&(Vec<f64>, bool)> = train.into_iter().map(|(_, sample)| sample).collect();
        let test: Vec<&(Vec<f64>, bool)> = test.into_iter().map(|(_, sample)| sample).collect();
        let mut booster = GradientBooster::default()
            .set_iterations(TREES)
            .set_max_depth(DEPTH)
            .set_max_leaves(1 << DEPTH)
            .set_learning_rate(LEARNING_RATE)
            .set_colsample_bytree(FEATURES_A_TREE)
            .set_num_threads(Some(threads))
            .set_seed(seed);
        let targets: Vec<f64> = train.iter().map(|(_, label)| f64::from(u8::from(*label))).collect();
        let columns = by_column(&train);
        let data = Matrix::new(&columns, train.len(), FEATURES);
        booster.fit_unweighted(&data, &targets, None).map_err(|error| anyhow!("classifier: {error}"))?;
        let columns = by_column(&test);
        let logits = booster.predict(&Matrix::new(&columns, test.len(), FEATURES), false);
        predictions.extend(logits.into_iter().map(|logit| logit as f32));
        labels.extend(test.iter().map(|(_, label)| f32::from(u8::from(*label))));
    }
    let value = auc(&predictions, &labels).context("classifier: too few positions")?;
    Ok(Auc::new(value, count))
}

/// The features of all samples, column after column.
fn by_column(samples: &[&(Vec<f64>, bool)]) -> Vec<f64> {
    (0..FEATURES).flat_map(|column| samples.iter().map(move |(features, _)| features[column])).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use shakmaty::Position;

    use super::*;

    fn positions(seed: u64, count: usize, is_wanted: impl Fn(&Chess, shakmaty::Move) -> bool) -> Vec<Chess> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let random_game = |_| {
            let mut position = Chess::default();
            for _ in 0..20 {
                let mut legal = position.legal_moves();
                legal.retain(|m| is_wanted(&position, *m));
                if !legal.is_empty() {
                    position.play_unchecked(legal[rng.random_range(0..legal.len())]);
                }
            }
            position
        };
        (0..count).map(random_game).collect()
    }

    #[test]
    fn like_positions_cannot_be_told_apart_and_unlike_ones_can() {
        let some = positions(1, 150, |_, _| true);
        let others = positions(2, 150, |_, _| true);
        let quiet = positions(3, 150, |_, m| !m.is_capture());
        let [some, others, quiet] = [&some, &others, &quiet].map(|set| set.iter().collect::<Vec<_>>());
        let alike = auc_of(&some, &others, 1, 1).unwrap();
        let (low, high) = alike.interval();
        assert!(low < 0.55 && high > 0.45, "{alike:?}");
        let unlike = auc_of(&some, &quiet, 1, 1).unwrap();
        assert!(unlike.interval().0 > 0.7, "{unlike:?}");
    }

    #[test]
    fn the_standard_error_is_that_of_hanley_and_mcneil() {
        // A = 0.8, 50 of either kind: Q1 = 2/3, Q2 = 0.7111, so 0.0444 by their formula.
        let auc = Auc::new(0.8, 50);
        assert!((auc.error - 0.0444).abs() < 5e-4, "{auc:?}");
    }
}
