use std::{str::FromStr, sync::Arc};

use shakmaty::Position as _;
use thiserror::Error;

use super::{
    Constraint, Facts, Goal, GoalError, Impossible, Men, ParseError, Prospects, Situation,
    alternative::Alternative,
};

/// A constraint that games are to be led to, written out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As it was written.
    pub constraint: Constraint,
    /// Its numbers of men, if it speaks of nothing but these and ratings.
    pub goal: Option<Goal>,
    alternatives: Arc<[Alternative]>,
}

/// Why a text gives no target.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// It is no constraint.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It is too complex a one.
    #[error(transparent)]
    Goal(#[from] GoalError),
}

impl Target {
    /// The target that `constraint` describes.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if it has too many alternatives, written out.
    pub fn new(constraint: Constraint) -> Result<Target, GoalError> {
        let alternatives: Arc<[Alternative]> = constraint.written_out()?.into();
        let atoms = constraint.atoms();
        let counts_men = atoms.iter().any(|atom| atom.counts_men());
        let counts_only = counts_men
            && !constraint.is_judged()
            && atoms.iter().all(|atom| atom.counts_men() || atom.is_wish());
        let goal =
            counts_only.then(|| Goal::of(alternatives.iter().map(|alternative| alternative.counts.clone())));
        Ok(Target { constraint, goal, alternatives })
    }

    /// True if the constraint holds, as far as the rules of chess tell; see [`Constraint::holds`].
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        self.constraint.holds(situation)
    }

    /// What follows from each alternative for games that go on from `start`, or why there are none.
    pub fn facts<'a>(&'a self, start: Situation<'a>) -> impl Iterator<Item = Result<Facts<'a>, Impossible>> {
        self.alternatives.iter().map(move |alternative| Facts::of(alternative, start))
    }

    /// Why no legal game that goes on from `start` satisfies the constraint, if that is proved.
    ///
    /// With several alternatives the reason is that of the first.
    pub fn impossible_from(&self, start: Situation<'_>) -> Option<Impossible> {
        let mut first = None;
        for facts in self.facts(start) {
            let reason = facts.err()?;
            first.get_or_insert(reason);
        }
        Some(first.unwrap_or(Impossible::Contradiction))
    }

    /// What numbers alone prove of games that go on from `start`, if they prove all that can be proved.
    pub fn prospects(&self, start: Situation<'_>) -> Option<Prospects> {
        Prospects::of(self.facts(start).flatten())
    }

    /// The fewest plies, counted from the root, of a game that goes on from `start` and satisfies the constraint, as far
    /// as it speaks of the length of the game.
    pub fn fewest_plies(&self, start: Situation<'_>) -> u32 {
        self.facts(start).flatten().map(|facts| facts.plies.0).min().unwrap_or(0)
    }

    /// The most plies, counted likewise.
    pub fn most_plies(&self, start: Situation<'_>) -> u32 {
        self.facts(start).flatten().map(|facts| facts.plies.1).max().unwrap_or(u32::MAX)
    }

    /// True if it holds however its judged conditions are judged.
    pub fn is_surely_satisfied(&self, situation: Situation<'_>) -> bool {
        self.constraint.surely_holds(situation)
    }

    /// True if a witness must judge something of it.
    pub fn is_judged(&self) -> bool {
        self.constraint.is_judged()
    }

    /// True if the constraint says how many men there are of each kind and not where they stand, as endgames do.
    pub fn is_endgame(&self, start: Situation<'_>) -> bool {
        let is_one = |facts: Facts<'_>| {
            facts.counts.are_exact() && !facts.conditions.iter().any(|literal| literal.atom.places_men())
        };
        self.facts(start).flatten().all(is_one)
    }

    /// How many men of the kinds that `start` has too many of have to go, at least.
    pub fn men_too_many(&self, start: Situation<'_>) -> u32 {
        let men = Men::on(start.position.board());
        self.facts(start).flatten().map(|facts| facts.counts.men_too_many(&men)).min().unwrap_or(0)
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
    fn endgames_name_all_men_and_no_squares() {
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
