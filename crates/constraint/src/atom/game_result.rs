use std::fmt::{self, Display, Formatter};

/// What a game leads to if both sides play as well as possible, as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

impl GameResult {
    /// The words of the language.
    pub(super) const WORDS: [(&str, GameResult); 3] =
        [("win", GameResult::Win), ("draw", GameResult::Draw), ("loss", GameResult::Loss)];

    /// The same result as the other side sees it.
    pub fn reversed(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        }
    }
}

impl Display for GameResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word = GameResult::WORDS.into_iter().find_map(|(word, known)| (known == *self).then_some(word));
        f.write_str(word.unwrap_or_default())
    }
}
