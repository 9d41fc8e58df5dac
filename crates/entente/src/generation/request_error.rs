use std::{
    fmt::{self, Display, Formatter},
    sync::Arc,
};

use entente_network::NetworkError;
use shakmaty::Color;
use thiserror::Error;

use crate::settings::{Choice as _, Evaluator, Method, Setting, SettingError, Value, ValueError};

/// Why a request cannot be met, and which settings are at fault.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub struct RequestError {
    /// The settings at fault. Each has its value if the value is what is wrong.
    pub settings: Vec<(Setting, Option<Value>)>,
    /// What is wrong with them.
    pub reason: RequestFault,
}

/// What is wrong with settings of a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RequestFault {
    /// The value has the wrong type or is out of bounds.
    Value(ValueError),
    /// The network cannot be used.
    Network(Arc<NetworkError>),
    /// The network is of neither kind.
    NeitherKind {
        /// The name or path of the network.
        name: String,
        /// Why it is not a policy.
        as_policy: Arc<NetworkError>,
        /// Why it is not a satisfaction network.
        as_satisfaction: Arc<NetworkError>,
    },
    /// This build lacks the backend. The text says how to get it.
    Backend(String),
    /// The published algorithm cannot be led to this constraint.
    FaithfulToCountsOnly,
    /// The method is led by numbers of men, and the constraint, which is given, has other conditions.
    CountsOnly(String),
    /// The evaluator uses no network.
    NoNetwork(Evaluator),
    /// There is no network for the backend to run.
    NothingToRun {
        /// True if the evaluator was chosen automatically, so that another one may be set.
        is_automatic: bool,
    },
    /// The method plays by a policy, and the root is a position of Chess960.
    StandardChessOnly,
    /// No rating of this player satisfies the constraint.
    NoRating(Color),
    /// The method does not use the settings.
    Unused {
        /// The method.
        method: Method,
        /// The methods that use all of these settings.
        used_by: Vec<Method>,
        /// True if there is more than one setting.
        are_several: bool,
    },
}

impl RequestError {
    /// A fault of a setting, whatever its value.
    pub(super) fn new(setting: Setting, reason: RequestFault) -> RequestError {
        RequestError { settings: vec![(setting, None)], reason }
    }

    /// A fault of the value of a setting.
    pub(super) fn at(setting: Setting, value: Value, reason: RequestFault) -> RequestError {
        RequestError { settings: vec![(setting, Some(value))], reason }
    }

    pub(super) fn network(error: NetworkError) -> RequestError {
        RequestError::network_of(Setting::Network, error)
    }

    /// The network that a setting names cannot be used.
    pub(super) fn network_of(setting: Setting, error: NetworkError) -> RequestError {
        RequestError::new(setting, RequestFault::Network(Arc::new(error)))
    }

    /// The first setting at fault.
    pub fn setting(&self) -> Option<Setting> {
        self.settings.first().map(|(setting, _)| *setting)
    }

    /// The message. `name` gives the names of settings as the user knows them, such as `--elo` or `WhiteElo`.
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
        RequestError::at(setting, value, RequestFault::Value(error))
    }
}

impl Display for RequestFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            RequestFault::Value(error) => error.fmt(f),
            RequestFault::Network(error) => f.write_str(&without_prefix(error, "network ")),
            RequestFault::NeitherKind { name, as_policy, as_satisfaction } => {
                let prefix = format!("network {name}: ");
                let (policy, satisfaction) =
                    (without_prefix(as_policy, &prefix), without_prefix(as_satisfaction, &prefix));
                write!(f, "{name} is neither a policy ({policy}) nor a satisfaction network ({satisfaction})")
            }
            RequestFault::Backend(reason) => f.write_str(reason),
            RequestFault::FaithfulToCountsOnly => {
                f.write_str("the published algorithm knows nothing but numbers of men")
            }
            RequestFault::CountsOnly(constraint) => write!(
                f,
                "it is led by numbers of men alone, and '{constraint}' says more; best-first is led by everything"
            ),
            RequestFault::NoNetwork(evaluator) => write!(f, "the evaluator {} has none", evaluator.word()),
            RequestFault::NothingToRun { is_automatic } => {
                let hint = if *is_automatic { "; evaluator network asks for one" } else { "" };
                write!(f, "the evaluator men has no network to run{hint}")
            }
            RequestFault::StandardChessOnly => f.write_str(
                "the policies know only standard chess, and this game begins with the castling rights of Chess960; \
                 best-first and negamax play it",
            ),
            RequestFault::NoRating(color) => {
                write!(f, "no rating of {} is as demanded", color.fold_wb("White", "Black"))
            }
            RequestFault::Unused { method, used_by, are_several } => {
                let what = if *are_several { "them" } else { "it" };
                let words: Vec<&str> = used_by.iter().map(|method| method.word()).collect();
                match words.as_slice() {
                    [] => write!(f, "no method uses all of {what}")?,
                    [only] => write!(f, "only the method {only} uses {what}")?,
                    [many @ .., last] => {
                        write!(f, "only the methods {} and {last} use {what}", many.join(", "))?;
                    }
                }
                write!(f, "; this is {}", method.word())
            }
        }
    }
}

/// The message of an error without a prefix that would repeat the setting or the name.
fn without_prefix(error: &NetworkError, prefix: &str) -> String {
    let text = error.to_string();
    text.strip_prefix(prefix).map_or_else(|| text.clone(), str::to_owned)
}
