use std::fmt::{self, Display, Formatter};

use entente_network::NetworkError;
use thiserror::Error;

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct RequestError {
    /// The settings at fault, each with its value behind it where that matters.
    pub asked: Vec<String>,
    /// What is wrong.
    pub reason: String,
}

impl RequestError {
    pub(super) fn new(asked: &str, reason: impl Into<String>) -> RequestError {
        RequestError { asked: vec![asked.to_owned()], reason: reason.into() }
    }

    pub(super) fn network(error: &NetworkError) -> RequestError {
        let text = error.to_string();
        RequestError::new("network", text.strip_prefix("network ").unwrap_or(&text))
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
        RequestError::new("network", reason)
    }

    /// The first setting at fault, without its value.
    pub fn setting(&self) -> &str {
        let first = self.asked.first().map_or("", String::as_str);
        first.split(' ').next().unwrap_or(first)
    }

    /// The message, with the settings as whoever asked for them calls them: `--elo` or `WhiteElo`.
    pub fn said_with(&self, name: impl Fn(&str) -> String) -> String {
        let named = |asked: &String| match asked.split_once(' ') {
            Some((setting, value)) => format!("{} {value}", name(setting)),
            None => name(asked),
        };
        let asked: Vec<String> = self.asked.iter().map(named).collect();
        format!("{}: {}", asked.join(", "), self.reason)
    }
}

impl Display for RequestError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said_with(str::to_owned))
    }
}
