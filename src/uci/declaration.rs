//! What an option is: its name, its type with default and bounds, and how it is told and checked.

use std::fmt::{self, Display, Formatter};

use super::options::Options;

/// One option: what the GUI is told of it and where its value goes.
#[derive(Debug)]
pub struct Declaration {
    /// Its name; case does not matter. No name may contain the word "value", which ends names.
    pub name: &'static str,
    /// Its type, default and bounds.
    pub kind: Kind,
    /// What it does. UCI has no place for it: the README repeats it, and a test compares the two.
    #[cfg_attr(not(test), expect(dead_code, reason = "written for the documentation"))]
    pub help: &'static str,
    pub(super) store: fn(&mut Options, Value) -> Result<(), String>,
}

/// The type of an option, with its default and bounds.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text {
        /// The default; an empty one is written `<empty>`.
        default: &'static str,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u32,
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: &'static str,
        /// All of them.
        choices: &'static [&'static str],
    },
    /// Yes or no.
    Check {
        /// The default.
        default: bool,
    },
}

/// A checked value on its way to its place.
pub(super) enum Value {
    Text(String),
    Number(u32),
    Choice(&'static str),
    Switch(bool),
}

#[cfg(test)]
impl Declaration {
    /// A row of the documentation's table: name, values, default, help.
    pub(super) fn markdown_row(&self) -> String {
        let Declaration { name, kind, help, .. } = self;
        let (values, default) = match kind {
            Kind::Text { default } => ("text".to_owned(), format!("`{}`", or_empty(default))),
            Kind::Spin { default, min, max } => (format!("{min} to {max}"), default.to_string()),
            Kind::Combo { default, choices } => {
                let choices: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
                (choices.join(", "), format!("`{default}`"))
            }
            Kind::Check { default } => ("`true`, `false`".to_owned(), format!("`{default}`")),
        };
        format!("| `{name}` | {values} | {default} | {help} |\n")
    }
}

impl Kind {
    /// The default, as it is stored.
    pub(super) fn default_value(&self) -> Value {
        match *self {
            Kind::Text { default } => Value::Text(default.to_owned()),
            Kind::Spin { default, .. } => Value::Number(default),
            Kind::Combo { default, .. } => Value::Choice(default),
            Kind::Check { default } => Value::Switch(default),
        }
    }

    /// The value that `text` stands for, if it is allowed.
    pub(super) fn check(&self, text: Option<&str>) -> Option<Value> {
        match *self {
            Kind::Text { .. } => {
                let text = text.unwrap_or("");
                Some(Value::Text(if text == "<empty>" { "" } else { text }.to_owned()))
            }
            Kind::Spin { min, max, .. } => {
                let number = text?.parse().ok()?;
                (min..=max).contains(&number).then_some(Value::Number(number))
            }
            Kind::Combo { choices, .. } => {
                let text = text?;
                choices
                    .iter()
                    .find(|choice| choice.eq_ignore_ascii_case(text))
                    .map(|choice| Value::Choice(choice))
            }
            Kind::Check { .. } => {
                let text = text?;
                let switch =
                    [false, true].into_iter().find(|switch| switch.to_string().eq_ignore_ascii_case(text));
                switch.map(Value::Switch)
            }
        }
    }

    /// What is allowed, in words.
    pub(super) fn expected(&self) -> String {
        match self {
            Kind::Text { .. } => "a text".to_owned(),
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Kind::Check { .. } => "true or false".to_owned(),
        }
    }
}

/// A store function gets the kind of value that its own declaration names.
const KIND_MATCHES: &str = "an option stores a value of its own type";

impl Value {
    pub(super) fn text(self) -> String {
        let Value::Text(text) = self else { panic!("{KIND_MATCHES}") };
        text
    }

    pub(super) fn number(self) -> u32 {
        let Value::Number(number) = self else { panic!("{KIND_MATCHES}") };
        number
    }

    pub(super) fn choice(self) -> &'static str {
        let Value::Choice(choice) = self else { panic!("{KIND_MATCHES}") };
        choice
    }

    pub(super) fn switch(self) -> bool {
        let Value::Switch(switch) = self else { panic!("{KIND_MATCHES}") };
        switch
    }
}

impl Display for Declaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Text { default } => write!(f, "string default {}", or_empty(default)),
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Check { default } => write!(f, "check default {default}"),
        }
    }
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { "<empty>" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(kind: Kind) -> Declaration {
        Declaration { name: "Name", kind, help: "Help.", store: |_, _| Ok(()) }
    }

    #[test]
    fn every_type_prints_as_the_protocol_has_it_and_as_a_row() {
        for (kind, line, row) in [
            (
                Kind::Text { default: "" },
                "option name Name type string default <empty>",
                "| `Name` | text | `<empty>` | Help. |\n",
            ),
            (
                Kind::Spin { default: 10, min: 0, max: 100 },
                "option name Name type spin default 10 min 0 max 100",
                "| `Name` | 0 to 100 | 10 | Help. |\n",
            ),
            (
                Kind::Combo { default: "auto", choices: &["auto", "network"] },
                "option name Name type combo default auto var auto var network",
                "| `Name` | `auto`, `network` | `auto` | Help. |\n",
            ),
            (
                Kind::Check { default: false },
                "option name Name type check default false",
                "| `Name` | `true`, `false` | `false` | Help. |\n",
            ),
        ] {
            let declaration = declared(kind);
            assert_eq!((declaration.to_string().as_str(), declaration.markdown_row().as_str()), (line, row));
        }
    }

    #[test]
    fn only_what_is_declared_is_allowed() {
        let spin = Kind::Spin { default: 1, min: 1, max: 256 };
        for (text, expected) in [("1", Some(1)), ("256", Some(256)), ("0", None), ("257", None), ("-1", None)]
        {
            assert_eq!(spin.check(Some(text)).map(Value::number), expected, "{text}");
        }
        let combo = Kind::Combo { default: "auto", choices: &["auto", "network"] };
        assert_eq!(combo.check(Some("NETWORK")).map(Value::choice), Some("network"));
        assert!(combo.check(Some("net")).is_none() && combo.check(None).is_none());
        assert_eq!(Kind::Check { default: false }.check(Some("True")).map(Value::switch), Some(true));
        assert_eq!(Kind::Text { default: "" }.check(Some("<empty>")).map(Value::text), Some(String::new()));
    }
}
