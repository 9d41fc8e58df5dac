use entente_network::{
    NetworkError, Policy, PolicySession, Prediction, Query, encoding::goal_policy::Context,
};
use entente_search::Limits;

use super::{Answer, MovePredictor, PredictionRequest, paired};

/// Sessions of one or two policies behind one predictor. If there is a human network, it answers the queries without a
/// goal, and the policy answers the others.
pub struct PolicyPair {
    policy: PolicySession,
    human: Option<PolicySession>,
}

impl PolicyPair {
    /// Sessions of `policy` and of `human`, if there is one.
    pub fn new(policy: &Policy, human: Option<&Policy>) -> PolicyPair {
        PolicyPair { policy: policy.session(), human: human.map(Policy::session) }
    }
}

impl MovePredictor for PolicyPair {
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError> {
        let Some(human) = &mut self.human else { return self.policy.predict(requests, until) };
        let (without_goal, with_goal): (Vec<_>, Vec<_>) =
            requests.iter().flat_map(PredictionRequest::queries).partition(|query| query.aim.is_none());
        // Without a goal, there is no time left to reach it.
        let without_goal: Vec<Query<'_>> = without_goal
            .into_iter()
            .map(|query| Query { context: Context { plies_left: None, ..query.context }, ..query })
            .collect();
        let stop = || until.forbid(0, 0);
        let mut with_goal = self.policy.ask_until(&with_goal, &stop)?.into_iter();
        let mut without_goal = human.ask_until(&without_goal, &stop)?.into_iter();
        let mut queries = requests.iter().flat_map(PredictionRequest::queries);
        let predictions = std::iter::from_fn(|| -> Option<Prediction> {
            if queries.next()?.aim.is_none() { without_goal.next() } else { with_goal.next() }
        });
        Ok(paired(requests, predictions))
    }

    fn evaluations(&self) -> u64 {
        self.policy.evaluations() + self.human.as_ref().map_or(0, PolicySession::evaluations)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::{NetworkKind as _, encoding::goal_policy::Aim};
    use shakmaty::{Chess, Color, Position as _};

    use super::*;

    const REFERENCE: &str = "../../models/reference-policy.onnx";
    const GOAL: Aim = Aim { turn: Some(Color::White), ..Aim::NONE };

    #[test]
    fn the_human_network_answers_only_queries_without_a_goal() {
        let [policy, human] = [Policy::DEFAULT, REFERENCE].map(|name| Policy::open(name).unwrap());
        let position = Chess::default();
        let moves = position.legal_moves();
        let context = Context { plies_left: Some(9), ..Context::default() };
        let with_goal = Query { position: &position, moves: &moves, played: &[], context, aim: &GOAL };
        let without_goal = Query { aim: &Aim::NONE, context: Context::default(), ..with_goal };
        let by = |policy: &Policy, query| policy.session().ask_one(&query).unwrap();
        let mut pair = PolicyPair::new(&policy, Some(&human));
        let requests = [
            PredictionRequest::Single(without_goal),
            PredictionRequest::Paired(with_goal),
            PredictionRequest::Single(with_goal),
        ];
        let answers = pair.predict(&requests, Limits::none()).unwrap();
        let [humans, goals] = [by(&human, without_goal), by(&policy, with_goal)];
        assert_ne!(humans, by(&policy, without_goal));
        let answer = |prediction: &Prediction, without_goal: Option<&Prediction>| Answer {
            prediction: prediction.clone(),
            without_goal: without_goal.cloned(),
        };
        assert_eq!(answers, [answer(&humans, None), answer(&goals, Some(&humans)), answer(&goals, None)]);
        assert_eq!(pair.evaluations(), 4);
        let stop = AtomicBool::new(true);
        assert!(pair.predict(&requests, Limits::until(&stop)).unwrap().is_empty());
    }
}
