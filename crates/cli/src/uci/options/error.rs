use entente::settings::Setting;
use thiserror::Error;

/// Why an option cannot be set; its value is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(in super::super) enum OptionError {
    /// There is no such option. GUIs send options that were not declared, so this is no error.
    #[error("there is no option '{name}'{}", .nearest.map_or(String::new(), |name| format!("; did you mean '{name}'?")))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The most similar name.
        nearest: Option<&'static str>,
    },
    /// The value is not one of those allowed.
    #[error("option {name}: expected {expected}, found {found}")]
    Value {
        /// The option.
        name: &'static str,
        /// The allowed values.
        expected: String,
        /// The value that was given.
        found: String,
    },
    /// The value has the right type but cannot be used.
    #[error("option {name}: {reason}")]
    Refused {
        /// The setting.
        setting: Setting,
        /// The option.
        name: &'static str,
        /// The reason.
        reason: String,
    },
}

impl OptionError {
    /// The setting whose value was refused although it has the right type.
    pub(in super::super) fn setting(&self) -> Option<Setting> {
        match self {
            OptionError::Refused { setting, .. } => Some(*setting),
            OptionError::Unknown { .. } | OptionError::Value { .. } => None,
        }
    }
}
