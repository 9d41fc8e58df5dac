//! The plan of a method, made from settings.

use std::sync::Arc;

use entente_network::{NetworkSource, Policy};
use entente_search::NegamaxSettings;

use super::Request;
use crate::{
    generation::{
        FastPlan, GoalPolicyPlan, NegamaxPlan, Plan, PolicyPlan, PuctPlan, RequestError, RolloutPlan,
        TemperatureOverrides,
    },
    satisfaction::SatisfactionModel,
    settings::{GenerationSettings, Method},
};

/// The usual number of playouts for each move.
const PLAYOUTS: u32 = 2000;

impl Request {
    /// The plan for this method.
    pub(super) fn plan(
        &self,
        method: Method,
        networks: &mut impl NetworkSource,
    ) -> Result<Plan, RequestError> {
        let settings = &self.settings;
        Ok(match method {
            Method::GoalPolicy => Plan::GoalPolicy(GoalPolicyPlan::of(settings, self.policy(networks)?)),
            Method::Puct => Plan::Puct(PuctPlan::of(settings, self.policy(networks)?)),
            Method::Negamax => Plan::Negamax(NegamaxPlan::of(settings, self.model(method, networks)?)),
            Method::Rollout => Plan::Rollout(RolloutPlan::of(settings, self.model(method, networks)?)),
            Method::BestFirst => Plan::BestFirst,
        })
    }

    /// The policy and the players that it imitates.
    fn policy(&self, networks: &mut impl NetworkSource) -> Result<PolicyPlan, RequestError> {
        let (network, human) = (self.policy_network(networks)?, self.human_network(networks)?);
        Ok(PolicyPlan { human, ratings: self.ratings()?, ..PolicyPlan::of(&self.settings, network) })
    }
}

impl PolicyPlan {
    /// The plan for a network with the default settings and players without ratings.
    pub fn new(network: Arc<Policy>) -> PolicyPlan {
        PolicyPlan::of(&GenerationSettings::default(), network)
    }

    fn of(settings: &GenerationSettings, network: Arc<Policy>) -> PolicyPlan {
        let temperatures =
            TemperatureOverrides { opening: settings.temperature, late: settings.late_temperature };
        PolicyPlan { network, human: None, ratings: [None; 2], scale: settings.rating_scale, temperatures }
    }
}

impl GoalPolicyPlan {
    /// The plan for a policy with the default settings.
    pub fn new(policy: PolicyPlan) -> GoalPolicyPlan {
        GoalPolicyPlan::of(&GenerationSettings::default(), policy)
    }

    fn of(settings: &GenerationSettings, policy: PolicyPlan) -> GoalPolicyPlan {
        let GenerationSettings { skill, realism, strict, population, .. } = *settings;
        let GenerationSettings { guidance, mask, tilt, finish, .. } = *settings;
        let fast = FastPlan { guidance, mask, tilt, finish };
        GoalPolicyPlan { policy, skill, realism, strict, population, fast }
    }
}

impl PuctPlan {
    /// The plan for a policy with the default settings.
    pub fn new(policy: PolicyPlan) -> PuctPlan {
        PuctPlan::of(&GenerationSettings::default(), policy)
    }

    fn of(settings: &GenerationSettings, policy: PolicyPlan) -> PuctPlan {
        PuctPlan { policy, visits: settings.visits, priors: settings.priors }
    }
}

impl NegamaxPlan {
    /// The plan for a model with the default settings.
    pub fn new(model: SatisfactionModel) -> NegamaxPlan {
        NegamaxPlan::of(&GenerationSettings::default(), model)
    }

    fn of(settings: &GenerationSettings, model: SatisfactionModel) -> NegamaxPlan {
        let GenerationSettings { depth, criterion, faithful, .. } = *settings;
        let depth = depth.unwrap_or(model.default_depth());
        NegamaxPlan { search: NegamaxSettings { depth, criterion, faithful }, model }
    }
}

impl RolloutPlan {
    /// The plan for a model with the default settings.
    pub fn new(model: SatisfactionModel) -> RolloutPlan {
        RolloutPlan::of(&GenerationSettings::default(), model)
    }

    fn of(settings: &GenerationSettings, model: SatisfactionModel) -> RolloutPlan {
        RolloutPlan { search: settings.rollout(PLAYOUTS), model }
    }
}
