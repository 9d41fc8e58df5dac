//! A setting as an option: its type, default and bounds in the protocol, and how its values are read.

use std::fmt::{self, Display, Formatter};

use entente::settings::{Kind, Setting, Settings, UciForm, Value};
use entente_network::{NetworkKind as _, Policy, SatisfactionNetwork};

/// Greater numbers do not fit into the number fields of some GUIs.
const MAX: i64 = i32::MAX as i64;

/// An option.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct UciOption {
    pub(super) setting: Setting,
    pub(super) form: UciForm,
}

impl UciOption {
    /// The value of `text`, if it is allowed; `Some(None)` leaves the setting to the program.
    pub(super) fn read(&self, text: Option<&str>) -> Option<Option<Value>> {
        match self.setting.row().kind {
            Kind::Text => {
                let text = text.unwrap_or("");
                // GUIs send defaults back, which must not count as a choice.
                let is_default = text.is_empty() || text == "<empty>" || Some(text) == self.usual_file();
                Some((!is_default).then(|| Value::Text(text.to_owned())))
            }
            Kind::Integer { .. } | Kind::Number { .. } => {
                let number: i64 = text?.parse().ok()?;
                let (least, most) = self.bounds();
                if !(least..=most).contains(&number) {
                    return None;
                }
                Some(match self.setting.row().kind {
                    _ if self.form.unset == Some(number) => None,
                    Kind::Number { .. } => Some(Value::Number(number as f32 / self.form.factor)),
                    _ => Some(Value::Integer(number as u64)),
                })
            }
            Kind::Word { .. } | Kind::Switch => self.setting.row().kind.parse(text?).ok(),
        }
    }

    /// The minimum and maximum.
    fn bounds(&self) -> (i64, i64) {
        let scaled = |number: f32| (number * self.form.factor).round() as i64;
        let (least, most) = match self.setting.row().kind {
            Kind::Integer { least, most } => (least as i64, i64::try_from(most).unwrap_or(MAX).min(MAX)),
            Kind::Number { least, most } => (scaled(least), scaled(most)),
            Kind::Text | Kind::Word { .. } | Kind::Switch => (0, 0),
        };
        (self.form.unset.map_or(least, |unset| unset.min(least)), most)
    }

    /// The name of the embedded network that a file replaces.
    pub(super) fn usual_file(&self) -> Option<&'static str> {
        match self.setting {
            Setting::PolicyFile => Some(Policy::DEFAULT),
            Setting::EvalFile => Some(SatisfactionNetwork::DEFAULT),
            _ => None,
        }
    }

    /// The default in the protocol's notation.
    pub(super) fn default(&self) -> String {
        match self.setting.row().get(&Settings::default()) {
            Some(Value::Number(number)) => ((number * self.form.factor).round() as i64).to_string(),
            Some(value) => value.to_string(),
            None => match self.setting.row().kind {
                Kind::Text => self.usual_file().unwrap_or("<empty>").to_owned(),
                Kind::Word { .. } => entente::settings::AUTO.to_owned(),
                _ => self.form.unset.unwrap_or_default().to_string(),
            },
        }
    }

    /// The allowed values, in words.
    pub(super) fn expected(&self) -> String {
        let (least, most) = self.bounds();
        match self.setting.row().kind {
            Kind::Integer { .. } | Kind::Number { .. } => format!("a whole number from {least} to {most}"),
            kind => kind.to_string(),
        }
    }
}

impl Display for UciOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.form.name)?;
        let default = self.default();
        match self.setting.row().kind {
            Kind::Text => write!(f, "string default {default}"),
            Kind::Integer { .. } | Kind::Number { .. } => {
                let (least, most) = self.bounds();
                write!(f, "spin default {default} min {least} max {most}")
            }
            kind @ Kind::Word { .. } => {
                write!(f, "combo default {default}")?;
                kind.words().iter().try_for_each(|word| write!(f, " var {}", word.word))
            }
            Kind::Switch => write!(f, "check default {default}"),
        }
    }
}
