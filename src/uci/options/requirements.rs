//! What the options together ask for: methods, searches and networks.

use std::sync::Arc;

use super::Options;
use crate::{
    constraint::Target,
    evaluator::Policy,
    generation::{
        Asked, EvaluatorChoice, Method, MethodChoice, MethodKind, Plan, goal_policy::PolicySettings,
    },
    play::Setup,
    search::NegamaxSettings,
};

impl Options {
    /// True if the moves of a plain `go` that cooperates are drawn from the policy: only where that is asked for, since a
    /// search takes less time.
    pub fn cooperates_by_policy(&self) -> bool {
        matches!(self.method, MethodChoice::GoalPolicy | MethodChoice::Puct)
    }

    /// The search for games toward `target`, with negamax to `depth` plies.
    pub fn search(&self, target: &Target, depth: u32) -> Method {
        let method = if self.cooperates_by_policy() { MethodChoice::Auto } else { self.method };
        match method.search(target, self.faithful) {
            MethodKind::BestFirst => Method::BestFirst,
            _ => {
                let (criterion, faithful) = (self.criterion, self.faithful);
                Method::Negamax(NegamaxSettings { depth, criterion, faithful })
            }
        }
    }

    /// True if generation for `target` draws moves from the policy; `asks_for_depth` if a command does.
    pub fn generates_by_policy(&self, target: &Target, asks_for_depth: bool) -> bool {
        let asked = if self.faithful {
            Asked::AsPublished
        } else if asks_for_depth
            || self.search_depth.is_some()
            || self.criterion != NegamaxSettings::DEFAULT_CRITERION
            || self.evaluator != EvaluatorChoice::Auto
            || !self.eval_file.name.is_empty()
        {
            Asked::Search
        } else {
            Asked::Nothing
        };
        self.method.kind(target, asked).has_policy()
    }

    /// How the policy is to draw moves, or search for them.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn policy_settings(&self, target: &Target) -> Result<PolicySettings, String> {
        let kind = self.method.kind(target, Asked::Nothing);
        self.policy.settings(&target.constraint, kind).map_err(|(_, reason)| reason)
    }

    /// True if generation, with these options, needs a network that values positions.
    pub fn wants_network(&self) -> bool {
        self.would_want_network(!self.eval_file.name.is_empty())
    }

    /// The same, with `is_named` for whether `EvalFile` names one that could be loaded.
    pub fn would_want_network(&self, is_named: bool) -> bool {
        match &self.target {
            Some(target) => match (&target.goal, self.search(target, 1)) {
                (Some(goal), Method::Negamax(_)) if !self.cooperates_by_policy() => {
                    self.evaluator.wants_network(is_named, goal)
                }
                _ => false,
            },
            // Then a network that is named is loaded in advance, so that a bad one is reported early.
            None => match self.evaluator {
                EvaluatorChoice::Auto => is_named,
                EvaluatorChoice::Network => true,
                EvaluatorChoice::Material => false,
            },
        }
    }

    /// True if a policy network plays: where that is asked for, or people are to be imitated. Without it play is stronger.
    pub fn plays_by_network(&self) -> bool {
        match self.evaluator {
            EvaluatorChoice::Auto => self.limit_strength,
            EvaluatorChoice::Network => true,
            EvaluatorChoice::Material => false,
        }
    }

    /// The search for a move, with the policy if there is one.
    pub(in crate::uci) fn setup(&self, policy: Option<Arc<Policy>>) -> Setup {
        // More threads than cores would only keep the session from being heard.
        let threads = self.threads.min(Plan::cores() as u32);
        let (mebibytes, parameters) = (self.hash, self.parameters);
        match policy {
            Some(policy) => Setup::Tree { mebibytes, policy, threads, parameters },
            None => Setup::AlphaBeta { mebibytes },
        }
    }

    /// True if play or generation, with these options, needs a policy.
    pub fn wants_policy(&self) -> bool {
        self.plays_by_network()
            || match &self.target {
                Some(target) => self.generates_by_policy(target, false),
                None => !self.policy_file.name.is_empty(),
            }
    }
}
