//! The words of a command, and errors about them.

use entente_search::perft;
use thiserror::Error;

/// A known command with wrong arguments.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// `position` without a position.
    #[error("position: expected 'startpos' or 'fen', found {0}")]
    Position(String),
    /// `position startpos` followed by something other than `moves`.
    #[error("position startpos: expected 'moves' or the end of the line, found {0}")]
    Moves(String),
    /// `position` with so many moves that the line was not read to its end.
    #[error("position: the line has more than {0} bytes")]
    LongPosition(usize),
    /// `setoption` without a name.
    #[error("setoption: expected 'name' and the name of an option, found {0}")]
    SetOption(String),
    /// `perft` without a depth.
    #[error("perft: expected a depth from 1 to {most}, found {0}", most = perft::DEEPEST)]
    Perft(String),
    /// `genfens` without a number, or with a keyword without a value.
    #[error("genfens: expected {expected}, found {found}, as in genfens 10 seed 1 book None")]
    GenFens {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// An unknown word of `go prove`, or one without its number.
    #[error("go prove: expected {expected}, found {found}")]
    Prove {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// An unknown limit of `go generate`, or one without its number. A plain `go` skips such words, as the standard
    /// demands. Here a skipped word would silently generate something else than the user wants.
    #[error("go generate: expected {expected}, found {found}")]
    Generate {
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl CommandError {
    /// True if the command would have set the position.
    pub(super) fn is_about_position(&self) -> bool {
        matches!(self, CommandError::Position(_) | CommandError::Moves(_) | CommandError::LongPosition(_))
    }
}

/// The first word of a trimmed text and the trimmed rest.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// A line for a message: cut if it is long, and without control characters, which could move a terminal's cursor.
pub(super) fn shortened(line: &str) -> String {
    const LONGEST: usize = 60;
    let mut characters = line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// A word in quotes for an error message, or the end of the line if it is empty.
pub(super) fn found(word: &str) -> String {
    if word.is_empty() { "the end of the line".to_owned() } else { format!("'{word}'") }
}
