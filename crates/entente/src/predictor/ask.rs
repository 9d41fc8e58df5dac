use entente_network::{
    Opinion, Question,
    encoding::goal_policy::{Aim, Context},
};

/// What is asked about a position at once.
#[derive(Clone, Copy, Debug)]
pub enum Ask<'a> {
    /// One question.
    Single(Question<'a>),
    /// A question with a goal, and the same question without it. A search that corrects the answers looks at the moves
    /// that either answer finds likely.
    Paired(Question<'a>),
}

impl<'a> Ask<'a> {
    /// The question, with its goal if it has one.
    pub fn question(&self) -> &Question<'a> {
        match self {
            Ask::Single(question) | Ask::Paired(question) => question,
        }
    }

    /// The same question without its goal, if that is asked, too.
    pub fn without_goal(&self) -> Option<Question<'a>> {
        match self {
            Ask::Single(_) => None,
            Ask::Paired(question) => {
                let context = Context { plies_left: None, ..question.context };
                Some(Question { aim: &Aim::NONE, context, ..*question })
            }
        }
    }

    /// All of its questions.
    pub fn questions(&self) -> impl Iterator<Item = Question<'a>> {
        [Some(*self.question()), self.without_goal()].into_iter().flatten()
    }
}

/// What a predictor says of an [`Ask`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The answer to the question.
    pub opinion: Opinion,
    /// The answer to the same question without its goal, if that was asked, too.
    pub without_goal: Option<Opinion>,
}

impl Answer {
    /// The number of questions that it answers.
    pub fn count(&self) -> u64 {
        1 + u64::from(self.without_goal.is_some())
    }

    /// All of its opinions.
    pub(crate) fn opinions_mut(&mut self) -> impl Iterator<Item = &mut Opinion> {
        [Some(&mut self.opinion), self.without_goal.as_mut()].into_iter().flatten()
    }

    /// All of its opinions.
    pub(crate) fn opinions(&self) -> impl Iterator<Item = &Opinion> {
        [Some(&self.opinion), self.without_goal.as_ref()].into_iter().flatten()
    }
}
