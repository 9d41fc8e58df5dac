//! The network of the article on Monte Carlo playouts, which only random playouts use.
//!
//! The rest of the engine knows it as a [`Scorer`].

mod network;

use std::sync::Arc;

pub use network::{ArticleNetwork, CELLS, EPSILON, FILTERS, MEN, Scaling, man, square_index};
use shakmaty::{Chess, Move, Position};

use super::Scorer;

/// The scorer with the network of the article on Monte Carlo playouts.
#[derive(Clone, Debug)]
pub struct ArticleScorer(Arc<ArticleNetwork>);

impl ArticleScorer {
    /// A scorer with `network`.
    pub fn new(network: Arc<ArticleNetwork>) -> ArticleScorer {
        ArticleScorer(network)
    }
}

impl Scorer for ArticleScorer {
    type State = ();

    const WORTH: i32 = 100;
    const IS_SELECTIVE: bool = false;

    fn root(&self, _: &Chess) {}

    fn after(&self, (): &(), _: Move, _: &Chess, (): &mut ()) {}

    fn value(&self, (): &(), position: &Chess) -> i32 {
        let for_white = self.0.value(position.board()).round() as i32;
        position.turn().fold_wb(for_white, -for_white)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    #[test]
    fn the_value_is_for_the_side_to_move() {
        let scorer = ArticleScorer::new(ArticleNetwork::embedded());
        let value = |turn: &str| {
            let fen = format!("rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR {turn} KQkq - 0 3");
            scorer.value(&(), &position_from_fen(&fen).unwrap())
        };
        assert!(value("w") > 300, "a queen ahead: {}", value("w"));
        assert_eq!(value("w"), -value("b"));
    }
}
