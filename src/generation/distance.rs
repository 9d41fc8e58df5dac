use shakmaty::Position;

use crate::{
    constraint::{Impossible, Men, Situation, Target},
    guide::{Guide, GuideError},
    search::Game,
};

/// How far a position is from the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Men too many or too few.
    Men(u32),
    /// Plies, by a rough estimate.
    Plies(u32),
}

impl Distance {
    /// Without the unit; 0 where the constraint holds.
    pub fn number(self) -> u32 {
        match self {
            Distance::Men(number) | Distance::Plies(number) => number,
        }
    }

    /// How far `start` is from `target`.
    ///
    /// # Errors
    /// [`GuideError::Impossible`] if it is proved that no legal game that goes on from there satisfies it,
    /// [`GuideError::TooComplex`] if games cannot be led there.
    pub fn of(target: &Target, start: Situation<'_>) -> Result<Distance, GuideError> {
        let is_satisfied = target.is_satisfied(start);
        if !is_satisfied && Game::new(start.position.clone()).is_over() {
            let reason = "the game is over in that position".to_owned();
            return Err(Impossible::Because { reason }.into());
        }
        if let Some(goal) = &target.goal {
            let men = Men::on(start.position.board());
            return match goal.impossible_from(&men) {
                Some(reason) => Err(reason.into()),
                None => Ok(Distance::Men(goal.distance_of(&men))),
            };
        }
        if is_satisfied {
            return Ok(Distance::Plies(0));
        }
        Ok(Distance::Plies(Guide::new(&target.constraint, start)?.distance()))
    }
}
