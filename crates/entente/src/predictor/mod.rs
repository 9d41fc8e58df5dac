//! Asks a policy network which moves humans play.
//!
//! [`PredictionRequest`]s go in: queries about positions, alone or paired with the same query without its goal.
//! [`Answer`]s come out. A [`MovePredictor`] answers. A [`PolicySession`] is one, and so is a [`PolicyPair`], in which
//! another network says how likely moves are without a goal. Others are decorators: [`Cached`] remembers the answers
//! about openings, and [`Skilled`](crate::skill::Skilled) corrects answers by a short search.
//!
//! To process a network's answers in a new way, add a decorator: a struct with an inner predictor that implements
//! [`MovePredictor`].

mod cached;
mod policy_pair;
mod request;

pub use cached::Cached;
use entente_network::{NetworkError, PolicySession, Prediction, Query};
use entente_search::Limits;
pub use policy_pair::PolicyPair;
pub use request::{Answer, PredictionRequest};

/// Predicts moves.
pub trait MovePredictor {
    /// The answers to `requests`, in their order; fewer if `until` ends the work. The node limit of `until` is ignored.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError>;

    /// The number of queries answered so far, including those whose answers were remembered.
    fn evaluations(&self) -> u64;

    /// The nodes of all searches so far that corrected answers.
    fn nodes(&self) -> u64 {
        0
    }

    /// The answer to one query.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    fn predict_one(&mut self, query: &Query<'_>) -> Result<Prediction, NetworkError> {
        let mut answers = self.predict(&[PredictionRequest::Single(*query)], Limits::none())?;
        Ok(answers.pop().expect("nothing ends it").prediction)
    }
}

/// The network's own answers.
impl MovePredictor for PolicySession {
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError> {
        let queries: Vec<Query<'_>> = requests.iter().flat_map(|request| request.queries()).collect();
        let mut predictions = self.ask_until(&queries, &|| until.forbid(0, 0))?.into_iter();
        let answer = |request: &PredictionRequest<'_>| {
            let prediction = predictions.next()?;
            let without_goal = match request {
                PredictionRequest::Single(_) => None,
                // Half of a pair is not an answer.
                PredictionRequest::Paired(_) => Some(predictions.next()?),
            };
            Some(Answer { prediction, without_goal, human: None })
        };
        Ok(requests.iter().map_while(answer).collect())
    }

    fn evaluations(&self) -> u64 {
        PolicySession::evaluations(self)
    }
}
