use rand::{Rng, RngExt};
use shakmaty::{Chess, Move, Position};

use crate::Game;

/// An evaluator of the final positions of playouts, for the side that searches.
pub trait PlayoutEvaluator: Send {
    /// Why an evaluation failed.
    type Error: Send;

    /// The value of a position, in [0, 1]. `is_over` is true if the game is over there.
    ///
    /// # Errors
    /// If the position cannot be evaluated. This ends the search.
    fn value(&mut self, position: &Chess, is_over: bool) -> Result<f64, Self::Error>;

    /// True if the playout should end at a position because the moves after it do not matter.
    fn is_reached(&mut self, _position: &Chess) -> bool {
        false
    }
}

/// Plays `m` and at most `depth` random moves after it, and returns the value of the final position.
///
/// # Errors
/// If the judge cannot evaluate that position.
pub fn play_out<J: PlayoutEvaluator>(
    game: &Game,
    m: Move,
    depth: u32,
    evaluator: &mut J,
    rng: &mut impl Rng,
) -> Result<f64, J::Error> {
    let mut position = game.position().clone();
    let is_over = game.ends_with(m);
    position.play_unchecked(m);
    if is_over {
        return evaluator.value(&position, true);
    }
    for _ in 0..depth {
        if evaluator.is_reached(&position) {
            break;
        }
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_insufficient_material() {
            return evaluator.value(&position, true);
        }
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    let is_over = position.is_insufficient_material() || position.legal_moves().is_empty();
    evaluator.value(&position, is_over)
}
