use std::collections::HashMap;

use super::{FEATURES, SatisfyingGame, estimate::IN_95_PERCENT, features};
use crate::training::auc;
use anyhow::{Context, anyhow};
use forust_ml::{GradientBooster, Matrix};
use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

/// Number of folds of the cross-validation.
const FOLDS: usize = 5;
/// The number of trees, their depth and the learning rate. More trees take longer without a higher AUC.
const TREES: usize = 200;
const DEPTH: usize = 4;
const LEARNING_RATE: f32 = 0.06;
/// The share of the features that a tree may use. Many features are nearly redundant.
const FEATURES_A_TREE: f64 = 0.3;

/// How well a classifier separates two kinds of positions: 0.5 is chance, 1 is always right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auc {
    /// Area under the ROC curve, on positions that the classifier had not seen.
    pub value: f64,
    /// Its standard error (Hanley and McNeil 1982, formula 1).
    pub error: f64,
}

impl Auc {
    /// An AUC from these numbers of independent positions of the two kinds.
    fn new(value: f64, positives: usize, negatives: usize) -> Auc {
        let (n, m, square) = (positives as f64, negatives as f64, value * value);
        let (q1, q2) = (value / (2.0 - value), 2.0 * square / (1.0 + value));
        let variance =
            (value * (1.0 - value) + (n - 1.0) * (q1 - square) + (m - 1.0) * (q2 - square)) / (n * m);
        Auc { value, error: variance.max(0.0).sqrt() }
    }

    /// The 95% confidence interval.
    pub fn interval(&self) -> (f64, f64) {
        let reach = IN_95_PERCENT * self.error;
        ((self.value - reach).max(0.0), (self.value + reach).min(1.0))
    }
}

/// The cross-validated AUC of gradient-boosted trees that separate the final positions of `generated` from those of
/// `people`. It is the mean over the folds.
///
/// All positions of a human game that met several constraints are in the same fold, and the game counts once for the
/// standard error.
///
/// # Errors
///
/// If the trees cannot be fitted.
pub fn auc_of(
    human: &[&SatisfyingGame],
    generated: &[&SatisfyingGame],
    threads: usize,
    seed: u64,
) -> anyhow::Result<Auc> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut samples, mut games) = (Vec::with_capacity(human.len() + generated.len()), [0; 2]);
    for (kind, side) in [human, generated].into_iter().enumerate() {
        // Deal the games of each kind to the folds in turn, so that all folds have equally many.
        let mut numbers: Vec<usize> = side.iter().map(|game| game.game).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.shuffle(&mut rng);
        games[kind] = numbers.len();
        let fold: HashMap<usize, usize> =
            numbers.into_iter().enumerate().map(|(place, game)| (game, place % FOLDS)).collect();
        let sample = |game: &&SatisfyingGame| Sample {
            features: features(&game.last),
            label: kind as f64,
            fold: fold[&game.game],
        };
        samples.extend(side.iter().map(sample));
    }
    let mut sum = 0.0;
    for fold in 0..FOLDS {
        let (test, train): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().partition(|sample| sample.fold == fold);
        let mut booster = GradientBooster::default()
            .set_iterations(TREES)
            .set_max_depth(DEPTH)
            .set_max_leaves(1 << DEPTH)
            .set_learning_rate(LEARNING_RATE)
            .set_colsample_bytree(FEATURES_A_TREE)
            .set_num_threads(Some(threads))
            .set_seed(seed);
        let labels: Vec<f64> = train.iter().map(|sample| sample.label).collect();
        let columns = by_column(&train);
        let data = Matrix::new(&columns, train.len(), FEATURES);
        booster.fit_unweighted(&data, &labels, None).map_err(|error| anyhow!("classifier: {error}"))?;
        let columns = by_column(&test);
        let logits = booster.predict(&Matrix::new(&columns, test.len(), FEATURES), false);
        let logits: Vec<f32> = logits.into_iter().map(|logit| logit as f32).collect();
        let labels: Vec<f32> = test.iter().map(|sample| sample.label as f32).collect();
        sum += auc(&logits, &labels).context("classifier: too few games")?;
    }
    Ok(Auc::new(sum / FOLDS as f64, games[1], games[0]))
}

/// A sample for the classifier: a final position.
struct Sample {
    features: Vec<f64>,
    /// 1 if the position was generated, 0 if it is from a human game.
    label: f64,
    /// The fold in which it is tested.
    fold: usize,
}

/// The features of all samples, column by column.
fn by_column(samples: &[&Sample]) -> Vec<f64> {
    (0..FEATURES).flat_map(|column| samples.iter().map(move |sample| sample.features[column])).collect()
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;
    use rand::RngExt;
    use shakmaty::{Chess, Move, Position};

    use super::*;
    use crate::samples::goal::GameInfo;

    fn games(seed: u64, count: usize, is_wanted: impl Fn(Move) -> bool) -> Vec<SatisfyingGame> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let random_game = |number| {
            let mut last = Chess::default();
            for _ in 0..20 {
                let mut legal = last.legal_moves();
                legal.retain(|m| is_wanted(*m));
                if !legal.is_empty() {
                    last.play_unchecked(legal[rng.random_range(0..legal.len())]);
                }
            }
            SatisfyingGame {
                game: number,
                constraint: 0,
                rating: 0,
                info: GameInfo::generated([1500; 2], RatingScale::Online),
                moves: Vec::new(),
                last,
                delivered_by: None,
                surprise: Vec::new(),
            }
        };
        (0..count).map(random_game).collect()
    }

    #[test]
    fn similar_positions_cannot_be_separated_and_different_ones_can() {
        let pairs: Vec<[Vec<SatisfyingGame>; 2]> =
            (1..=4).map(|seed| [games(seed, 150, |_| true), games(100 + seed, 150, |_| true)]).collect();
        let told_apart = |[some, others]: &[Vec<SatisfyingGame>; 2]| {
            let [some, others] = [some, others].map(|games| games.iter().collect::<Vec<_>>());
            auc_of(&some, &others, 1, 1).unwrap()
        };
        let alike: Vec<Auc> = pairs.iter().map(told_apart).collect();
        let mean = alike.iter().map(|auc| auc.value).sum::<f64>() / alike.len() as f64;
        assert!((mean - 0.5).abs() < 0.1, "{alike:?}");
        let quiet = [games(1, 150, |_| true), games(3, 150, |m| !m.is_capture())];
        let unlike = told_apart(&quiet);
        assert!(unlike.interval().0 > 0.7, "{unlike:?}");
        // Repeating a game adds no information.
        let [some, others] = &pairs[0];
        let often = some.iter().flat_map(|game| vec![game.clone(); 3]).collect();
        let again = told_apart(&[often, others.clone()]);
        assert!(
            (again.value - alike[0].value).abs() < 0.1 && again.error > 0.9 * alike[0].error,
            "{again:?}"
        );
    }

    #[test]
    fn the_standard_error_is_that_of_hanley_and_mcneil() {
        // A = 0.8, 50 of either kind: Q1 = 2/3, Q2 = 0.7111.
        let auc = Auc::new(0.8, 50, 50);
        assert!((auc.error - 0.0445).abs() < 1e-4, "{auc:?}");
    }
}
