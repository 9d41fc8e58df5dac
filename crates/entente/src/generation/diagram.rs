//! The whole diagram that a job leads to.

use std::ops::RangeInclusive;

use entente_constraint::legality::Problem;
use shakmaty::Chess;

use super::Job;

/// What searches for whole diagrams read of a target.
pub(super) struct Diagram {
    /// The diagram, with the side to move and the castling rights if the target names them.
    pub problem: Problem,
    /// The numbers of plies that a game may have.
    pub plies: RangeInclusive<u32>,
    /// True if the target has no other condition.
    pub is_all: bool,
}

impl Diagram {
    /// The diagram of a job's target; `None` unless games begin in the initial position and the only possible
    /// alternative of the target is a whole diagram.
    pub(super) fn of(job: &Job) -> Option<Diagram> {
        if job.root != Chess::default()
            || job.first_ply > 0
            || job.before.is_some()
            || job.target.goal.is_some()
        {
            return None;
        }
        let game = job.game();
        let mut facts = job.target.facts(game.situation()).flatten();
        let (Some(facts), None) = (facts.next(), facts.next()) else { return None };
        let is_all = facts.are_of_a_diagram();
        let (fewest, most) = facts.plies;
        Some(Diagram { problem: facts.diagram?, plies: fewest..=most.min(job.max_plies), is_all })
    }
}
