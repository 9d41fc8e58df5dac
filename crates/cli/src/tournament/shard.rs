use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A part of all games: every `of`-th game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The number of this shard, from 1.
    pub number: u64,
    /// The number of all shards.
    pub of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };
    /// The maximum number of shards.
    pub const MAX: u64 = 10_000;
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= Shard::MAX && !text.contains('+') => {
                Ok(Shard { number, of })
            }
            _ => Err(format!(
                "expected I/N with I from 1 to N and N up to {}, such as 1/2, or auto under a scheduler",
                Shard::MAX
            )),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_written_as_i_of_n() {
        for text in ["0/2", "3/2", "1", "+1/2", "1/10001", "auto"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
    }
}
