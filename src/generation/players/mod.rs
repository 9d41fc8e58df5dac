//! The players: who chooses the moves of a proof game, one file each.
//!
//! [`stages`] says which of them try, in which order, for a method. To add one, write a [`Player`], and give it its place
//! there.

mod fast;
mod natural;
mod negamax;
mod plan;
mod population;
mod tree;

use super::{Budget, GenerationError, Job, player::Player, policy::Delivery};
use crate::settings::{Method, Realism};
use fast::FastPlayer;
use natural::NaturalPlayer;
use negamax::NegamaxPlayer;
use plan::Planner;
use tree::TreePlayer;

/// A player and how often it may try.
pub(super) struct Stage {
    pub player: Box<dyn Player>,
    /// Attempts at most, beside those of all stages together.
    pub attempts: u32,
    /// What a game is called that it delivers.
    pub delivery: Delivery,
    /// True if it only tries where all others failed: what it does not find does not count.
    pub is_last_resort: bool,
}

impl Stage {
    fn new(player: impl Player + 'static, attempts: u32, delivery: Delivery) -> Stage {
        Stage { player: Box::new(player), attempts, delivery, is_last_resort: false }
    }

    fn last_resort(player: impl Player + 'static) -> Stage {
        let delivery = Delivery::Search;
        Stage { player: Box::new(player), attempts: Budget::SEARCHES, delivery, is_last_resort: true }
    }
}

/// Those who try to do the job, one after another.
///
/// # Errors
/// [`GenerationError`] if one of them cannot.
pub(super) fn stages(job: &Job) -> Result<Vec<Stage>, GenerationError> {
    let most = u32::MAX;
    Ok(match job.method {
        Method::Negamax => vec![Stage::new(NegamaxPlayer::new(job)?, most, Delivery::Search)],
        Method::BestFirst => vec![Stage::new(Planner::new(job)?, most, Delivery::Search)],
        Method::Puct => {
            vec![
                Stage::new(TreePlayer::new(job)?, most, Delivery::Tree),
                Stage::last_resort(Planner::new(job)?),
            ]
        }
        Method::GoalPolicy => {
            let mut stages = vec![
                Stage::new(FastPlayer::new(job)?, most, Delivery::Fast),
                Stage::last_resort(Planner::new(job)?),
            ];
            if job.settings.realism != Realism::Fast {
                stages.insert(0, Stage::new(NaturalPlayer::new(job)?, 1, Delivery::Natural));
            }
            stages
        }
    })
}
