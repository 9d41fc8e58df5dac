//! Moves as people of a rating play them.

use entente_network::{NetworkError, encoding::Distribution};
use entente_search::{Game, Limits, tree::Found};
use rand::Rng;
use shakmaty::Move;

use super::{care::Care, opponent::Opponent, sight::View};

/// A move as people play them, one of `moves`, and what the position is worth. `moves` are legal and not empty; of those
/// drawn the best one is played as far as `limits` allow to find out.
///
/// # Errors
/// [`NetworkError`] if the network cannot be run.
pub(super) fn draw(
    opponent: &mut Opponent,
    game: &Game,
    moves: &[Move],
    care: Care,
    limits: Limits<'_>,
    rng: &mut impl Rng,
) -> Result<(Move, Found), NetworkError> {
    let View { moves: legal, mut chances, found } = opponent.sight.look(game)?;
    chances.mask(|index| moves.contains(&legal[index]));
    let mut candidates: Vec<Move> = Vec::new();
    for _ in 0..care.draws(rng) {
        let drawn = one_of(moves, &legal, &chances, rng);
        if !candidates.contains(&drawn) {
            candidates.push(drawn);
        }
    }
    Ok((opponent.look_ahead.best(game, candidates, care.nodes, limits), found))
}

/// One of `moves`, drawn by the `chances` of the `legal` ones.
pub(super) fn one_of(moves: &[Move], legal: &[Move], chances: &Distribution, rng: &mut impl Rng) -> Move {
    let drawn = chances.draw(rng).map(|index| legal[index]);
    drawn.filter(|m| moves.contains(m)).unwrap_or(moves[0])
}
