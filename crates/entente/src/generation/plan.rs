//! What a request comes to: the method, and exactly what its players read.

use std::sync::Arc;

use entente_network::{Policy, encoding::goal_policy::RatingScale};
use entente_search::{NegamaxSettings, rollout::RolloutSettings};

use crate::{
    satisfaction::SatisfactionModel,
    settings::{Method, Priors, Realism},
};

/// How positions are generated: a variant for each method.
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

/// The network that draws moves, and the players that it imitates.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PolicyPlan {
    /// The network.
    pub network: Arc<Policy>,
    /// White's and Black's rating, the least and the most, where the network is told them; drawn once for each game.
    pub ratings: [Option<(u16, u16)>; 2],
    /// The rating system of these ratings.
    pub scale: RatingScale,
    /// Temperatures that replace those of the network and the method.
    pub temperatures: TemperatureOverrides,
}

/// Temperatures that a request sets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TemperatureOverrides {
    /// That of the opening.
    pub opening: Option<f32>,
    /// That of later moves.
    pub late: Option<f32>,
}

/// What the players of [`Method::GoalPolicy`] read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GoalPolicyPlan {
    /// What draws moves.
    pub policy: PolicyPlan,
    /// Whether a short search of each likely move corrects the network.
    pub skill: bool,
    /// How closely games follow human play.
    pub realism: Realism,
    /// Whether a game that is delivered otherwise than `realism` says counts as not found.
    pub strict: bool,
    /// The games of a population.
    pub population: u32,
    /// What games that are played one by one read.
    pub fast: FastPlan,
}

/// What games that are played one by one read.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FastPlan {
    /// The factor by which the difference that the goal makes to the logits is added again.
    pub guidance: f32,
    /// How many plies the reachability mask looks ahead.
    pub mask: u32,
    /// The weight of the action values as the plies run out.
    pub tilt: f32,
    /// Whether search finishes games.
    pub finish: bool,
}

/// What the player of [`Method::Puct`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PuctPlan {
    /// What judges positions and draws moves.
    pub policy: PolicyPlan,
    /// Visits before each move.
    pub visits: u32,
    /// Which moves the search looks at first.
    pub priors: Priors,
}

/// What the player of [`Method::Negamax`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NegamaxPlan {
    /// What values positions.
    pub model: SatisfactionModel,
    /// How the search works.
    pub search: NegamaxSettings,
}

/// What the player of [`Method::Rollout`] reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RolloutPlan {
    /// What values the ends of playouts.
    pub model: SatisfactionModel,
    /// How playouts are made.
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

    /// What draws moves, if a policy does.
    pub fn policy(&self) -> Option<&PolicyPlan> {
        match self {
            Plan::GoalPolicy(plan) => Some(&plan.policy),
            Plan::Puct(plan) => Some(&plan.policy),
            Plan::Negamax(_) | Plan::Rollout(_) | Plan::BestFirst => None,
        }
    }

    /// What values positions, if the method is led by satisfaction values.
    pub fn model(&self) -> Option<&SatisfactionModel> {
        match self {
            Plan::Negamax(plan) => Some(&plan.model),
            Plan::Rollout(plan) => Some(&plan.model),
            Plan::GoalPolicy(_) | Plan::Puct(_) | Plan::BestFirst => None,
        }
    }

    /// The name of the network that is asked, if one is.
    pub fn network_name(&self) -> Option<&str> {
        match self.model() {
            Some(SatisfactionModel::Network(network)) => Some(network.name()),
            Some(SatisfactionModel::Men) => None,
            None => self.policy().map(|policy| policy.network.name()),
        }
    }

    /// True if the search works exactly as published.
    pub fn is_faithful(&self) -> bool {
        matches!(self, Plan::Negamax(plan) if plan.search.faithful)
    }

    /// White's and Black's rating, where a network is told them.
    pub fn ratings(&self) -> [Option<(u16, u16)>; 2] {
        self.policy().map_or([None; 2], |policy| policy.ratings)
    }

    /// True if a short search corrects the moves that the policy finds likely: tree search sees for itself what comes of
    /// moves.
    pub(super) fn is_skilled(&self) -> bool {
        matches!(self, Plan::GoalPolicy(plan) if plan.skill)
    }
}

/// The ratings that the policy networks were trained on.
pub const KNOWN_RATINGS: (u16, u16) = (1000, 3200);

/// A rating as the networks are told it: the nearest that they know.
pub fn known_rating(rating: u16) -> u16 {
    rating.clamp(KNOWN_RATINGS.0, KNOWN_RATINGS.1)
}
