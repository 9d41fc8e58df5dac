use std::convert::Infallible;

use shakmaty::{Chess, Color, Position};

use super::PlayoutJudge;
use crate::scorer::{SCALE, Scorer};

/// Values playouts of play as a scorer does: by the chance to win, for whoever moves first.
#[derive(Clone, Debug)]
pub struct ByScorer<S> {
    scorer: S,
    turn: Color,
}

impl<S: Scorer> ByScorer<S> {
    /// One for the side to move in a search, which [`ByScorer::seat`] changes.
    pub fn new(scorer: S) -> ByScorer<S> {
        ByScorer { scorer, turn: Color::White }
    }

    /// Whose chances are meant from now on.
    pub fn seat(&mut self, turn: Color) {
        self.turn = turn;
    }
}

impl<S: Scorer> PlayoutJudge for ByScorer<S> {
    type Error = Infallible;

    fn value(&mut self, position: &Chess, is_over: bool) -> Result<f64, Infallible> {
        let of_mover = if is_over {
            if position.is_checkmate() { 0.0 } else { 0.5 }
        } else {
            let score = self.scorer.value(&self.scorer.root(position), position);
            1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).exp())
        };
        Ok(if position.turn() == self.turn { of_mover } else { 1.0 - of_mover })
    }
}
