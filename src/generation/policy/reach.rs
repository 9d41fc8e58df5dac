use shakmaty::{Move, Position};

use crate::{
    constraint::{Constraint, Goal, Men, Situation, Target},
    generation::Job,
    guide::Guide,
    search::Game,
};

/// Which moves leave the constraint within reach.
pub struct Reach {
    constraint: Constraint,
    proof: Proof,
    /// The longest game that the constraint allows, in plies.
    longest: u32,
}

/// What proves that a position leads nowhere.
enum Proof {
    /// The numbers of men.
    Counts(Goal),
    /// Everything.
    Guide(Box<Guide>),
}

impl Reach {
    /// What leads to `target`, for which `guide` was made.
    pub fn new(target: &Target, guide: &Guide) -> Reach {
        let proof = match &target.goal {
            Some(goal) => Proof::Counts(goal.clone()),
            None => Proof::Guide(Box::new(guide.clone())),
        };
        Reach { constraint: target.constraint.clone(), proof, longest: guide.most_plies() }
    }

    /// True if the constraint holds.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        match &self.proof {
            Proof::Counts(goal) => goal.is_satisfied(situation.position),
            Proof::Guide(_) => self.constraint.holds(situation),
        }
    }

    /// How far a position is, in men, or in plies by an estimate.
    pub fn distance(&self, situation: Situation<'_>) -> u32 {
        match &self.proof {
            Proof::Counts(goal) => goal.distance(situation.position),
            Proof::Guide(_) if self.is_satisfied(situation) => 0,
            Proof::Guide(guide) => {
                let estimate = guide.estimate(situation.position, situation.ply);
                estimate.map_or(u32::MAX, |estimate| estimate.plies().max(1))
            }
        }
    }

    /// Plies in which the constraint is to be met once so many are played from the root.
    pub fn plies_left(&self, job: &Job, played: u32) -> u32 {
        job.settings.max_plies.min(self.longest.saturating_sub(job.first_ply)).saturating_sub(played)
    }

    /// Which of the legal moves of a game may be played: those that leave the constraint within reach, looking `mask`
    /// plies ahead, and do not end the game short of it; all with a mask of 0. At first also only those that `may_begin`
    /// allows. `men` are those on the board.
    pub fn allowed(
        &self,
        game: &Game,
        (moves, men): (&[Move], &Men),
        mask: u32,
        may_begin: &dyn Fn(Move) -> bool,
    ) -> Vec<bool> {
        let situation = game.situation();
        let begins = game.moves().is_empty();
        let is_allowed = |m: Move| {
            (!begins || may_begin(m))
                && self.keeps(situation, men, m, mask)
                && (mask == 0 || !self.ends_short(game, m, situation.ply))
        };
        moves.iter().map(|m| is_allowed(*m)).collect()
    }

    /// True if the game ends with `m` where the constraint does not hold.
    fn ends_short(&self, game: &Game, m: Move, ply: u32) -> bool {
        if !game.ends_with(m) {
            return false;
        }
        let mut child = game.position().clone();
        child.play_unchecked(m);
        !self.is_satisfied(Situation { position: &child, ply: ply + 1 })
    }

    /// True if `m` leaves the constraint within reach, looking `plies` plies ahead: at 2 the other side must have a reply
    /// that does, too.
    pub fn keeps(&self, situation: Situation<'_>, men: &Men, m: Move, plies: u32) -> bool {
        if plies == 0 {
            return true;
        }
        let after = men.after(m, situation.position.turn());
        let child = || {
            let mut child = situation.position.clone();
            child.play_unchecked(m);
            child
        };
        // Numbers of men need no position: most moves cost next to nothing.
        let child = match &self.proof {
            Proof::Counts(goal) => {
                if !goal.keeps_reachable(m, &after) {
                    return false;
                }
                if plies == 1 || goal.is_satisfied_by(&after) {
                    return true;
                }
                child()
            }
            Proof::Guide(guide) => {
                let child = child();
                let next = Situation { position: &child, ply: situation.ply + 1 };
                if self.is_satisfied(next) {
                    return true;
                }
                let is_within_reach = guide.estimate(&child, next.ply).is_some();
                if plies == 1 || !is_within_reach {
                    return is_within_reach;
                }
                child
            }
        };
        self.has_reply(Situation { position: &child, ply: situation.ply + 1 }, &after)
    }

    fn has_reply(&self, situation: Situation<'_>, men: &Men) -> bool {
        let replies = situation.position.legal_moves();
        replies.iter().any(|reply| self.keeps(situation, men, *reply, 1))
    }
}
