use thiserror::Error;

use super::goal_policy::PolicySettings;
use crate::{
    constraint::{Constraint, Target},
    evaluator::{NetworkError, Recipe},
    guide::GuideError,
    search::NegamaxSettings,
};

/// How the moves of proof games are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Cooperative negamax, for numbers of men.
    Negamax(NegamaxSettings),
    /// Best-first search, for everything.
    BestFirst,
    /// Moves drawn from the goal-conditioned policy.
    GoalPolicy(PolicySettings),
}

impl Method {
    /// What a user should know of ratings that are asked for.
    pub fn notes(&self, constraint: &Constraint) -> Vec<String> {
        match self {
            Method::GoalPolicy(settings) => settings.notes(),
            _ if constraint.has_ratings() => {
                vec![
                    "only the methods goal-policy and puct choose moves by the players' ratings; elo has no effect"
                        .to_owned(),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// Its name in results, with everything that decides them.
    pub fn describe(&self, recipe: &Recipe) -> String {
        match self {
            Method::Negamax(settings) => {
                let faithful = if settings.faithful { " faithful" } else { "" };
                format!("negamax depth {} {}{faithful}", settings.depth, recipe.name())
            }
            Method::BestFirst => "best-first".to_owned(),
            Method::GoalPolicy(settings) => settings.describe(recipe.name()),
        }
    }
}

/// Why positions cannot be generated.
#[derive(Debug, Error)]
pub enum GenerationError {
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Nothing leads there.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// The method has no policy to draw moves from.
    #[error("the methods goal-policy and puct need a policy network")]
    NoPolicy,
    /// The method knows nothing but numbers of men.
    #[error(
        "the method negamax is led by numbers of men alone, and '{0}' says more; best-first is led by everything"
    )]
    NotCounted(String),
}

impl GenerationError {
    /// That negamax cannot be led to `target`.
    pub(super) fn not_counted(target: &Target) -> GenerationError {
        GenerationError::NotCounted(target.constraint.to_string())
    }
}
