use std::{str::FromStr, sync::Arc};

use shakmaty::Position as _;
use thiserror::Error;

use super::{
    Constraint, Facts, Goal, GoalError, Impossible, Men, ParseError, Prospects, Situation,
    alternative::Alternative,
};

/// A constraint expanded into its alternatives, toward which games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The constraint as it was written.
    pub constraint: Constraint,
    /// The numbers of men, if the constraint has no conditions except these and ratings.
    pub goal: Option<Goal>,
    alternatives: Arc<[Alternative]>,
}

/// Why a text does not describe a target.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// The text is not a constraint.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The constraint is too complex.
    #[error(transparent)]
    Goal(#[from] GoalError),
}

impl Target {
    /// The target of `constraint`.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if the constraint expands into too many alternatives.
    pub fn new(constraint: Constraint) -> Result<Target, GoalError> {
        let alternatives: Arc<[Alternative]> = constraint.written_out()?.into();
        let atoms = constraint.atoms();
        let counts_men = atoms.iter().any(|atom| atom.counts_men());
        let counts_only = counts_men
            && !constraint.is_judged()
            && atoms.iter().all(|atom| atom.counts_men() || atom.is_always_satisfied());
        let goal =
            counts_only.then(|| Goal::of(alternatives.iter().map(|alternative| alternative.counts.clone())));
        Ok(Target { constraint, goal, alternatives })
    }

    /// True if the constraint holds, assuming the best of its judged conditions; see [`Constraint::holds`].
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.constraint.holds(situation)
    }

    /// For each alternative, what it implies for games from `start`, or why no game can satisfy it.
    pub fn facts<'a>(&'a self, start: Situation<'a>) -> impl Iterator<Item = Result<Facts<'a>, Impossible>> {
        self.alternatives.iter().map(move |alternative| Facts::of(alternative, start))
    }

    /// Why no legal game from `start` can satisfy the constraint, if that is proved.
    ///
    /// If there are several alternatives, the reason is about the first.
    pub fn impossible_from(&self, start: Situation<'_>) -> Option<Impossible> {
        let mut first = None;
        for facts in self.facts(start) {
            let reason = facts.err()?;
            first.get_or_insert(reason);
        }
        Some(first.unwrap_or(Impossible::Contradiction))
    }

    /// What games from `start` can still reach; `None` if numbers alone do not decide that.
    pub fn prospects(&self, start: Situation<'_>) -> Option<Prospects> {
        Prospects::of(self.facts(start).flatten())
    }

    /// The fewest plies from the root that the constraint allows for a game through `start`. Only conditions on the
    /// length of the game count.
    pub fn fewest_plies(&self, start: Situation<'_>) -> u32 {
        self.facts(start).flatten().map(|facts| facts.plies.0).min().unwrap_or(0)
    }

    /// The most plies from the root that the constraint allows for a game through `start`.
    pub fn max_plies(&self, start: Situation<'_>) -> u32 {
        self.facts(start).flatten().map(|facts| facts.plies.1).max().unwrap_or(u32::MAX)
    }

    /// True if the constraint holds whatever the verdict on its judged conditions.
    pub fn is_certainly_satisfied(&self, situation: Situation<'_>) -> bool {
        self.constraint.certainly_holds(situation)
    }

    /// True if the constraint has conditions that an oracle must judge.
    pub fn is_judged(&self) -> bool {
        self.constraint.is_judged()
    }

    /// True if the constraint gives the exact number of men of each kind but no squares, as for an endgame.
    pub fn is_endgame(&self, start: Situation<'_>) -> bool {
        let is_endgame = |facts: Facts<'_>| {
            facts.counts.are_exact() && !facts.conditions.iter().any(|literal| literal.atom.places_men())
        };
        self.facts(start).flatten().all(is_endgame)
    }

    /// By how many men `start` exceeds the maximum for their kinds, in the best alternative. These men must be
    /// captured, or promoted if they are pawns.
    pub fn excess_men(&self, start: Situation<'_>) -> u32 {
        let men = Men::on(start.position.board());
        self.facts(start).flatten().map(|facts| facts.counts.excess_men(&men)).min().unwrap_or(0)
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        Ok(Target::new(text.parse()?)?)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn endgames_fix_all_numbers_of_men_and_no_squares() {
        let start = Chess::default();
        for (constraint, is_endgame) in [
            ("material=KRPvKR", true),
            ("material=KRPvKR turn=white", true),
            ("material=KRPvKR | material=KPvK", true),
            ("material=KRPvKR | Q=0", false),
            ("Q=0 q=0", false),
            ("(1,2,1,1,7)", false),
            ("fen=4k3/8/8/8/8/8/8/4K2R", false),
            ("material=KPvK P@a", false),
        ] {
            let target: Target = constraint.parse().unwrap();
            assert_eq!(target.is_endgame(Situation::root(&start)), is_endgame, "{constraint}");
        }
    }
}
