use entente::search::{Game, Score};
use shakmaty::Position;

use super::Value;

/// A chess engine that says what positions are worth.
pub trait Valuer {
    /// Its name.
    fn name(&self) -> &str;

    /// Forgets earlier games, so that what it says of one depends on nothing else.
    ///
    /// # Errors
    /// If it does not answer.
    fn begin(&mut self) -> anyhow::Result<()>;

    /// The score of the position on the board for the side to move, which has a legal move.
    ///
    /// # Errors
    /// If there is no answer, or none that can be understood.
    fn score(&mut self, game: &Game) -> anyhow::Result<Score>;
}

/// What the position on the board is worth for the side to move. Where the game is over no engine is asked.
///
/// # Errors
/// Those of [`Valuer::score`].
pub(super) fn value(valuer: &mut dyn Valuer, game: &Game) -> anyhow::Result<Value> {
    let score = if game.position().legal_moves().is_empty() {
        Score::without_moves(game.position())
    } else if game.is_over() {
        Score::Centipawns(0)
    } else {
        valuer.score(game)?
    };
    Ok(Value::of(score))
}
