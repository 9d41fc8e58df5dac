use entente_network::{NetworkError, Policy, PolicySession, Query, encoding::goal_policy::Context};
use entente_search::Limits;

use super::{Answer, MovePredictor, PredictionRequest};

/// Sessions of one or two policies behind one predictor: a policy that reads goals, and a human network, which only
/// models people.
///
/// If there is a human network, it answers the single queries without a goal, and an answer to a pair has its
/// prediction besides those of the policy.
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

/// The query that the human network answers, if it answers one.
fn human_query<'a>(request: &PredictionRequest<'a>) -> Option<Query<'a>> {
    match request {
        PredictionRequest::Single(query) if query.aim.is_none() => {
            // Without a goal, there is no time in which to reach it.
            Some(Query { context: Context { plies_left: None, ..query.context }, ..*query })
        }
        PredictionRequest::Single(_) => None,
        PredictionRequest::Paired(_) => request.without_goal(),
    }
}

/// The queries that the policy answers.
fn policy_queries<'a>(request: &PredictionRequest<'a>) -> impl Iterator<Item = Query<'a>> {
    let is_human = matches!(request, PredictionRequest::Single(query) if query.aim.is_none());
    request.queries().filter(move |_| !is_human)
}

impl MovePredictor for PolicyPair {
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError> {
        let Some(human) = &mut self.human else { return self.policy.predict(requests, until) };
        let policy_queries: Vec<Query<'_>> = requests.iter().flat_map(policy_queries).collect();
        let human_queries: Vec<Query<'_>> = requests.iter().filter_map(human_query).collect();
        let stop = || until.forbid(0, 0);
        let mut by_policy = self.policy.ask_until(&policy_queries, &stop)?.into_iter();
        let mut by_human = human.ask_until(&human_queries, &stop)?.into_iter();
        let answer = |request: &PredictionRequest<'_>| {
            Some(match request {
                PredictionRequest::Single(query) => {
                    let prediction = if query.aim.is_none() { by_human.next() } else { by_policy.next() };
                    Answer { prediction: prediction?, without_goal: None, human: None }
                }
                PredictionRequest::Paired(_) => Answer {
                    prediction: by_policy.next()?,
                    without_goal: Some(by_policy.next()?),
                    human: Some(by_human.next()?),
                },
            })
        };
        Ok(requests.iter().map_while(answer).collect())
    }

    fn evaluations(&self) -> u64 {
        self.policy.evaluations() + self.human.as_ref().map_or(0, PolicySession::evaluations)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::{NetworkKind as _, Prediction, encoding::goal_policy::Aim};
    use shakmaty::{Chess, Color, Position as _};

    use super::*;

    const REFERENCE: &str = "../../models/reference-policy.onnx";
    const GOAL: Aim = Aim { turn: Some(Color::White), ..Aim::NONE };

    #[test]
    fn the_human_network_answers_queries_without_a_goal() {
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
        let [humans, policys, goals] =
            [by(&human, without_goal), by(&policy, without_goal), by(&policy, with_goal)];
        assert_ne!(humans, policys);
        let single = |prediction: &Prediction| Answer {
            prediction: prediction.clone(),
            without_goal: None,
            human: None,
        };
        let all = Answer { without_goal: Some(policys), human: Some(humans.clone()), ..single(&goals) };
        assert_eq!(answers, [single(&humans), all, single(&goals)]);
        assert_eq!(pair.evaluations(), 5);
        let stop = AtomicBool::new(true);
        assert!(pair.predict(&requests, Limits::until(&stop)).unwrap().is_empty());
    }
}
