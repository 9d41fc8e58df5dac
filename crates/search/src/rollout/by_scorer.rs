use std::convert::Infallible;

use shakmaty::{Chess, Color, Position};

use super::PlayoutEvaluator;
use crate::{
    PortableMath as _,
    scorer::{SCALE, Scorer},
};

/// A judge for play against an opponent. It converts a scorer's evaluation to the probability of a win for the side
/// that searches.
#[derive(Clone, Debug)]
pub struct ByScorer<S> {
    scorer: S,
    turn: Color,
}

impl<S: Scorer> ByScorer<S> {
    /// A judge with `scorer`. The side that searches is White until [`ByScorer::seat`] changes it.
    pub fn new(scorer: S) -> ByScorer<S> {
        ByScorer { scorer, turn: Color::White }
    }

    /// Sets the side that searches.
    pub fn seat(&mut self, turn: Color) {
        self.turn = turn;
    }
}

impl<S: Scorer> PlayoutEvaluator for ByScorer<S> {
    type Error = Infallible;

    fn value(&mut self, position: &Chess, is_over: bool) -> Result<f64, Infallible> {
        let of_mover = if is_over {
            if position.is_checkmate() { 0.0 } else { 0.5 }
        } else {
            let score = self.scorer.value(&self.scorer.root(position), position);
            1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).portable_exp())
        };
        Ok(if position.turn() == self.turn { of_mover } else { 1.0 - of_mover })
    }
}
