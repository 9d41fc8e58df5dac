use std::{cell::RefCell, fmt};

use anyhow::{Context as _, ensure};
use entente_network::{
    NetworkKind as _, Opinion, Policy, PolicySession, Question,
    encoding::{
        goal_policy::{Aim, Context},
        softmax,
    },
};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use super::{RecipeError, in_range};

/// A policy to learn from, as a recipe names it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherRecipe {
    /// An embedded policy's name, or a path.
    pub network: String,
    /// How much its expectations weigh beside the moves that were played, from 0 to 1.
    pub share: f64,
}

/// A policy to learn from beside the moves that were played (Hinton et al. 2015, "Distilling the knowledge in a neural
/// network"). In it the network alone speaks, without its skill.
pub struct Teacher {
    policy: Policy,
    session: RefCell<PolicySession>,
    share: f64,
}

impl TeacherRecipe {
    /// Checks its numbers.
    ///
    /// # Errors
    /// Names the file `path` and the key.
    pub fn check(&self, path: &str) -> Result<(), RecipeError> {
        in_range(path, &[((0.0..=1.0).contains(&self.share), "teacher", "a `share` from 0 to 1")])
    }
}

impl Teacher {
    /// The one that a recipe names.
    ///
    /// # Errors
    ///
    /// If there is no such network, or it does not answer.
    pub fn open(recipe: &TeacherRecipe) -> anyhow::Result<Teacher> {
        let policy = Policy::open(&recipe.network).context("key `teacher` of the recipe")?;
        let mut session = policy.session();
        let position = Chess::default();
        let legal = position.legal_moves();
        let (context, aim) = (Context::default(), &Aim::NONE);
        let question = Question { position: &position, moves: &legal, played: &[], context, aim };
        let opinions = session.ask(&[question, question]).context("key `teacher` of the recipe")?;
        let are_numbers = |opinion: &Opinion| opinion.logits.iter().all(|logit| logit.is_finite());
        ensure!(
            opinions.iter().all(are_numbers),
            "key `teacher` of the recipe: {} does not answer with numbers",
            recipe.network
        );
        Ok(Teacher { session: RefCell::new(session), policy, share: recipe.share })
    }

    /// True if it can be asked about goals.
    pub fn heeds_aims(&self) -> bool {
        self.policy.heeds_aims()
    }

    /// How much it weighs.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The probability that it gives each of the moves of each question.
    ///
    /// # Panics
    /// If the network cannot be run.
    pub fn expects(&self, questions: &[Question<'_>]) -> Vec<Vec<f32>> {
        let opinions = self.session.borrow_mut().ask(questions).expect("it answered when it was opened");
        opinions.iter().map(|opinion| softmax(&opinion.logits)).collect()
    }
}

impl Clone for Teacher {
    /// The same network at work elsewhere.
    fn clone(&self) -> Teacher {
        let session = RefCell::new(self.policy.session());
        Teacher { policy: self.policy.clone(), session, share: self.share }
    }
}

impl fmt::Debug for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.policy.name(), self.share)
    }
}
