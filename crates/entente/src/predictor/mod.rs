//! Asking a policy network which moves people play.
//!
//! In come [`Ask`]s: questions about positions, each alone or paired with the same question without its goal. Out come
//! [`Answer`]s. A [`MovePredictor`] answers; a [`PolicySession`] is one, and others are decorators of it: [`Cached`]
//! remembers the answers about openings, and [`Skilled`](crate::skill::Skilled) corrects answers by a short search.
//!
//! To change what is made of a network's answers, add a decorator: a struct with an inner predictor and an implementation
//! of [`MovePredictor`].

mod ask;
mod cached;

pub use ask::{Answer, Ask};
pub use cached::Cached;
use entente_network::{NetworkError, Opinion, PolicySession, Question};
use entente_search::Limits;

/// What predicts moves.
pub trait MovePredictor {
    /// The answers to `asks`, in their order; fewer once `until` ends it, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    fn predict(&mut self, asks: &[Ask<'_>], until: Limits<'_>) -> Result<Vec<Answer>, NetworkError>;

    /// The number of questions answered so far, whether the network was asked or the answer was known.
    fn evaluations(&self) -> u64;

    /// The nodes of all searches so far that corrected answers.
    fn nodes(&self) -> u64 {
        0
    }

    /// The answer to one question.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    fn predict_one(&mut self, question: &Question<'_>) -> Result<Opinion, NetworkError> {
        let mut answers = self.predict(&[Ask::Single(*question)], Limits::none())?;
        Ok(answers.pop().expect("nothing ends it").opinion)
    }
}

/// What the network says.
impl MovePredictor for PolicySession {
    fn predict(&mut self, asks: &[Ask<'_>], until: Limits<'_>) -> Result<Vec<Answer>, NetworkError> {
        let questions: Vec<Question<'_>> = asks.iter().flat_map(|ask| ask.questions()).collect();
        let mut opinions = self.ask_until(&questions, &|| until.forbid(0, 0))?.into_iter();
        let mut answers = Vec::with_capacity(asks.len());
        for ask in asks {
            let Some(opinion) = opinions.next() else { break };
            let without_goal = match ask {
                Ask::Single(_) => None,
                // Half of a pair is no answer.
                Ask::Paired(_) => match opinions.next() {
                    None => break,
                    without_goal => without_goal,
                },
            };
            answers.push(Answer { opinion, without_goal });
        }
        Ok(answers)
    }

    fn evaluations(&self) -> u64 {
        PolicySession::evaluations(self)
    }
}
