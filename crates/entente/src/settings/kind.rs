use std::fmt::{self, Display, Formatter};

use thiserror::Error;

/// The type of a setting, with its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A whole number.
    Integer {
        /// The minimum.
        least: u64,
        /// The maximum.
        most: u64,
    },
    /// A number.
    Number {
        /// The minimum.
        least: f32,
        /// The maximum.
        most: f32,
    },
    /// One of several words.
    Word {
        /// The words.
        words: &'static [Word],
        /// Whether it can be left to the program: `auto`, if that is not one of the words.
        or_auto: bool,
    },
    /// Yes or no.
    Switch,
}

/// A word that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as it is written.
    pub word: &'static str,
    /// Former spellings, which are still understood.
    pub former: &'static [&'static str],
    /// Its meaning.
    pub help: &'static str,
}

/// The word that leaves a setting to the program.
pub const AUTO: &str = "auto";

/// A value of a setting, which may not have been checked. [`Kind::check`] decides whether a setting may have it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Of [`Kind::Text`].
    Text(String),
    /// Of [`Kind::Integer`].
    Integer(u64),
    /// Of [`Kind::Number`].
    Number(f32),
    /// Of [`Kind::Word`].
    Word(&'static str),
    /// Of [`Kind::Switch`].
    Switch(bool),
}

/// Why a setting cannot have a value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueError {
    /// It is of another type, or out of bounds.
    #[error("expected {expected}, found {found:?}")]
    Unexpected {
        /// The type and bounds of the setting.
        expected: Kind,
        /// The value as text.
        found: String,
    },
    /// It has the right type but cannot be used.
    #[error("{0}")]
    Refused(String),
}

impl Kind {
    /// The value that `text` stands for; `None` for [`AUTO`].
    ///
    /// # Errors
    /// [`ValueError::Unexpected`] if the text is of another type or out of bounds.
    pub fn parse(&self, text: &str) -> Result<Option<Value>, ValueError> {
        let value = match *self {
            Kind::Text => Some(Value::Text(text.to_owned())),
            Kind::Integer { .. } => text.parse().ok().map(Value::Integer),
            Kind::Number { .. } => text.parse().ok().map(Value::Number),
            Kind::Word { or_auto: true, .. } if text.eq_ignore_ascii_case(AUTO) => return Ok(None),
            Kind::Word { words, .. } => {
                let is_it = |word: &&Word| {
                    let mut spellings = word.former.iter().chain([&word.word]);
                    spellings.any(|known| known.eq_ignore_ascii_case(text))
                };
                words.iter().find(is_it).map(|word| Value::Word(word.word))
            }
            Kind::Switch => {
                let is_it = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
                let switch = [&["false", "off"][..], &["true", "on"]].iter().position(|words| is_it(words));
                switch.map(|place| Value::Switch(place == 1))
            }
        };
        match value {
            Some(value) if self.allows(&value) => Ok(Some(value)),
            _ => Err(self.unexpected(text)),
        }
    }

    /// Checks that a setting of this kind may have this value.
    ///
    /// # Errors
    /// [`ValueError::Unexpected`] if it is of another type or out of bounds.
    pub fn check(&self, value: &Value) -> Result<(), ValueError> {
        if self.allows(value) { Ok(()) } else { Err(self.unexpected(&value.to_string())) }
    }

    fn allows(&self, value: &Value) -> bool {
        match (*self, value) {
            (Kind::Text, Value::Text(_)) | (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Integer { least, most }, Value::Integer(number)) => (least..=most).contains(number),
            (Kind::Number { least, most }, Value::Number(number)) => (least..=most).contains(number),
            (Kind::Word { words, .. }, Value::Word(word)) => words.iter().any(|known| known.word == *word),
            _ => false,
        }
    }

    fn unexpected(&self, found: &str) -> ValueError {
        ValueError::Unexpected { expected: *self, found: found.to_owned() }
    }

    /// The words to choose from, with `auto` if it can be left to the program.
    pub fn words(&self) -> Vec<Word> {
        match *self {
            Kind::Word { words, or_auto } => {
                let help = "The best choice for the task";
                let auto = or_auto.then_some(Word { word: AUTO, former: &[], help });
                auto.into_iter().chain(words.iter().copied()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The allowed values, as an error prints them after "expected".
impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Text => f.write_str("a text"),
            Kind::Integer { least, most: u64::MAX } => write!(f, "at least {least}"),
            Kind::Integer { least, most } => write!(f, "{least} to {most}"),
            Kind::Number { least, most } => write!(f, "{least} to {most}"),
            Kind::Word { .. } => {
                let words: Vec<&str> = self.words().iter().map(|word| word.word).collect();
                write!(f, "one of {}", words.join(", "))
            }
            Kind::Switch => f.write_str("true or false"),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::Switch(switch) => write!(f, "{switch}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVALUATOR: Kind = Kind::Word {
        words: &[
            Word { word: "network", former: &[], help: "" },
            Word { word: "men", former: &["material"], help: "" },
        ],
        or_auto: true,
    };

    #[test]
    fn only_declared_values_are_allowed() {
        let integer = Kind::Integer { least: 1, most: 256 };
        for (text, expected) in [("1", true), ("256", true), ("0", false), ("257", false), ("-1", false)] {
            assert_eq!(integer.parse(text).is_ok(), expected, "{text}");
        }
        let number = Kind::Number { least: -1.0, most: 10.0 };
        for (text, expected) in [("-1", true), ("0.5", true), ("10.1", false), ("NaN", false), ("x", false)] {
            assert_eq!(number.parse(text).is_ok(), expected, "{text}");
        }
        for (text, expected) in [("True", true), ("on", true), ("OFF", false), ("false", false)] {
            assert_eq!(Kind::Switch.parse(text), Ok(Some(Value::Switch(expected))), "{text}");
        }
        assert!(Kind::Switch.parse("yes").is_err());
        assert_eq!(integer.parse("0").unwrap_err().to_string(), "expected 1 to 256, found \"0\"");
        let limit = Kind::Integer { least: 1, most: u64::MAX };
        assert_eq!(limit.parse("0").unwrap_err().to_string(), "expected at least 1, found \"0\"");
    }

    #[test]
    fn values_are_checked_like_texts() {
        let integer = Kind::Integer { least: 1, most: 256 };
        let error = integer.check(&Value::Integer(257)).unwrap_err();
        assert_eq!(Some(error), integer.parse("257").err());
        let number = Kind::Number { least: 0.0, most: 1.0 };
        assert!(number.check(&Value::Number(1.0)).is_ok() && number.check(&Value::Number(f32::NAN)).is_err());
        assert!(number.check(&Value::Integer(1)).is_err() && Kind::Text.check(&Value::Word("men")).is_err());
        assert!(EVALUATOR.check(&Value::Word("men")).is_ok() && EVALUATOR.check(&Value::Word("x")).is_err());
    }

    #[test]
    fn words_are_understood_in_any_case_and_former_spelling() {
        assert_eq!(EVALUATOR.parse("NETWORK"), Ok(Some(Value::Word("network"))));
        assert_eq!(EVALUATOR.parse("material"), Ok(Some(Value::Word("men"))));
        assert_eq!(EVALUATOR.parse("Auto"), Ok(None));
        let error = EVALUATOR.parse("net").unwrap_err().to_string();
        assert_eq!(error, "expected one of auto, network, men, found \"net\"");
    }
}
