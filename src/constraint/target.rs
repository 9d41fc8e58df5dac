use super::{Constraint, Facts, Goal, GoalError, Situation};

/// A constraint that games are to be led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As it was written.
    pub constraint: Constraint,
    /// Its normal form, if it speaks of nothing but numbers of men and ratings.
    pub goal: Option<Goal>,
}

impl Target {
    /// The target that `constraint` describes.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if it has too many alternatives, written out.
    pub fn new(constraint: Constraint) -> Result<Target, GoalError> {
        let goal = match constraint.without_ratings() {
            Some(conditions) => match Goal::new(&conditions) {
                Ok(goal) => Some(goal),
                Err(GoalError::NotAimedAt(_)) => None,
                Err(error) => return Err(error),
            },
            None => None,
        };
        if goal.is_none() && constraint.ways().is_none() {
            return Err(GoalError::TooComplex { denies_tuple: false });
        }
        Ok(Target { constraint, goal })
    }

    /// True if the constraint holds.
    pub fn is_satisfied(&self, situation: Situation<'_>) -> bool {
        match &self.goal {
            Some(goal) => goal.is_satisfied(situation.position),
            None => self.constraint.holds(situation),
        }
    }

    /// The fewest plies, counted from the root, of a game that goes on from `start` and satisfies the constraint, as far
    /// as it speaks of the length of the game.
    pub fn fewest_plies(&self, start: Situation<'_>) -> u32 {
        let ways = self.constraint.ways().unwrap_or_default();
        let facts = ways.iter().filter_map(|way| Facts::of(way, start).ok());
        facts.map(|facts| facts.plies.0).min().unwrap_or(0)
    }
}
