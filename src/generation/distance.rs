use shakmaty::Position;

use crate::{
    constraint::{Impossible, Men, Situation, Target},
    guide::{Guide, GuideError},
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
    /// [`Impossible`] if it is proved that no legal game that goes on from there satisfies it.
    pub fn of(target: &Target, start: Situation<'_>) -> Result<Distance, Impossible> {
        if let Some(goal) = &target.goal {
            let men = Men::on(start.position.board());
            return match goal.impossible_from(&men) {
                Some(reason) => Err(reason),
                None => Ok(Distance::Men(goal.distance_of(&men))),
            };
        }
        if target.is_satisfied(start) {
            return Ok(Distance::Plies(0));
        }
        match Guide::new(&target.constraint, start) {
            Ok(guide) => Ok(Distance::Plies(guide.distance())),
            Err(GuideError::Impossible(reason)) => Err(reason),
            Err(GuideError::TooComplex) => unreachable!("a target that is too complex is refused"),
        }
    }
}
