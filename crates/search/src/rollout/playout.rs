use rand::{Rng, RngExt};
use shakmaty::{Chess, Move, Position};

use crate::Game;

/// Says what positions are worth at which playouts end, to the one who searches.
pub trait PlayoutJudge: Send {
    /// Why it may fail.
    type Error: Send;

    /// The value of a position, in [0, 1]; nobody can move there, or the game is drawn, if it `is_over`.
    ///
    /// # Errors
    /// If it cannot say; that ends the search.
    fn value(&mut self, position: &Chess, is_over: bool) -> Result<f64, Self::Error>;

    /// True if nothing that comes after a position matters.
    fn is_reached(&mut self, _position: &Chess) -> bool {
        false
    }
}

/// Plays `m`, and at most so many random moves after it; returns the value of the end.
///
/// # Errors
/// If the judge cannot value it.
pub fn play_out<J: PlayoutJudge>(
    game: &Game,
    m: Move,
    depth: u32,
    judge: &mut J,
    rng: &mut impl Rng,
) -> Result<f64, J::Error> {
    let mut position = game.position().clone();
    let is_over = game.ends_with(m);
    position.play_unchecked(m);
    if is_over {
        return judge.value(&position, true);
    }
    for _ in 0..depth {
        if judge.is_reached(&position) {
            break;
        }
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_insufficient_material() {
            return judge.value(&position, true);
        }
        position.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    let is_over = position.is_insufficient_material() || position.legal_moves().is_empty();
    judge.value(&position, is_over)
}
