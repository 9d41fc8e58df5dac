use std::{env, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::array;

/// A part of all games: every `of`-th one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 1.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };
    /// The most parts.
    pub const MOST: u64 = 10_000;

    /// What a user says: `I/N`, or `auto` for the part that the scheduler gave this process in its environment.
    ///
    /// # Errors
    /// What was expected, with the names of the variables.
    pub fn given(text: &str) -> Result<Shard, String> {
        match text {
            "auto" => array::shard(|name| env::var(name).ok()),
            text => text.parse(),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= Shard::MOST && !text.contains('+') => {
                Ok(Shard { number, of })
            }
            _ => Err(format!(
                "expected I/N with I from 1 to N and N up to {}, such as 1/2, or auto under a scheduler",
                Shard::MOST
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
    fn a_shard_is_one_of_so_many() {
        for text in ["0/2", "3/2", "1", "+1/2", "1/10001", "auto"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        assert_eq!(Shard::given("2/3"), Ok(Shard { number: 2, of: 3 }));
    }
}
