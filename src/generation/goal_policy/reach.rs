use shakmaty::{Move, Position};

use crate::{
    constraint::{Constraint, Goal, Men, Situation, Target},
    guide::Guide,
};

/// Which moves leave the constraint within reach.
pub struct Reach {
    constraint: Constraint,
    proof: Proof,
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
        Reach { constraint: target.constraint.clone(), proof }
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
