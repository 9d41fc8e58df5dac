//! The words of a command, and what may be wrong with them.

use entente_search::perft;
use thiserror::Error;

/// A known command that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// `position` without a position.
    #[error("position: expected 'startpos' or 'fen', found {0}")]
    Position(String),
    /// `position startpos` with something else than moves behind it.
    #[error("position startpos: expected 'moves' or the end of the line, found {0}")]
    Moves(String),
    /// `setoption` without a name.
    #[error("setoption: expected 'name' and the name of an option, found {0}")]
    SetOption(String),
    /// `perft` without a depth.
    #[error("perft: expected a depth from 1 to {most}, found {0}", most = perft::DEEPEST)]
    Perft(String),
    /// `genfens` without a number, or with half a pair of words.
    #[error("genfens: expected {expected}, found {found}, as in genfens 10 seed 1 book None")]
    GenFens {
        /// What could have stood there.
        expected: String,
        /// What stood there.
        found: String,
    },
    /// A word of `go prove` that is none, or lacks its number.
    #[error("go prove: expected {expected}, found {found}")]
    Prove {
        /// What could have stood there.
        expected: String,
        /// What stood there.
        found: String,
    },
    /// A limit of `go generate` that is none. Words of a plain `go` are skipped instead, as the
    /// standard demands; here a skipped word would quietly give something else than was asked for.
    #[error("go generate: expected {expected}, found {found}")]
    Generate {
        /// What could have stood there.
        expected: String,
        /// What stood there.
        found: String,
    },
}

/// The first word of a trimmed text and the trimmed rest.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// A line as messages quote it: long ones in part, and without characters that move a terminal's cursor.
pub(super) fn shortened(line: &str) -> String {
    const LONGEST: usize = 60;
    let mut characters = line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// How an error message names a word that was found.
pub(super) fn found(word: &str) -> String {
    if word.is_empty() { "the end of the line".to_owned() } else { format!("'{word}'") }
}
