//! The evaluation networks that can be trained. To add one, implement [`Learner`] in a new file here, and add its name
//! to [`Network`] and its constructor to `Network::learner`.

mod accumulators;
mod article;
mod gradient;
mod weights;

pub(super) use accumulators::Accumulators;
pub(super) use article::Article;
use entente_search::scorer::{EvaluationError, NARROW, SCALE, Scorer, WIDE};
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Setup};
use tch::{Device, Tensor};

use super::{EvaluationRecipe, Network};
use crate::evaluations::LabelledPosition;

impl Network {
    /// The learner for this network, according to `recipe`, with `threads` threads.
    pub(super) fn learner(self, recipe: &EvaluationRecipe, threads: usize) -> Box<dyn Learner> {
        let score_weight = recipe.score_weight as f32;
        match self {
            Network::Evaluation => Box::new(Accumulators::<NARROW>::new(score_weight, threads)),
            Network::EvaluationWide => Box::new(Accumulators::<WIDE>::new(score_weight, threads)),
            Network::EvaluationArticle => Box::new(Article::new(recipe)),
        }
    }
}

/// An evaluation network in training. Its weights are a row of 32-bit numbers.
pub(super) trait Learner {
    /// The number of weights.
    fn count(&self) -> usize;

    /// A description of the architecture, for the card.
    fn description(&self) -> String;

    /// Random initial weights.
    fn random(&self, seed: u64) -> Tensor;

    /// The mean gradient of the loss at `weights`, on their device, and the mean loss.
    fn gradient(&mut self, weights: &Tensor, positions: &[LabelledPosition]) -> (Tensor, f64);

    /// The expected score of the side to move in each position, from 0 to 1.
    fn chances(&self, weights: &Tensor, positions: &[LabelledPosition]) -> Vec<f32>;

    /// The file with these weights, for the engine.
    ///
    /// # Errors
    ///
    /// If the engine cannot represent these weights.
    fn file(&self, name: &str, weights: &Tensor, origin: String) -> Result<Vec<u8>, EvaluationError>;

    /// The same as [`Learner::chances`], computed by the engine from a file.
    ///
    /// # Errors
    ///
    /// If the file is invalid.
    fn played(
        &self,
        name: &str,
        file: &[u8],
        positions: &[LabelledPosition],
    ) -> Result<Vec<f32>, EvaluationError>;
}

/// Converts a score in centipawns to an expected score.
pub(super) fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score / SCALE as f32).exp())
}

/// The label of a position, as an expected score.
pub(super) fn expected(position: &LabelledPosition) -> f32 {
    chance(f32::from(position.score()))
}

/// The values that a scorer gives positions, as expected scores of the side to move.
pub(super) fn by_scorer(scorer: &impl Scorer, positions: &[LabelledPosition]) -> Vec<f32> {
    let value = |labelled: &LabelledPosition| {
        let mut board = Board::empty();
        labelled.men().for_each(|(piece, square)| board.set_piece_at(square, piece));
        let setup = Setup { board, turn: labelled.turn(), ..Setup::empty() };
        let position = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .expect("a position of a game, with both kings and the opponent not in check");
        scorer.value(&scorer.root(&position), &position)
    };
    positions.iter().map(|position| chance(value(position) as f32)).collect()
}

/// Copies weights to the CPU.
fn row(weights: &Tensor) -> Vec<f32> {
    Vec::try_from(weights.to_device(Device::Cpu)).expect("a row of floats")
}

/// Converts a network's output, a logit, to an expected score.
fn of_logit(logit: f32) -> f32 {
    chance(SCALE as f32 * logit)
}
