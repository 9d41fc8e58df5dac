//! The words that results and messages use for a job.

use entente_constraint::Constraint;
use entente_search::Chess960;

use super::Request;
use crate::{
    generation::{KNOWN_RATINGS, Plan},
    settings::Choice as _,
};

impl Request {
    /// The method as results name it, with everything that determines them: its network and the settings that were
    /// changed.
    pub(super) fn description(&self, plan: &Plan) -> String {
        let mut words = vec![plan.method().word().to_owned()];
        match plan {
            Plan::Negamax(plan) => {
                words.push(format!("depth {} {}", plan.search.depth, plan.model.name()));
            }
            Plan::GoalPolicy(plan) => {
                words.push(format!("{} {}", plan.policy.network.name(), plan.realism.word()));
            }
            Plan::Puct(plan) => {
                let (network, priors) = (plan.policy.network.name(), plan.priors.word());
                words.push(format!("{network} visits {} priors {priors}", plan.visits));
            }
            Plan::Rollout(plan) => words.push(plan.model.name().to_owned()),
            Plan::BestFirst => {}
        }
        for (setting, value) in self.settings.changes() {
            let row = setting.row();
            if row.is_switch() {
                words.push(row.name.to_owned());
            } else if !row.is_in_method_name {
                words.push(format!("{} {value}", row.name));
            }
        }
        words.join(" ")
    }

    /// Notes on the request for the user.
    pub(super) fn notes(&self, plan: &Plan) -> Vec<String> {
        let judge = self.settings.judge.is_some() && !self.target.is_judged();
        let judge = judge.then(|| {
            "the judge has no effect: the constraint says nothing of eval, quiet, mate, only or best"
                .to_owned()
        });
        let chess960 = Chess960::castles_differently(&self.root).then(|| {
            "the policies know only standard chess, so this game of Chess960 is found by search and does not look human"
                .to_owned()
        });
        let ratings = match plan.policy() {
            None => unused_ratings(&self.target.constraint),
            Some(policy) => unknown_ratings(policy.ratings),
        };
        self.settings.backend.note().into_iter().chain(chess960).chain(ratings).chain(judge).collect()
    }
}

/// A note that the policy was not trained on some of the ratings, if so.
fn unknown_ratings(ratings: [Option<(u16, u16)>; 2]) -> Option<String> {
    let (least, most) = KNOWN_RATINGS;
    let outside = |&(low, high): &(u16, u16)| low < least || high > most;
    let found = ratings.into_iter().flatten().find(outside);
    found.map(|(low, high)| {
        if low == high {
            let nearest = low.clamp(least, most);
            return format!("the policy knows ratings from {least} to {most}; {low} counts as {nearest}");
        }
        format!("the policy knows ratings from {least} to {most}; those of {low}..{high} outside count as the nearest")
    })
}

/// A note that the ratings in the constraint have no effect, if it has any.
fn unused_ratings(constraint: &Constraint) -> Option<String> {
    constraint.has_ratings().then(|| {
        "only the methods goal-policy and puct choose moves by the players' ratings; elo has no effect"
            .to_owned()
    })
}
