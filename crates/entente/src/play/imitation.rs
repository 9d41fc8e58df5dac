//! Moves drawn as humans of a rating play them.

use entente_network::{NetworkError, encoding::Distribution};
use entente_search::{Game, Limits, tree::Found};
use rand::Rng;
use shakmaty::Move;

use super::{best_of_draws::BestOfDraws, human_model::HumanPrediction, policy_evaluator::PolicyEvaluator};

/// A human-like move, one of `moves`, and the evaluation of the position. `moves` must be legal and not empty. Several
/// moves are drawn, and the best of them is played, if `limits` allow the search that compares them.
///
/// # Errors
/// [`NetworkError`] if the network cannot be run.
pub(super) fn draw(
    evaluator: &mut PolicyEvaluator,
    game: &Game,
    moves: &[Move],
    best_of_draws: BestOfDraws,
    limits: Limits<'_>,
    rng: &mut impl Rng,
) -> Result<(Move, Found), NetworkError> {
    let HumanPrediction { moves: legal, mut chances, found } = evaluator.human_model.predict(game)?;
    chances.mask(|index| moves.contains(&legal[index]));
    let mut candidates: Vec<Move> = Vec::new();
    for _ in 0..best_of_draws.draws(rng) {
        let drawn = one_of(moves, &legal, &chances, rng);
        if !candidates.contains(&drawn) {
            candidates.push(drawn);
        }
    }
    Ok((evaluator.look_ahead.best(game, candidates, best_of_draws.nodes, limits), found))
}

/// One of `moves`, drawn with the probabilities `chances` of the legal moves `legal`.
pub(super) fn one_of(moves: &[Move], legal: &[Move], chances: &Distribution, rng: &mut impl Rng) -> Move {
    let drawn = chances.draw(rng).map(|index| legal[index]);
    drawn.filter(|m| moves.contains(m)).unwrap_or(moves[0])
}
