use entente_search::{Game, Score};

/// A chess engine that evaluates positions.
pub trait Valuer: Send {
    /// The name of the engine.
    fn name(&self) -> &str;

    /// Forgets earlier games, so that the scores of a game do not depend on them.
    ///
    /// # Errors
    ///
    /// If the engine does not answer.
    fn begin(&mut self) -> anyhow::Result<()>;

    /// The score of the game's current position for the side to move, which must have a legal move.
    ///
    /// # Errors
    ///
    /// If the engine does not answer, or its answer is invalid.
    fn score(&mut self, game: &Game) -> anyhow::Result<Score>;
}
