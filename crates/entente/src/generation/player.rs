//! What chooses the moves of proof games.

use std::cell::RefCell;

use entente_constraint::Situation;
use entente_search::{Game, Limits};
use rand::rngs::ChaCha8Rng;
use shakmaty::Move;

use super::{
    Distance, GenerationError, Job,
    policy::{PolicyReport, Ratings},
};
use crate::judge::Judge;

/// Chooses the moves of proof games, a game at a time; every thread has its own.
pub(super) trait Player: Send {
    /// Plays one game, or searches for one; `None` if this is no task for this player, at no attempt.
    ///
    /// # Errors
    /// [`GenerationError`] if a network cannot be run, or the judge does not answer.
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError>;

    /// What it has spent so far.
    fn spent(&self) -> Spent;

    /// Forgets earlier positions before the next one, so that results depend on nothing but seed and index.
    fn forget(&mut self) {}
}

/// What an attempt is to do.
pub(super) struct Task<'a> {
    /// Everything that was decided.
    pub job: &'a Job,
    /// White's and Black's rating, where they are to count.
    pub ratings: Ratings,
    /// How many attempts of this player came before.
    pub number: u32,
    /// When to end. The nodes are counted as the player counts its own.
    pub limits: Limits<'a>,
    /// Who judges what the rules of chess do not decide, if anything of the target has to be judged.
    pub judge: Option<&'a RefCell<Judge>>,
    /// Which moves a game may begin with.
    pub may_begin: &'a dyn Fn(Move) -> bool,
}

impl Task<'_> {
    /// The same for someone who does not count `nodes` of those that are spent.
    pub(super) fn without(&self, nodes: u64) -> Task<'_> {
        Task { limits: Limits { nodes: self.limits.nodes.saturating_sub(nodes), ..self.limits }, ..*self }
    }

    /// True if the constraint seems to hold: without a judge it holds.
    pub(super) fn seems_done(&self, situation: Situation<'_>) -> bool {
        let constraint = &self.job.target.constraint;
        match self.judge {
            Some(judge) => judge.borrow_mut().seems(constraint, situation, self.limits),
            None => constraint.holds(situation),
        }
    }

    /// True if the constraint holds where it seems to.
    ///
    /// # Errors
    /// [`GenerationError::Judge`] if the judge does not answer.
    pub(super) fn is_done(&self, situation: Situation<'_>) -> Result<bool, GenerationError> {
        match self.judge {
            Some(judge) => {
                Ok(judge.borrow_mut().rules(&self.job.target.constraint, situation, self.limits)?)
            }
            None => Ok(true),
        }
    }
}

/// Positions searched and evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// What limits on nodes count.
    pub nodes: u64,
    /// Positions given to an evaluator or a policy.
    pub evaluations: u64,
}

/// What came of an attempt.
pub(super) struct Attempt {
    /// The game, up to the nearest position that the player can tell.
    pub line: Vec<Move>,
    /// How far that position is from the constraint.
    pub distance: Distance,
    /// How far the last position of the whole game is, without its unit.
    pub last_distance: u32,
    /// The satisfaction value of the choice that led there, in [0, 1].
    pub value: f32,
    /// The first move of the whole game.
    pub begun_with: Option<Move>,
    /// How a policy played it.
    pub report: PolicyReport,
    /// True if no further attempt of this player can come to anything else.
    pub is_final: bool,
}

impl Attempt {
    /// A whole game of a policy's player, whose last position is so far from the constraint.
    pub(super) fn whole(job: &Job, game: Game, distance: u32, report: PolicyReport) -> Attempt {
        Attempt {
            begun_with: game.moves().first().copied(),
            line: game.into_parts().0,
            distance: Distance::to(&job.target, distance),
            last_distance: distance,
            value: 0.0,
            report,
            is_final: false,
        }
    }
}
