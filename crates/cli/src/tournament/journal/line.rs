//! A game's line in the results: JSON whose last member is the checksum of what stands before it.

use entente::generation::Record;
use serde::{Deserialize, Serialize};

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Who generated it.
    pub entrant: String,
    /// The game.
    #[serde(flatten)]
    pub record: Record,
}

/// What stands between the last member and the checksum.
const BEFORE: &str = ",\"crc32\":\"";
/// What stands behind it.
const AFTER: &str = "\"}";
/// Its length, in hexadecimal digits.
const DIGITS: usize = 8;

impl Played {
    /// The line, with its line break. Its checksum is the CRC-32 of the object as it was without that member.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("numbers and strings are always JSON");
        let checksum = crc32fast::hash(line.as_bytes());
        line.pop();
        format!("{line}{BEFORE}{checksum:08x}{AFTER}\n")
    }

    /// Reads a line, with its line break.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &[u8]) -> Result<Played, String> {
        let Some(line) = line.strip_suffix(b"\n") else { return Err("the line is cut off".to_owned()) };
        let line = str::from_utf8(line).map_err(|_| "it is no UTF-8".to_owned())?;
        let no_checksum = || "expected a checksum at its end".to_owned();
        let (rest, checksum) = line
            .strip_suffix(AFTER)
            .and_then(|line| line.split_at_checked(line.len().checked_sub(DIGITS)?))
            .ok_or_else(no_checksum)?;
        let body = rest.strip_suffix(BEFORE).ok_or_else(no_checksum)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(body.as_bytes());
        hasher.update(b"}");
        if checksum != format!("{:08x}", hasher.finalize()) {
            return Err("the checksum is another: it was altered".to_owned());
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
    fn every_altered_byte_and_every_lost_end_is_noticed() {
        let line = played().line().into_bytes();
        for index in 0..line.len() {
            assert!(Played::read(&line[..index]).is_err(), "cut at {index}");
            let mut altered = line.clone();
            altered[index] ^= 1;
            assert!(Played::read(&altered).is_err(), "altered at {index}");
        }
    }
}
