//! Why a call is refused or failed.

use std::fmt::{self, Display, Formatter};

use entente_constraint::ParseError;
use serde_json::{Value, json};

/// A sentence for the caller, with the argument that is wrong, if one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The name of the argument.
    pub argument: Option<String>,
    /// Where in the argument, in characters from 1.
    pub column: Option<usize>,
    /// What is wrong, and what was expected.
    pub reason: String,
}

impl Refusal {
    /// An argument is wrong.
    pub fn of(argument: &str, reason: impl Display) -> Refusal {
        Refusal { argument: Some(argument.to_owned()), column: None, reason: reason.to_string() }
    }

    /// The text of an argument is not a constraint.
    pub(crate) fn of_constraint(argument: &str, error: &ParseError) -> Refusal {
        Refusal { column: Some(error.column), ..Refusal::of(argument, error) }
    }

    /// The call failed, whatever its arguments.
    pub fn failure(reason: impl Display) -> Refusal {
        Refusal { argument: None, column: None, reason: reason.to_string() }
    }

    /// The refusal as an object with `error`, and `argument` and `column` where they are known.
    pub fn json(&self) -> Value {
        let mut value = json!({ "error": self.to_string() });
        if let Some(argument) = &self.argument {
            value["argument"] = argument.as_str().into();
        }
        if let Some(column) = self.column {
            value["column"] = column.into();
        }
        value
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.argument {
            // "constraint, column 3: …" names the argument itself.
            Some(argument) if self.column.is_some() && self.reason.starts_with(argument.as_str()) => {
                f.write_str(&self.reason)
            }
            Some(argument) => write!(f, "{argument}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}
