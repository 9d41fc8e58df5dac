use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use thiserror::Error;

use super::{
    BackendChoice, Budget, EvaluatorChoice, Method, MethodChoice, Settings,
    choices::{Asked, MethodKind},
    fen,
    goal_policy::PolicyRequest,
};
use crate::{
    constraint::{Goal, Target},
    evaluator::{Network, NetworkError, NetworkKind as _, NetworkSource, Policy, Recipe},
    search::NegamaxSettings,
};

/// How positions are to be generated, as a user says it, on the command line or in a tournament's plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// How moves are chosen.
    pub method: MethodChoice,
    /// Plies to look ahead with negamax; `None` for what suits the evaluator.
    pub depth: Option<u32>,
    /// How far below the best a move's value may be, in [0, 1].
    pub criterion: f32,
    /// Search exactly as published.
    pub faithful: bool,
    /// What values positions.
    pub evaluator: EvaluatorChoice,
    /// An embedded network or a file; `None` for the default one.
    pub network: Option<String>,
    /// What runs the network.
    pub backend: BackendChoice,
    /// How the method goal-policy draws moves.
    #[serde(flatten)]
    pub policy: PolicyRequest,
    /// Positions searched for each position generated, at most.
    pub nodes: Option<u64>,
    /// Milliseconds for each, at most. Results then depend on the machine's speed.
    pub movetime: Option<u64>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            method: MethodChoice::Auto,
            depth: None,
            criterion: NegamaxSettings::DEFAULT_CRITERION,
            faithful: false,
            evaluator: EvaluatorChoice::Auto,
            network: None,
            backend: BackendChoice::Tract,
            policy: PolicyRequest::default(),
            nodes: None,
            movetime: None,
        }
    }
}

/// Why a request cannot be met: what was asked for, without dashes, and what is wrong with it.
#[derive(Debug, Error)]
#[error("{asked}: {reason}")]
pub struct RequestError {
    /// The option at fault, with its value where that matters.
    pub asked: &'static str,
    /// What is wrong.
    pub reason: String,
}

impl RequestError {
    fn new(asked: &'static str, reason: impl Into<String>) -> RequestError {
        RequestError { asked, reason: reason.into() }
    }

    fn network(error: NetworkError) -> RequestError {
        let text = error.to_string();
        RequestError::new("network", text.strip_prefix("network ").unwrap_or(&text))
    }

    /// The option at fault, without its value.
    pub fn option(&self) -> &'static str {
        self.asked.split(' ').next().unwrap_or(self.asked)
    }
}

impl Request {
    /// How moves are chosen on the way to `target`, and what works for that. `networks` gives networks by name.
    ///
    /// # Errors
    /// [`RequestError`] if the parts of the request contradict each other or the target, or there is no such network.
    pub fn resolve(
        &self,
        target: &Target,
        networks: &mut impl NetworkSource,
    ) -> Result<(Method, Recipe), RequestError> {
        let asked = self.only_for_negamax();
        let kind = self.method.kind(target, self.asked());
        let refused = |asked, who: &[MethodKind], this: &str| {
            let names: Vec<&str> = who.iter().map(|kind| kind.name()).collect();
            let names = names.join(" and ");
            let who = if who.len() == 1 {
                format!("the method {names} heeds it")
            } else {
                format!("the methods {names} heed it")
            };
            Err(RequestError::new(asked, format!("only {who}; this is {this}")))
        };
        if let Some((asked, who)) = self.policy.unheeded_by(kind) {
            return refused(asked, who, kind.name());
        }
        match (kind, asked) {
            (MethodKind::GoalPolicy | MethodKind::Puct, Some(asked)) if asked != "network" => {
                refused(asked, &[MethodKind::Negamax], kind.name())
            }
            (MethodKind::BestFirst, Some(asked)) => {
                let reason =
                    "only the method negamax heeds it, which is for numbers of men; this is best-first";
                Err(RequestError::new(asked, reason))
            }
            (MethodKind::BestFirst, _) => Ok((Method::BestFirst, Recipe::Material)),
            (MethodKind::GoalPolicy | MethodKind::Puct, _) => {
                let settings = self.policy.settings(&target.constraint, kind);
                let settings = settings.map_err(|(asked, reason)| RequestError::new(asked, reason))?;
                let policy = networks.policy(self.network.as_deref().unwrap_or(Policy::DEFAULT));
                let policy = policy.map_err(RequestError::network)?;
                Ok((Method::GoalPolicy(settings), Recipe::Policy(policy)))
            }
            (MethodKind::Negamax, _) => self.negamax(target, networks),
        }
    }

    fn negamax(
        &self,
        target: &Target,
        networks: &mut impl NetworkSource,
    ) -> Result<(Method, Recipe), RequestError> {
        let Some(goal) = &target.goal else {
            return Err(if self.faithful {
                RequestError::new("faithful", "the published algorithm knows nothing but numbers of men")
            } else {
                let constraint = &target.constraint;
                let reason = format!(
                    "it is led by numbers of men alone, and '{constraint}' says more; best-first is led by everything"
                );
                RequestError::new("method negamax", reason)
            });
        };
        let recipe = self.recipe(goal, networks)?;
        let depth = self.depth.unwrap_or(recipe.default_depth());
        let search = NegamaxSettings { depth, criterion: self.criterion, faithful: self.faithful };
        Ok((Method::Negamax(search), recipe))
    }

    /// What differs from the usual, as options of `entente generate`.
    pub fn options(&self) -> Vec<String> {
        let usual = Request::default();
        let Request {
            method,
            depth,
            criterion,
            faithful,
            evaluator,
            network,
            backend,
            policy,
            nodes,
            movetime,
        } = self;
        let mut options = Vec::new();
        if *method != usual.method {
            options.push(format!("--method {}", word(*method)));
        }
        options.extend(depth.map(|depth| format!("--depth {depth}")));
        if *faithful {
            options.push("--faithful".to_owned());
        }
        if *criterion != usual.criterion {
            options.push(format!("--criterion {criterion}"));
        }
        if *evaluator != usual.evaluator {
            options.push(format!("--evaluator {}", word(*evaluator)));
        }
        options.extend(network.as_ref().map(|network| format!("--network {}", quoted(network))));
        if *backend != usual.backend {
            options.push(format!("--backend {}", word(*backend)));
        }
        options.extend(policy.options());
        options.extend(nodes.map(|nodes| format!("--nodes {nodes}")));
        options.extend(movetime.map(|movetime| format!("--movetime {movetime}")));
        options
    }

    /// The command line that generates for `constraint` from `root` again, games of up to `max_plies`, all with that
    /// seed; `--index` asks for one of them.
    pub fn command(&self, constraint: &str, root: &Chess, max_plies: u32, seed: u64) -> String {
        let mut words = vec!["entente generate".to_owned(), quoted(constraint)];
        words.extend(self.options());
        if max_plies != Settings::DEFAULT_MAX_PLIES {
            words.push(format!("--max-plies {max_plies}"));
        }
        let root = fen(root);
        if root != fen(&Chess::default()) {
            words.push(format!("--from {}", quoted(&root.to_string())));
        }
        words.push(format!("--seed {seed}"));
        words.join(" ")
    }

    /// What a position may cost with that method.
    pub fn budget(&self, method: &Method) -> Budget {
        Budget::new(method, self.nodes, self.movetime.map(Duration::from_millis))
    }

    fn asked(&self) -> Asked {
        match self.only_for_negamax() {
            _ if self.faithful => Asked::AsPublished,
            // Either kind of method has networks.
            Some("network") if self.policy.differs().is_some() => Asked::Nothing,
            Some(_) => Asked::Search,
            None if self.evaluator == EvaluatorChoice::Material => Asked::Search,
            None => Asked::Nothing,
        }
    }

    /// Something asked for that only negamax heeds.
    fn only_for_negamax(&self) -> Option<&'static str> {
        match () {
            () if self.faithful => Some("faithful"),
            () if self.network.is_some() => Some("network"),
            () if self.backend != BackendChoice::Tract => Some("backend"),
            () if self.criterion != NegamaxSettings::DEFAULT_CRITERION => Some("criterion"),
            () if self.evaluator == EvaluatorChoice::Network => Some("evaluator network"),
            () if self.depth.is_some() => Some("depth"),
            () => None,
        }
    }

    fn recipe(&self, goal: &Goal, networks: &mut impl NetworkSource) -> Result<Recipe, RequestError> {
        let is_named = self.network.is_some();
        if self.evaluator == EvaluatorChoice::Material && is_named {
            return Err(RequestError::new("network", "the material evaluator has none"));
        }
        if !self.evaluator.wants_network(is_named, goal) {
            if self.backend == BackendChoice::Tract {
                return Ok(Recipe::Material);
            }
            let none = "the material evaluator has no network to run".to_owned();
            let hint = "; evaluator network asks for one";
            let hint = if self.evaluator == EvaluatorChoice::Auto { hint } else { "" };
            return Err(RequestError::new("backend torch", none + hint));
        }
        let network = networks.network(self.network.as_deref().unwrap_or(Network::DEFAULT));
        let network = network.map_err(RequestError::network)?;
        self.backend.recipe(network).map_err(|reason| RequestError::new("backend torch", reason))
    }
}

/// The word that a user says for a choice.
pub(super) fn word(choice: impl ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        // Single quotes: within double ones an interactive shell makes something of '!'.
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
