use std::collections::{BTreeMap, HashMap};

use super::{Comparison, SatisfyingGame, Side, estimate::IN_95_PERCENT};
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
/// The number of features that it may always use.
const MIN_FEATURES_A_TREE: f64 = 8.0;

/// How well a classifier separates two kinds of games: 0.5 is chance, 1 is always right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auc {
    /// Area under the ROC curve, on games that the classifier had not seen.
    pub value: f64,
    /// Its standard error (Hanley and McNeil 1982, formula 1).
    pub error: f64,
}

impl Auc {
    /// An AUC from these numbers of independent games of the two kinds.
    fn new(value: f64, [n, m]: [f64; 2]) -> Auc {
        let square = value * value;
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

/// The cross-validated AUC of gradient-boosted trees that separate the generated games of a comparison from its human
/// games by their features. It is the mean over the folds. `features` gives equally many features for each game, with
/// NaN for missing ones. Games count by their weights.
///
/// All parts of a human game that met several constraints are in the same fold. For the standard error, games of
/// different weights count as fewer games of equal weights: (Σ w)² / Σ w² (L. Kish, Survey Sampling, 1965), where a
/// game's parts have one common weight.
///
/// # Errors
///
/// If the trees cannot be fitted.
pub fn auc_of(
    comparison: &Comparison<'_>,
    features: impl Fn(&SatisfyingGame) -> Vec<f64>,
    threads: usize,
    seed: u64,
) -> anyhow::Result<Auc> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut samples, mut counts) = (Vec::new(), [0.0; 2]);
    for (kind, side) in [Side::Human, Side::Generated].into_iter().enumerate() {
        let side = comparison.weighed(side);
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        side.iter().for_each(|(game, weight)| *weights.entry(game.game).or_default() += weight);
        let squares: f64 = weights.values().map(|weight| weight * weight).sum();
        counts[kind] = weights.values().sum::<f64>().powi(2) / squares;
        // Deal the games of each kind to the folds in turn, so that all folds have equally many.
        let mut numbers: Vec<usize> = weights.into_keys().collect();
        numbers.shuffle(&mut rng);
        let fold: HashMap<usize, usize> =
            numbers.into_iter().enumerate().map(|(place, game)| (game, place % FOLDS)).collect();
        samples.extend(side.iter().map(|(game, weight)| Sample {
            features: features(game),
            label: kind as f64,
            weight: *weight,
            fold: fold[&game.game],
        }));
    }
    let width = samples.first().map_or(0, |sample| sample.features.len());
    let share = (MIN_FEATURES_A_TREE / width as f64).clamp(FEATURES_A_TREE, 1.0);
    let mut sum = 0.0;
    for fold in 0..FOLDS {
        let (test, train): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().partition(|sample| sample.fold == fold);
        let mut booster = GradientBooster::default()
            .set_iterations(TREES)
            .set_max_depth(DEPTH)
            .set_max_leaves(1 << DEPTH)
            .set_learning_rate(LEARNING_RATE)
            .set_colsample_bytree(share)
            .set_num_threads(Some(threads))
            .set_seed(seed);
        let labels: Vec<f64> = train.iter().map(|sample| sample.label).collect();
        let weights: Vec<f64> = train.iter().map(|sample| sample.weight).collect();
        let columns = by_column(&train, width);
        let data = Matrix::new(&columns, train.len(), width);
        booster.fit(&data, &labels, &weights, None).map_err(|error| anyhow!("classifier: {error}"))?;
        let columns = by_column(&test, width);
        let logits = booster.predict(&Matrix::new(&columns, test.len(), width), false);
        let judged =
            logits.into_iter().zip(test).map(|(logit, sample)| (logit as f32, sample.label, sample.weight));
        sum += weighed_auc(judged.collect()).context("classifier: too few games")?;
    }
    let [human, generated] = counts;
    Ok(Auc::new(sum / FOLDS as f64, [generated, human]))
}

/// The probability that a random generated sample has a higher prediction than a random human one, both drawn in
/// proportion to their weights, where ties count half. Each sample has its prediction, its label and its weight. `None`
/// if there are no samples of a kind.
fn weighed_auc(mut samples: Vec<(f32, f64, f64)>) -> Option<f64> {
    samples.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut sum, mut generated) = (0.0, 0.0, 0.0);
    for tied in samples.chunk_by(|a, b| a.0 == b.0) {
        let weight =
            |kind: f64| tied.iter().filter(|sample| sample.1 == kind).map(|sample| sample.2).sum::<f64>();
        let [human, own] = [0.0, 1.0].map(weight);
        sum += own * (below + human / 2.0);
        (below, generated) = (below + human, generated + own);
    }
    (below > 0.0 && generated > 0.0).then(|| sum / (below * generated))
}

/// A sample for the classifier: a game.
struct Sample {
    features: Vec<f64>,
    /// 1 if the game was generated, 0 if it is human.
    label: f64,
    weight: f64,
    /// The fold in which it is tested.
    fold: usize,
}

/// The features of all samples, column by column.
fn by_column(samples: &[&Sample], width: usize) -> Vec<f64> {
    (0..width).flat_map(|column| samples.iter().map(move |sample| sample.features[column])).collect()
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;
    use rand::RngExt;
    use shakmaty::{Chess, Move, Position};

    use super::*;
    use crate::{
        realism::{features, numbers},
        samples::goal::GameInfo,
    };

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
                losses: Vec::new(),
            }
        };
        (0..count).map(random_game).collect()
    }

    fn alike_weighed<'a>(human: &'a [SatisfyingGame], generated: &'a [SatisfyingGame]) -> Comparison<'a> {
        Comparison {
            human: human.iter().map(|game| (game, 1.0)).collect(),
            generated: generated.iter().collect(),
        }
    }

    #[test]
    fn similar_positions_cannot_be_separated_and_different_ones_can() {
        let pairs: Vec<[Vec<SatisfyingGame>; 2]> =
            (1..=4).map(|seed| [games(seed, 150, |_| true), games(100 + seed, 150, |_| true)]).collect();
        let told_apart = |[some, others]: &[Vec<SatisfyingGame>; 2]| {
            auc_of(&alike_weighed(some, others), |game| features(&game.last), 1, 1).unwrap()
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
    fn games_of_another_length_or_with_odd_moves_are_recognised() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        // A third of the games have no loss.
        let mut games = |seed: u64, plies: usize, surprise: f32| -> Vec<SatisfyingGame> {
            let mut games = games(seed, 150, |_| true);
            for game in &mut games {
                let length = plies + rng.random_range(0..20);
                game.moves = vec![Chess::default().legal_moves()[0]; length];
                game.surprise = vec![(0..length).map(|_| rng.random_range(0.0..surprise)).collect()];
                game.losses = vec![rng.random_range(0..9); if rng.random_bool(0.7) { length } else { 0 }];
            }
            games
        };
        let [human, same, longer, odd] =
            [(10, 2.0), (10, 2.0), (15, 2.0), (10, 2.4)].map(|(plies, surprise)| games(1, plies, surprise));
        let told_apart =
            |games: &Vec<SatisfyingGame>| auc_of(&alike_weighed(&human, games), numbers, 1, 1).unwrap();
        let [same, longer, odd] = [&same, &longer, &odd].map(told_apart);
        assert!((same.value - 0.5).abs() < 0.15, "{same:?}");
        assert!(longer.interval().0 > 0.6 && odd.interval().0 > 0.6, "{longer:?}, {odd:?}");
    }

    #[test]
    fn samples_count_by_their_weight_and_ties_count_half() {
        assert_eq!(weighed_auc(vec![(1.0, 0.0, 3.0), (2.0, 1.0, 1.0), (3.0, 0.0, 1.0)]), Some(0.75));
        assert_eq!(weighed_auc(vec![(1.0, 0.0, 1.0), (1.0, 1.0, 2.0), (2.0, 1.0, 2.0)]), Some(0.75));
        assert_eq!(weighed_auc(vec![(1.0, 0.0, 1.0)]), None);
    }

    #[test]
    fn the_standard_error_is_that_of_hanley_and_mcneil() {
        // A = 0.8, 50 of either kind: Q1 = 2/3, Q2 = 0.7111.
        let auc = Auc::new(0.8, [50.0; 2]);
        assert!((auc.error - 0.0445).abs() < 1e-4, "{auc:?}");
    }
}
