//! What evaluation networks have of their own while they are trained. To add one, implement [`Learner`] in a file here, and
//! give its name to [`Network`].

mod accumulators;
mod article;
mod gradient;
mod weights;

pub(super) use accumulators::Accumulators;
pub(super) use article::Article;
use entente_search::scorer::{EvaluationError, SCALE, Scaling, Scorer};
use serde::{Deserialize, Serialize};
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Setup};
use tch::{Device, Tensor};

use super::EvaluationRecipe;
use crate::evaluations::LabelledPosition;

/// The evaluation networks that can be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// Both sides' accumulators over piece-squares.
    Evaluation,
    /// The network of the article on Monte Carlo playouts.
    EvaluationArticle,
}

impl Network {
    /// Its name in recipes and file names.
    pub fn name(self) -> &'static str {
        match self {
            Network::Evaluation => "evaluation",
            Network::EvaluationArticle => "evaluation-article",
        }
    }

    /// Something that trains it as `recipe` says, in so many threads.
    pub(super) fn learner(self, recipe: &EvaluationRecipe, threads: usize) -> Box<dyn Learner> {
        match self {
            Network::Evaluation => Box::new(Accumulators::new(recipe.score_weight as f32, threads)),
            Network::EvaluationArticle => Box::new(Article::new(recipe)),
        }
    }
}

/// An evaluation network in training. Its weights are 32-bit numbers in a row.
pub(super) trait Learner {
    /// How many weights there are.
    fn count(&self) -> usize;

    /// What the network is made of, in words.
    fn description(&self) -> String;

    /// Random weights to begin with.
    fn random(&self, seed: u64) -> Tensor;

    /// The mean gradient of the loss at `weights`, on the same device, and the mean loss.
    fn gradient(&mut self, weights: &Tensor, positions: &[LabelledPosition]) -> (Tensor, f64);

    /// What the sides to move have, as chances to win.
    fn chances(&self, weights: &Tensor, positions: &[LabelledPosition]) -> Vec<f32>;

    /// The file of the network of `weights`, for the engine.
    ///
    /// # Errors
    ///
    /// If the engine cannot take such weights.
    fn file(&self, name: &str, weights: &Tensor, origin: String) -> Result<Vec<u8>, EvaluationError>;

    /// The same from such a file, as the engine works it out.
    ///
    /// # Errors
    ///
    /// If it is none.
    fn played(
        &self,
        name: &str,
        file: &[u8],
        positions: &[LabelledPosition],
    ) -> Result<Vec<f32>, EvaluationError>;
}

/// What the engine, or another one's score in centipawns, is as a chance to win.
pub(super) fn chance(score: f32) -> f32 {
    Scaling::Chance.output(score)
}

/// What the label says of a position, as a chance.
pub(super) fn expected(position: &LabelledPosition) -> f32 {
    chance(f32::from(position.score()))
}

/// What a scorer says of positions, as chances of the side to move.
pub(super) fn by_scorer(scorer: &impl Scorer, positions: &[LabelledPosition]) -> Vec<f32> {
    let value = |labelled: &LabelledPosition| {
        let mut board = Board::empty();
        labelled.men().for_each(|(piece, square)| board.set_piece_at(square, piece));
        let setup = Setup { board, turn: labelled.turn(), ..Setup::empty() };
        let position = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .expect("kings on both sides, and no check that could be taken advantage of");
        scorer.value(&scorer.root(&position), &position)
    };
    positions.iter().map(|position| chance(value(position) as f32)).collect()
}

/// Weights on the CPU.
fn row(weights: &Tensor) -> Vec<f32> {
    Vec::try_from(weights.to_device(Device::Cpu)).expect("a row of floats")
}

/// The chance to win for a network's output, a logit.
fn of_logit(logit: f32) -> f32 {
    chance(SCALE as f32 * logit)
}
