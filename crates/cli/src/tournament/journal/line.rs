//! The line of a game in the results: JSON whose last member is a checksum of the rest.

use entente::records::Record;
use serde::{Deserialize, Serialize};

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The name of the entrant.
    pub entrant: String,
    /// The game.
    #[serde(flatten)]
    pub record: Record,
}

/// The text before the checksum.
const BEFORE: &str = ",\"crc32\":\"";
/// The text after the checksum.
const AFTER: &str = "\"}";
/// The length of the checksum, in hexadecimal digits.
const DIGITS: usize = 8;

impl Played {
    /// The line, with its line break. The checksum is the CRC-32 of the object without the checksum.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("numbers and strings are always JSON");
        let checksum = crc32fast::hash(line.as_bytes());
        line.pop();
        format!("{line}{BEFORE}{checksum:08x}{AFTER}\n")
    }

    /// Parses a line, with its line break.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &[u8]) -> Result<Played, String> {
        let Some(line) = line.strip_suffix(b"\n") else { return Err("the line is cut off".to_owned()) };
        let line = str::from_utf8(line).map_err(|_| "expected UTF-8".to_owned())?;
        let no_checksum = || "expected a checksum at the end".to_owned();
        let (rest, checksum) = line
            .strip_suffix(AFTER)
            .and_then(|line| line.split_at_checked(line.len().checked_sub(DIGITS)?))
            .ok_or_else(no_checksum)?;
        let body = rest.strip_suffix(BEFORE).ok_or_else(no_checksum)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(body.as_bytes());
        hasher.update(b"}");
        if checksum != format!("{:08x}", hasher.finalize()) {
            return Err("wrong checksum: the line was altered".to_owned());
        }
        serde_json::from_str(line).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use entente::generation::Outcome;

    use super::*;

    fn played() -> Played {
        Played {
            entrant: "a \"b\"".to_owned(),
            record: Record {
                index: 3,
                outcome: Outcome::Found,
                constraint: "N@f3".to_owned(),
                method: "best-first".to_owned(),
                seed: 7,
                root: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
                fen: "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1".to_owned(),
                plies: 1,
                moves: vec!["g1f3".to_owned()],
                distance: 0,
                attempts: 1,
                first_attempt_distance: 0,
                nodes: 12,
                evaluations: 12,
                centipawns: None,
                puzzle: None,
                policy: None,
            },
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let line = played().line();
        assert_eq!(Played::read(line.as_bytes()), Ok(played()));
        let value: serde_json::Value = serde_json::from_str(&line).expect("any JSON reader reads it");
        assert_eq!(value["moves"][0], "g1f3");
    }

    #[test]
    fn every_altered_byte_and_every_cut_is_detected() {
        let line = played().line().into_bytes();
        for index in 0..line.len() {
            assert!(Played::read(&line[..index]).is_err(), "cut at {index}");
            let mut altered = line.clone();
            altered[index] ^= 1;
            assert!(Played::read(&altered).is_err(), "altered at {index}");
        }
    }
}
