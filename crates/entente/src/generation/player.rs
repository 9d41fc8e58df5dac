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

/// Chooses the moves of proof games, one game at a time. Each thread has its own player.
pub(super) trait Player: Send {
    /// Plays one game, or searches for one. Returns `None` if the player does not suit the task, which is then not an
    /// attempt.
    ///
    /// # Errors
    /// [`GenerationError`] if a network cannot be run, or the judge does not answer.
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError>;

    /// The positions that it has searched and evaluated so far.
    fn spent(&self) -> Spent;

    /// Forgets earlier positions before the next generation, so that results depend only on seed and index.
    fn forget(&mut self) {}
}

/// The task of an attempt.
pub(super) struct Task<'a> {
    /// The job.
    pub job: &'a Job,
    /// The ratings of White and Black, if they count.
    pub ratings: Ratings,
    /// The number of earlier attempts of this player.
    pub number: u32,
    /// When to end. The limit on nodes includes those that the player has already searched.
    pub limits: Limits<'a>,
    /// The judge, if the target has conditions that the rules of chess do not decide.
    pub judge: Option<&'a RefCell<Judge>>,
    /// Whether a game may begin with a move.
    pub may_begin: &'a dyn Fn(Move) -> bool,
}

impl Task<'_> {
    /// The same task for a part that does not count `nodes` of the nodes that are spent.
    pub(super) fn without(&self, nodes: u64) -> Task<'_> {
        Task { limits: Limits { nodes: self.limits.nodes.saturating_sub(nodes), ..self.limits }, ..*self }
    }

    /// True if the constraint seems to hold. Without a judge, it holds.
    pub(super) fn seems_done(&self, situation: Situation<'_>) -> bool {
        let constraint = &self.job.target.constraint;
        match self.judge {
            Some(judge) => judge.borrow_mut().seems(constraint, situation, self.limits),
            None => constraint.holds(situation),
        }
    }

    /// True if the constraint seems to hold after a game.
    pub(super) fn is_reached_by(&self, moves: &[Move]) -> bool {
        let mut game = self.job.game();
        moves.iter().for_each(|m| game.play(*m));
        moves.first().is_none_or(|first| (self.may_begin)(*first)) && self.seems_done(game.situation())
    }

    /// True if the constraint, which seems to hold, does hold.
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

/// The numbers of positions searched and evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// The nodes that limits count.
    pub nodes: u64,
    /// The positions given to an evaluator or a policy.
    pub evaluations: u64,
}

/// The result of an attempt.
pub(super) struct Attempt {
    /// The game, up to the position that the player knows to be nearest.
    pub line: Vec<Move>,
    /// The distance of that position from the constraint.
    pub distance: Distance,
    /// The distance of the last position of the whole game, without its unit.
    pub last_distance: u32,
    /// The satisfaction value of the move that led there, in [0, 1].
    pub value: f32,
    /// The first move of the whole game.
    pub begun_with: Option<Move>,
    /// How a policy played the game.
    pub report: PolicyReport,
    /// True if no further attempt of this player can have another result.
    pub is_final: bool,
}

impl Attempt {
    /// A game that a search found. It reaches the target.
    pub(super) fn searched(line: Vec<Move>) -> Attempt {
        Attempt {
            begun_with: line.first().copied(),
            report: PolicyReport { finished: line.len() as u32, ..PolicyReport::default() },
            line,
            distance: Distance::Plies(0),
            last_distance: 0,
            value: 1.0,
            is_final: false,
        }
    }

    /// An attempt that came nowhere near the target.
    pub(super) fn failed() -> Attempt {
        let nowhere = Attempt::searched(Vec::new());
        Attempt { distance: Distance::Plies(u32::MAX), last_distance: u32::MAX, value: 0.0, ..nowhere }
    }

    /// A whole game of a player with a policy, whose last position has this distance from the constraint.
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
