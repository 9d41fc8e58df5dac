use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::Plan;
use crate::generation::{Request, Settings, fen, quoted};

/// One who generates: a method with all its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables; its games depend on it.
    pub name: String,
    /// How it generates.
    #[serde(flatten)]
    pub request: Request,
    /// The SHA-256 of its network's file, in hexadecimal, where the network is not built in.
    pub network_sha256: Option<String>,
    /// Positions searched for each position generated, at most.
    pub nodes: Option<u64>,
    /// Milliseconds for each, at most. Results then depend on the machine's speed.
    pub movetime: Option<u64>,
}

impl Entrant {
    /// Its settings by name, to be compared; `number` is its place in the plan.
    pub(super) fn fields(&self, number: usize) -> Vec<(String, String)> {
        let mut options = self.request.options();
        options.extend(self.limits());
        let digest = self.network_sha256.clone().unwrap_or_default();
        [("name", self.name.clone()), ("settings", options.join(" ")), ("network's SHA-256", digest)]
            .map(|(name, value)| (format!("entrant {number}, {name}"), value))
            .into()
    }

    /// The command line that generates its games for a constraint again, all with that seed; `--index` asks for one.
    pub fn command(&self, plan: &Plan, constraint: &str, seed: u64) -> String {
        let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
        words.extend(self.request.options());
        words.extend(self.limits());
        if plan.max_plies != Settings::DEFAULT_MAX_PLIES {
            words.push(format!("--max-plies {}", plan.max_plies));
        }
        if plan.root != fen(&Chess::default()).to_string() {
            words.push(format!("--from {}", quoted(&plan.root)));
        }
        words.push(format!("--seed {seed}"));
        words.join(" ")
    }

    /// What a position may cost, as options of `entente generate`.
    fn limits(&self) -> Vec<String> {
        let limits = [("nodes", self.nodes), ("movetime", self.movetime)];
        limits.into_iter().filter_map(|(name, limit)| Some(format!("--{name} {}", limit?))).collect()
    }
}
