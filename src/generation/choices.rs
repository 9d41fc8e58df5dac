//! What a user chooses by a word, the same on the command line and over UCI.

use std::sync::Arc;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::{
    constraint::{Goal, Target},
    evaluator::{Network, Recipe, is_default_network_trained_on},
};

/// How moves are to be chosen, on the command line or as a UCI option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodChoice {
    /// The best that exists for the job
    Auto,
    /// Moves drawn from the network that knows how people play who reach the constraint
    GoalPolicy,
    /// Tree search by the same network, both sides playing for the same end, for everything
    Puct,
    /// Cooperative negamax, for numbers of men
    Negamax,
    /// Best-first search for a plan, for everything
    BestFirst,
}

/// A method, without its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodKind {
    /// [`Method::GoalPolicy`](super::Method::GoalPolicy)
    GoalPolicy,
    /// The same, by tree search.
    Puct,
    /// [`Method::Negamax`](super::Method::Negamax)
    Negamax,
    /// [`Method::BestFirst`](super::Method::BestFirst)
    BestFirst,
}

impl MethodKind {
    /// The word that a user says for it.
    pub fn name(self) -> &'static str {
        match self {
            MethodKind::GoalPolicy => "goal-policy",
            MethodKind::Puct => "puct",
            MethodKind::Negamax => "negamax",
            MethodKind::BestFirst => "best-first",
        }
    }

    /// True if it draws on a policy.
    pub fn has_policy(self) -> bool {
        matches!(self, MethodKind::GoalPolicy | MethodKind::Puct)
    }
}

impl MethodChoice {
    /// The method for `target`: `auto` is goal-policy, unless a search is asked for.
    pub fn kind(self, target: &Target, asked: Asked) -> MethodKind {
        match self {
            MethodChoice::Auto if asked == Asked::Nothing => MethodKind::GoalPolicy,
            MethodChoice::Auto => self.search(target, asked == Asked::AsPublished),
            MethodChoice::GoalPolicy => MethodKind::GoalPolicy,
            MethodChoice::Puct => MethodKind::Puct,
            MethodChoice::Negamax => MethodKind::Negamax,
            MethodChoice::BestFirst => MethodKind::BestFirst,
        }
    }

    /// The method for `target`: `auto` is a search, negamax where it will do, or if it is to be `as_published`.
    pub fn search(self, target: &Target, as_published: bool) -> MethodKind {
        match self {
            MethodChoice::Auto if target.goal.is_none() && !as_published => MethodKind::BestFirst,
            MethodChoice::Auto => MethodKind::Negamax,
            other => other.kind(target, Asked::Search),
        }
    }
}

/// What the settings beside the method ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Nothing that tells methods apart.
    Nothing,
    /// Something that only a search heeds.
    Search,
    /// The published algorithm.
    AsPublished,
}

/// Which evaluator a user asks for, on the command line or as a UCI option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvaluatorChoice {
    /// Network where one was trained on the constraint, else material
    Auto,
    /// A trained network
    Network,
    /// Counts men; no network
    Material,
}

/// What runs a network, on the command line or as a UCI option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendChoice {
    /// On the CPU, one position at a time
    Tract,
    /// libtorch, in batches, on a GPU where there is one
    Torch,
}

impl BackendChoice {
    /// The evaluator that runs `network`.
    ///
    /// # Errors
    /// If this build has no libtorch.
    pub fn recipe(self, network: Arc<Network>) -> Result<Recipe, String> {
        self.check()?;
        Ok(match self {
            BackendChoice::Tract => Recipe::Network(network),
            #[cfg(feature = "torch")]
            BackendChoice::Torch => Recipe::Torch(network),
            #[cfg(not(feature = "torch"))]
            BackendChoice::Torch => unreachable!("checked"),
        })
    }

    /// Whether this build has it.
    ///
    /// # Errors
    /// If it has not.
    pub fn check(self) -> Result<(), String> {
        match self {
            BackendChoice::Torch if cfg!(not(feature = "torch")) => {
                Err("this build has no libtorch; build with --features torch".to_owned())
            }
            BackendChoice::Tract | BackendChoice::Torch => Ok(()),
        }
    }
}

impl EvaluatorChoice {
    /// True if a network is to value positions, `is_named` if the user named one.
    pub fn wants_network(self, is_named: bool, goal: &Goal) -> bool {
        match self {
            EvaluatorChoice::Auto => is_named || is_default_network_trained_on(goal),
            EvaluatorChoice::Network => true,
            EvaluatorChoice::Material => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_values_what_it_was_trained_on_or_named_for() {
        let goal = |text: &str| Goal::new(&text.parse().unwrap()).unwrap();
        let (trained, other) = (goal("(1,2,1,1,7)"), goal("q=0"));
        for (choice, is_named, goal, expected) in [
            (EvaluatorChoice::Auto, false, &trained, true),
            (EvaluatorChoice::Auto, false, &other, false),
            (EvaluatorChoice::Auto, true, &other, true),
            (EvaluatorChoice::Network, false, &other, true),
            (EvaluatorChoice::Material, true, &trained, false),
        ] {
            assert_eq!(choice.wants_network(is_named, goal), expected, "{choice:?} {is_named}");
        }
    }
}
