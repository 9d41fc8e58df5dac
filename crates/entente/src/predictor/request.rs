use entente_network::{
    Prediction, Query,
    encoding::goal_policy::{Aim, Context},
};

/// A request for predictions about one position.
#[derive(Clone, Copy, Debug)]
pub enum PredictionRequest<'a> {
    /// One query.
    Single(Query<'a>),
    /// A query with a goal, and the same query without it. A search that corrects the answers searches the moves that
    /// either answer finds likely.
    Paired(Query<'a>),
}

impl<'a> PredictionRequest<'a> {
    /// The query, with its goal if it has one.
    pub fn query(&self) -> &Query<'a> {
        match self {
            PredictionRequest::Single(query) | PredictionRequest::Paired(query) => query,
        }
    }

    /// The same query without its goal, if that is requested, too.
    pub fn without_goal(&self) -> Option<Query<'a>> {
        match self {
            PredictionRequest::Single(_) => None,
            PredictionRequest::Paired(query) => {
                let context = Context { plies_left: None, ..query.context };
                Some(Query { aim: &Aim::NONE, context, ..*query })
            }
        }
    }

    /// All of its queries.
    pub fn queries(&self) -> impl Iterator<Item = Query<'a>> {
        [Some(*self.query()), self.without_goal()].into_iter().flatten()
    }
}

/// The answer to a [`PredictionRequest`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The prediction for the query.
    pub prediction: Prediction,
    /// The prediction for the same query without its goal, if that was requested, too.
    pub without_goal: Option<Prediction>,
    /// The prediction of the [human network](super::PolicyPair) for the query without its goal, if that was requested
    /// and there is one.
    pub human: Option<Prediction>,
}

impl Answer {
    /// The number of queries that it answers.
    pub fn count(&self) -> u64 {
        self.predictions().count() as u64
    }

    /// All of its predictions.
    pub(crate) fn predictions_mut(&mut self) -> impl Iterator<Item = &mut Prediction> {
        [Some(&mut self.prediction), self.without_goal.as_mut(), self.human.as_mut()].into_iter().flatten()
    }

    /// All of its predictions.
    pub(crate) fn predictions(&self) -> impl Iterator<Item = &Prediction> {
        [Some(&self.prediction), self.without_goal.as_ref(), self.human.as_ref()].into_iter().flatten()
    }
}
