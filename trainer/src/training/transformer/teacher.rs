use std::{cell::RefCell, fmt};

use anyhow::{Context as _, ensure};
use entente::{
    encoding::{
        goal_policy::{Aim, Context},
        sequence::vocabulary,
        softmax,
    },
    network::{NetworkKind as _, Opinion, Policy, PolicySession, Question},
};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use crate::dataset::sequence::{MoveSample, index};

/// A policy to learn from, as a recipe names it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherRecipe {
    /// An embedded policy's name, or a path.
    pub network: String,
    /// How much its expectations weigh beside the moves that were played, from 0 to 1.
    pub share: f64,
}

/// A policy to learn from. It is told of the ratings, and in it the network alone speaks, without its skill.
pub struct Teacher {
    policy: Policy,
    session: RefCell<PolicySession>,
    share: f64,
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

    /// How much it weighs.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The probability that it gives each move of the vocabulary, a row for each sample; illegal moves have none.
    ///
    /// # Panics
    /// If the network cannot be run.
    pub fn expects(&self, samples: &[MoveSample]) -> Vec<f32> {
        let legal: Vec<_> = samples.iter().map(|sample| sample.position.legal_moves()).collect();
        let questions: Vec<Question<'_>> =
            samples.iter().zip(&legal).map(|(sample, legal)| sample.question(legal)).collect();
        let opinions = self.session.borrow_mut().ask(&questions).expect("it answered when it was opened");
        let mut all = vec![0.0; samples.len() * vocabulary().len()];
        for ((row, legal), opinion) in all.chunks_mut(vocabulary().len()).zip(&legal).zip(&opinions) {
            for (m, probability) in legal.iter().zip(softmax(&opinion.logits)) {
                row[index(*m)] = probability;
            }
        }
        all
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
