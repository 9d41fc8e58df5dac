use std::fmt::{self, Display, Formatter};

use entente_network::NetworkError;
use thiserror::Error;

use crate::settings::{Setting, SettingError, Value};

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub struct RequestError {
    /// The settings at fault, each with its value where that matters.
    pub settings: Vec<(Setting, Option<Value>)>,
    /// What is wrong.
    pub reason: String,
}

impl RequestError {
    pub(super) fn new(setting: Setting, reason: impl Into<String>) -> RequestError {
        RequestError { settings: vec![(setting, None)], reason: reason.into() }
    }

    /// About a setting that has that value.
    pub(super) fn at(setting: Setting, value: Value, reason: impl Into<String>) -> RequestError {
        RequestError { settings: vec![(setting, Some(value))], reason: reason.into() }
    }

    pub(super) fn network(error: &NetworkError) -> RequestError {
        let text = error.to_string();
        RequestError::new(Setting::Network, text.strip_prefix("network ").unwrap_or(&text))
    }

    /// A network that is of neither kind: what is wrong with it as a policy, and as a satisfaction network.
    pub(super) fn network_of_no_kind(
        name: &str,
        as_policy: &NetworkError,
        as_satisfaction: &NetworkError,
    ) -> RequestError {
        let prefix = format!("network {name}: ");
        let said = |error: &NetworkError| {
            let text = error.to_string();
            text.strip_prefix(&prefix).map_or(text.clone(), str::to_owned)
        };
        let (policy, satisfaction) = (said(as_policy), said(as_satisfaction));
        let reason =
            format!("{name} is neither a policy ({policy}) nor a satisfaction network ({satisfaction})");
        RequestError::new(Setting::Network, reason)
    }

    /// The first setting at fault.
    pub fn setting(&self) -> Option<Setting> {
        self.settings.first().map(|(setting, _)| *setting)
    }

    /// The message, with the names that settings have where they were set: `--elo` or `WhiteElo`.
    pub fn with_names(&self, name: impl Fn(Setting) -> String) -> String {
        let named = |(setting, value): &(Setting, Option<Value>)| match value {
            Some(value) => format!("{} {value}", name(*setting)),
            None => name(*setting),
        };
        let settings: Vec<String> = self.settings.iter().map(named).collect();
        format!("{}: {}", settings.join(", "), self.reason)
    }

    /// The message, with settings as flags of the command line.
    pub fn with_flags(&self) -> String {
        self.with_names(|setting| format!("--{}", setting.row().name))
    }
}

impl Display for RequestError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_names(|setting| setting.row().name.to_owned()))
    }
}

impl From<SettingError> for RequestError {
    fn from(SettingError { setting, value, error }: SettingError) -> RequestError {
        RequestError::at(setting, value, error.to_string())
    }
}
