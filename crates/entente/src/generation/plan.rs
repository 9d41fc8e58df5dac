//! The plan of a request: the method, with exactly what its players read.

use std::sync::Arc;

use entente_network::{Policy, encoding::goal_policy::RatingScale};
use entente_search::{NegamaxSettings, rollout::RolloutSettings};

use crate::{
    satisfaction::SatisfactionModel,
    settings::{Method, Priors, Realism},
};

/// How positions are generated, with a variant for each method.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Plan {
    /// [`Method::GoalPolicy`].
    GoalPolicy(GoalPolicyPlan),
    /// [`Method::Puct`].
    Puct(PuctPlan),
    /// [`Method::Negamax`].
    Negamax(NegamaxPlan),
    /// [`Method::Rollout`].
    Rollout(RolloutPlan),
    /// [`Method::BestFirst`], which reads only the target and the limits of the job.
    BestFirst,
}

/// The network from which moves are drawn, and the players that it imitates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PolicyPlan {
    /// The network.
    pub network: Arc<Policy>,
    /// The network that says how likely moves are without a goal; `None`: the same network.
    pub human: Option<Arc<Policy>>,
    /// The lowest and highest rating of White and Black, if the network is given ratings. One rating is drawn for each
    /// game.
    pub ratings: [Option<(u16, u16)>; 2],
    /// The rating system.
    pub scale: RatingScale,
    /// Temperatures that replace those of the network and the method.
    pub temperatures: TemperatureOverrides,
}

/// The temperatures that a request sets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TemperatureOverrides {
    /// The temperature of the opening.
    pub opening: Option<f32>,
    /// The temperature of later moves.
    pub late: Option<f32>,
}

/// What the players of [`Method::GoalPolicy`] read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GoalPolicyPlan {
    /// The policy from which moves are drawn.
    pub policy: PolicyPlan,
    /// Whether a short search of each likely move corrects the network.
    pub skill: bool,
    /// How closely games follow human play.
    pub realism: Realism,
    /// Whether a game that was found in another way than `realism` demands counts as not found.
    pub strict: bool,
    /// The number of games in a population.
    pub population: u32,
    /// The settings of games that are played one by one.
    pub fast: FastPlan,
}

/// The settings of games that are played one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FastPlan {
    /// The factor by which the difference between the logits with and without the goal is added again.
    pub guidance: f32,
    /// The number of plies that the reachability mask looks ahead.
    pub mask: u32,
    /// The weight of the action values when few plies are left.
    pub tilt: f32,
    /// Whether search finishes games.
    pub finish: bool,
}

/// What the player of [`Method::Puct`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PuctPlan {
    /// The policy, which evaluates positions and gives priors.
    pub policy: PolicyPlan,
    /// The number of visits before each move.
    pub visits: u32,
    /// The prior probabilities of moves.
    pub priors: Priors,
}

/// What the player of [`Method::Negamax`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NegamaxPlan {
    /// The model that evaluates positions.
    pub model: SatisfactionModel,
    /// The settings of the search.
    pub search: NegamaxSettings,
}

/// What the player of [`Method::Rollout`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RolloutPlan {
    /// The model that evaluates the ends of playouts.
    pub model: SatisfactionModel,
    /// The settings of the playouts.
    pub search: RolloutSettings,
}

impl Plan {
    /// The method.
    pub fn method(&self) -> Method {
        match self {
            Plan::GoalPolicy(_) => Method::GoalPolicy,
            Plan::Puct(_) => Method::Puct,
            Plan::Negamax(_) => Method::Negamax,
            Plan::Rollout(_) => Method::Rollout,
            Plan::BestFirst => Method::BestFirst,
        }
    }

    /// The policy from which moves are drawn, if the method has one.
    pub fn policy(&self) -> Option<&PolicyPlan> {
        match self {
            Plan::GoalPolicy(plan) => Some(&plan.policy),
            Plan::Puct(plan) => Some(&plan.policy),
            Plan::Negamax(_) | Plan::Rollout(_) | Plan::BestFirst => None,
        }
    }

    /// The model that evaluates positions, if the method uses satisfaction values.
    pub fn model(&self) -> Option<&SatisfactionModel> {
        match self {
            Plan::Negamax(plan) => Some(&plan.model),
            Plan::Rollout(plan) => Some(&plan.model),
            Plan::GoalPolicy(_) | Plan::Puct(_) | Plan::BestFirst => None,
        }
    }

    /// The name of the network, if the method uses one.
    pub fn network_name(&self) -> Option<&str> {
        match self.model() {
            Some(SatisfactionModel::Network(network)) => Some(network.name()),
            Some(SatisfactionModel::Men) => None,
            None => self.policy().map(|policy| policy.network.name()),
        }
    }

    /// The name of the network that says how likely moves are without a goal, if it is another one.
    pub fn human_network_name(&self) -> Option<&str> {
        self.policy()?.human.as_ref().map(|human| human.name())
    }

    /// True if the search works exactly as published.
    pub fn is_faithful(&self) -> bool {
        matches!(self, Plan::Negamax(plan) if plan.search.faithful)
    }

    /// The ratings of White and Black, if a network is given them.
    pub fn ratings(&self) -> [Option<(u16, u16)>; 2] {
        self.policy().map_or([None; 2], |policy| policy.ratings)
    }

    /// The middle of each range of [`Plan::ratings`], within what the networks know.
    pub fn middle_ratings(&self) -> [Option<u16>; 2] {
        self.ratings().map(|range| range.map(|(least, most)| known_rating(least.midpoint(most))))
    }

    /// True if a short search corrects the probabilities of likely moves. Tree search needs no correction, because it
    /// looks ahead itself.
    pub(super) fn is_skilled(&self) -> bool {
        matches!(self, Plan::GoalPolicy(plan) if plan.skill)
    }
}

/// The lowest and highest rating on which the policy networks were trained.
pub const KNOWN_RATINGS: (u16, u16) = (600, 3200);

/// The rating given to the networks: the nearest one on which they were trained.
pub fn known_rating(rating: u16) -> u16 {
    rating.clamp(KNOWN_RATINGS.0, KNOWN_RATINGS.1)
}
