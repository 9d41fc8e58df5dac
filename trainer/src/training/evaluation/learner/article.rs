use std::{array, ops::Range, sync::Arc};

use entente_search::scorer::{
    EvaluationError,
    article::{ArticleNetwork, ArticleScorer, CELLS, EPSILON, FILTERS, MEN, Scaling, man, square_index},
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::{Reduction, Tensor};

use super::{Learner, by_scorer, chance, row};
use crate::{
    evaluations::{LabelledPosition, SCORE_BOUND},
    training::evaluation::EvaluationRecipe,
};

const FEATURES: usize = FILTERS * CELLS;
const SQUARES: usize = 64;

// The ranges of the weights: the convolution and its biases, scale and shift of the batch normalisation, the last layer
// and its bias, and the running means and variances, which have no gradient.
const FILTER: Range<usize> = 0..FILTERS * MEN;
const FILTER_BIAS: Range<usize> = FILTER.end..FILTER.end + FILTERS;
const GAMMA: Range<usize> = FILTER_BIAS.end..FILTER_BIAS.end + FEATURES;
const BETA: Range<usize> = GAMMA.end..GAMMA.end + FEATURES;
const LAST: Range<usize> = BETA.end..BETA.end + FEATURES;
const LAST_BIAS: Range<usize> = LAST.end..LAST.end + 1;
const MEAN: Range<usize> = LAST_BIAS.end..LAST_BIAS.end + FEATURES;
const VARIANCE: Range<usize> = MEAN.end..MEAN.end + FEATURES;

/// The weight of a batch in the running means and variances (the default of Keras).
const MOMENTUM: f64 = 0.01;
/// Number of positions that are evaluated at once outside of training.
const AT_ONCE: usize = 8192;

/// The network `evaluation-article`. Its output is for White, and this type converts it to the side to move.
pub(crate) struct Article {
    scaling: Scaling,
    score_weight: f32,
    planes: Vec<f32>,
}

impl Article {
    /// Creates the learner. The recipe determines how outputs are scaled.
    pub(crate) fn new(recipe: &EvaluationRecipe) -> Article {
        let scaling = if recipe.min_max {
            let bound = f32::from(SCORE_BOUND);
            Scaling::MinMax { least: -bound, greatest: bound }
        } else {
            Scaling::Chance
        };
        Article { scaling, score_weight: recipe.score_weight as f32, planes: Vec::new() }
    }

    /// The target output for a position.
    fn target(&self, position: &LabelledPosition) -> f32 {
        let score = f32::from(position.score());
        let of_score = self.scaling.output(position.turn().fold_wb(score, -score));
        position.result().map_or(of_score, |result| {
            let of_result = position.turn().fold_wb(result, 1.0 - result);
            self.score_weight * of_score + (1.0 - self.score_weight) * of_result
        })
    }
}

/// Writes the planes [positions, 12, 8, 8] to `planes`.
fn write_planes(positions: &[LabelledPosition], planes: &mut Vec<f32>) {
    planes.clear();
    planes.resize(positions.len() * MEN * SQUARES, 0.0);
    for (position, planes) in positions.iter().zip(planes.chunks_exact_mut(MEN * SQUARES)) {
        for (piece, square) in position.men() {
            planes[man(piece) * SQUARES + square_index(square)] = 1.0;
        }
    }
}

fn tensor(planes: &[f32], like: &Tensor) -> Tensor {
    Tensor::from_slice(planes).view([-1, MEN as i64, 8, 8]).to_device(like.device())
}

fn part(row: &Tensor, range: Range<usize>) -> Tensor {
    row.narrow(0, range.start as i64, range.len() as i64)
}

/// The logits [positions]. `statistics` is the row with the running means and variances, which are read or, in
/// training, updated.
fn logits(weights: &Tensor, statistics: &Tensor, planes: &Tensor, is_training: bool) -> Tensor {
    let filter = part(weights, FILTER).view([FILTERS as i64, MEN as i64, 1, 1]);
    let found = planes.conv2d(&filter, Some(part(weights, FILTER_BIAS)), 1, 0, 1, 1).relu();
    let features = found.max_pool2d(2, 2, 0, 1, false).flatten(1, -1);
    let normal = features.batch_norm(
        Some(part(weights, GAMMA)),
        Some(part(weights, BETA)),
        Some(part(statistics, MEAN)),
        Some(part(statistics, VARIANCE)),
        is_training,
        MOMENTUM,
        EPSILON,
        false,
    );
    normal.matmul(&part(weights, LAST)) + part(weights, LAST_BIAS)
}

impl Learner for Article {
    fn count(&self) -> usize {
        VARIANCE.end
    }

    fn description(&self) -> String {
        let scaling = match self.scaling {
            Scaling::Chance => "White's expected score".to_owned(),
            Scaling::MinMax { least, greatest } => {
                format!("0 stands for {least} centipawns and 1 for {greatest}, for White")
            }
        };
        format!(
            "{MEN} planes → 1×1 convolution, {FILTERS} filters, ReLU → 2×2 max pooling → batch normalisation → 1 \
             output, sigmoid: {scaling}"
        )
    }

    fn random(&self, seed: u64) -> Tensor {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut weights = vec![0.0f32; self.count()];
        // Glorot's uniform initialisation, as in Keras.
        for (range, inputs, outputs) in [(FILTER, MEN, FILTERS), (LAST, FEATURES, 1)] {
            let bound = (6.0 / (inputs + outputs) as f32).sqrt();
            weights[range].fill_with(|| rng.random_range(-bound..bound));
        }
        weights[GAMMA].fill(1.0);
        weights[VARIANCE].fill(1.0);
        Tensor::from_slice(&weights)
    }

    fn gradient(&mut self, weights: &Tensor, positions: &[LabelledPosition]) -> (Tensor, f64) {
        write_planes(positions, &mut self.planes);
        let planes = tensor(&self.planes, weights);
        let targets: Vec<f32> = positions.iter().map(|position| self.target(position)).collect();
        let targets = Tensor::from_slice(&targets).to_device(weights.device());
        tch::with_grad(|| {
            let leaf = weights.detach().copy().set_requires_grad(true);
            let outputs = logits(&leaf, weights, &planes, true).sigmoid();
            let loss = outputs.mse_loss(&targets, Reduction::Mean);
            loss.backward();
            (leaf.grad(), loss.double_value(&[]))
        })
    }

    fn chances(&self, weights: &Tensor, positions: &[LabelledPosition]) -> Vec<f32> {
        let mut planes = Vec::new();
        let mut chances = Vec::with_capacity(positions.len());
        for positions in positions.chunks(AT_ONCE) {
            write_planes(positions, &mut planes);
            let logits = tch::no_grad(|| logits(weights, weights, &tensor(&planes, weights), false));
            chances.extend(positions.iter().zip(row(&logits)).map(|(position, logit)| {
                let score = self.scaling.score(logit);
                chance(position.turn().fold_wb(score, -score))
            }));
        }
        chances
    }

    fn file(&self, name: &str, weights: &Tensor, origin: String) -> Result<Vec<u8>, EvaluationError> {
        let weights = row(weights);
        let filters = array::from_fn(|man| {
            array::from_fn(|filter| {
                let seen = if man < MEN { weights[FILTER.start + filter * MEN + man] } else { 0.0 };
                seen + weights[FILTER_BIAS.start + filter]
            })
        });
        // Normalisation and the last layer are merged: w · (γ (x − m)/√(v + ε) + β) + b.
        let factor = |index: usize| {
            let deviation = (f64::from(weights[VARIANCE.start + index]) + EPSILON).sqrt();
            f64::from(weights[GAMMA.start + index]) / deviation
        };
        let last = |index: usize| f64::from(weights[LAST.start + index]);
        let cells = array::from_fn(|filter| {
            array::from_fn(|cell| {
                let index = filter * CELLS + cell;
                (last(index) * factor(index)) as f32
            })
        });
        let constants = (0..FEATURES).map(|index| {
            let (mean, beta) = (weights[MEAN.start + index], weights[BETA.start + index]);
            last(index) * (f64::from(beta) - factor(index) * f64::from(mean))
        });
        let bias = f64::from(weights[LAST_BIAS.start]) + constants.sum::<f64>();
        Ok(ArticleNetwork::new(name, filters, cells, bias as f32, self.scaling)?.to_bytes(Some(origin)))
    }

    fn played(
        &self,
        name: &str,
        file: &[u8],
        positions: &[LabelledPosition],
    ) -> Result<Vec<f32>, EvaluationError> {
        let network = ArticleNetwork::from_bytes(name, file)?;
        Ok(by_scorer(&ArticleScorer::new(Arc::new(network)), positions))
    }
}

#[cfg(test)]
mod tests {
    use tch::Kind;

    use super::*;
    use crate::training::evaluation::{learner::gradient::tests::positions, recipe::tests::recipe};

    fn article(min_max: bool) -> Article {
        Article::new(&EvaluationRecipe { min_max, ..recipe() })
    }

    #[test]
    fn the_number_of_weights_is_that_of_keras() {
        // Convolution 12 · 10 + 10; normalisation 4 · 160, of which half are not trained; dense 160 + 1.
        assert_eq!(article(false).count(), 130 + 640 + 161);
    }

    #[test]
    fn the_engine_computes_what_was_trained() {
        let positions: Vec<LabelledPosition> =
            positions(100).into_iter().map(|(_, labelled)| labelled).collect();
        for min_max in [false, true] {
            let mut article = article(min_max);
            let weights = article.random(3);
            // Change the running means and variances from their initial values.
            let before = weights.copy();
            (0..5).for_each(|_| _ = article.gradient(&weights, &positions));
            assert_ne!(part(&weights, MEAN), part(&before, MEAN));
            assert_eq!(part(&weights, 0..MEAN.start), part(&before, 0..MEAN.start));
            let file = article.file("article", &weights, "a test".to_owned()).unwrap();
            let played = article.played("article", &file, &positions).unwrap();
            for (played, trained) in played.iter().zip(article.chances(&weights, &positions)) {
                assert!((played - trained).abs() < 1e-3, "{played} {trained}");
            }
        }
    }

    #[test]
    fn steps_against_the_gradient_lower_the_loss() {
        let positions: Vec<LabelledPosition> =
            positions(50).into_iter().map(|(_, labelled)| labelled).collect();
        let mut article = article(false);
        let weights = article.random(3);
        let (gradient, first) = article.gradient(&weights, &positions);
        assert_eq!(part(&gradient, MEAN.start..VARIANCE.end).abs().sum(Kind::Float).double_value(&[]), 0.0);
        let mut last = first;
        for _ in 0..50 {
            let (gradient, loss) = article.gradient(&weights, &positions);
            let _ = tch::no_grad(|| weights.shallow_clone().g_sub_(&(gradient * 0.5)));
            last = loss;
        }
        assert!(last < 0.9 * first, "{first} {last}");
    }
}
