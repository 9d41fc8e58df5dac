use std::{cell::RefCell, fmt};

use anyhow::{Context as _, ensure};
use entente_network::{
    NetworkKind as _, Policy, PolicySession, Prediction, Query,
    encoding::{
        goal_policy::{Aim, Context},
        softmax,
    },
};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use super::{RecipeError, in_range};

/// The keys of a recipe that name a policy to learn from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherRecipe {
    /// The name of an embedded policy, or a path.
    pub network: String,
    /// The weight of its probabilities in the loss, from 0 to 1; the moves that were played have the remaining weight.
    pub share: f64,
}

/// A policy from which a network learns in addition to the moves that were played (Hinton et al. 2015, "Distilling the
/// knowledge in a neural network"). Only the policy's network is used, without its skill.
pub struct Teacher {
    policy: Policy,
    session: RefCell<PolicySession>,
    share: f64,
}

impl TeacherRecipe {
    /// Checks the values.
    ///
    /// # Errors
    ///
    /// If `share` is out of range; the message names the file `path` and the key.
    pub fn check(&self, path: &str) -> Result<(), RecipeError> {
        in_range(path, &[((0.0..=1.0).contains(&self.share), "teacher", "a `share` from 0 to 1")])
    }
}

impl Teacher {
    /// Opens the teacher that a recipe names.
    ///
    /// # Errors
    ///
    /// If there is no such network, or its answers are not finite numbers.
    pub fn open(recipe: &TeacherRecipe) -> anyhow::Result<Teacher> {
        let policy = Policy::open(&recipe.network).context("key `teacher` of the recipe")?;
        let mut session = policy.session();
        let position = Chess::default();
        let legal = position.legal_moves();
        let (context, aim) = (Context::default(), &Aim::NONE);
        let query = Query { position: &position, moves: &legal, played: &[], context, aim };
        let predictions = session.ask(&[query, query]).context("key `teacher` of the recipe")?;
        let are_numbers = |prediction: &Prediction| prediction.logits.iter().all(|logit| logit.is_finite());
        ensure!(
            predictions.iter().all(are_numbers),
            "key `teacher` of the recipe: the answers of {} are not finite numbers",
            recipe.network
        );
        Ok(Teacher { session: RefCell::new(session), policy, share: recipe.share })
    }

    /// True if the policy reads goals.
    pub fn reads_goals(&self) -> bool {
        self.policy.reads_goals()
    }

    /// The weight of the teacher in the loss.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The probabilities of the moves of each query.
    ///
    /// # Panics
    ///
    /// If the network cannot be run.
    pub fn expects(&self, queries: &[Query<'_>]) -> Vec<Vec<f32>> {
        let predictions =
            self.session.borrow_mut().ask(queries).expect("the network answered when it was opened");
        predictions.iter().map(|prediction| softmax(&prediction.logits)).collect()
    }
}

impl Clone for Teacher {
    /// The same network with a session of its own.
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
