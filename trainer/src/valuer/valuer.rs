use entente_search::{Game, Score};

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
