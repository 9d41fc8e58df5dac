//! Divides games into training, validation and test data, by their moves alone.

use std::fmt::{self, Display, Formatter};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Move};

/// A part of the data. The same moves are always in the same part, in every store and every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// 60% of the games: networks learn from them.
    Training,
    /// 30%: only the reference policy learns from them, which judges how human generated games look.
    Reference,
    /// 5%: for early stopping and the choice of settings and of the best network.
    Validation,
    /// 5%: for figures in model cards, and for nothing else.
    Test,
}

impl Split {
    /// The part of a game from the initial position. The moves in UCI notation, separated by single spaces, are hashed
    /// with SHA-256. The first eight bytes of the digest, as a big-endian number modulo 100, give the part: 0–59
    /// training, 60–89 reference, 90–94 validation, 95–99 test.
    pub fn of_moves(moves: &[Move]) -> Split {
        let mut text = String::with_capacity(moves.len() * 6);
        for &m in moves {
            if !text.is_empty() {
                text.push(' ');
            }
            m.to_uci(CastlingMode::Standard).append_to_string(&mut text);
        }
        Split::of_text(&text)
    }

    /// The part of anything that `text` identifies, computed in the same way.
    pub fn of_text(text: &str) -> Split {
        let digest = Sha256::digest(text.as_bytes());
        let number = digest[..8].iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
        match number % 100 {
            0..60 => Split::Training,
            60..90 => Split::Reference,
            90..95 => Split::Validation,
            _ => Split::Test,
        }
    }
}

impl Display for Split {
    /// The name: `training`, `reference`, `validation` or `test`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Split::Training => "training",
            Split::Reference => "reference",
            Split::Validation => "validation",
            Split::Test => "test",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position, uci::UciMove};

    fn split(text: &str) -> Split {
        let mut position = Chess::default();
        let moves: Vec<Move> = text
            .split_whitespace()
            .map(|word| {
                let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(m);
                m
            })
            .collect();
        Split::of_moves(&moves)
    }

    /// The split must never change, because figures in model cards depend on it. The values were computed with Python's
    /// `int.from_bytes(hashlib.sha256(moves).digest()[:8], "big") % 100`.
    #[test]
    fn the_split_of_a_game_never_changes() {
        for (moves, expected) in SPLITS {
            assert_eq!(split(moves), expected, "{moves}");
        }
    }

    const SPLITS: [(&str, Split); 4] = [
        ("e2e4 e7e5", Split::Reference),
        ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", Split::Training),
        ("a2a4", Split::Validation),
        ("f2f3", Split::Test),
    ];
}
