use entente::settings::GenerationSettings;
use serde::{Deserialize, Serialize};

/// A participant of a tournament: a method with all its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables. The seed of its games depends on it.
    pub name: String,
    /// Its settings.
    #[serde(flatten)]
    pub settings: GenerationSettings,
    /// The SHA-256 of its network's file, in hexadecimal, unless the network is built in.
    pub network_sha256: Option<String>,
    /// The same for its human network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human_network_sha256: Option<String>,
}

impl Entrant {
    /// An entrant whose networks have not been read.
    pub(crate) fn new(name: String, settings: GenerationSettings) -> Entrant {
        Entrant { name, settings, network_sha256: None, human_network_sha256: None }
    }

    /// Its fields as pairs of name and value, for comparison. The names begin with `noun` and `number`, its place in
    /// the plan.
    pub(super) fn fields(&self, noun: &str, number: usize) -> Vec<(String, String)> {
        let options = self.settings.flags();
        let digest = |digest: &Option<String>| digest.clone().unwrap_or_default();
        [
            ("name", self.name.clone()),
            ("settings", options.join(" ")),
            ("network's SHA-256", digest(&self.network_sha256)),
            ("human network's SHA-256", digest(&self.human_network_sha256)),
        ]
        .map(|(name, value)| (format!("{noun} {number}, {name}"), value))
        .into()
    }
}
