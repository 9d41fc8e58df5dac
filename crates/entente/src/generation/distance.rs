use entente_constraint::{
    Impossible, Men, Situation, Target,
    guide::{Guide, GuideError},
};
use entente_search::Game;
use shakmaty::Position;
use thiserror::Error;

/// Why no game is to be begun.
#[derive(Debug, Error)]
pub enum Unreachable {
    /// It is proved that none leads there, or none can be led there.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// The constraint asks for a longer one.
    #[error("the constraint needs at least {fewest} plies")]
    TooLong {
        /// The fewest plies.
        fewest: u32,
    },
}

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

    /// So much, in the unit in which distances to `target` are given.
    pub(super) fn to(target: &Target, number: u32) -> Distance {
        match target.goal {
            Some(_) => Distance::Men(number),
            None => Distance::Plies(number),
        }
    }

    /// How far `start` is from `target`.
    ///
    /// # Errors
    /// [`GuideError::Impossible`] if it is proved that no legal game that goes on from there satisfies it,
    /// [`GuideError::TooComplex`] if games cannot be led there.
    pub fn of(target: &Target, start: Situation<'_>) -> Result<Distance, GuideError> {
        let distance = match &target.goal {
            Some(goal) => {
                let men = Men::on(start.position.board());
                match goal.impossible_from(&men) {
                    Some(reason) => return Err(reason.into()),
                    None => Distance::Men(goal.distance_of(&men)),
                }
            }
            None if target.is_satisfied(start) => Distance::Plies(0),
            None => Distance::Plies(Guide::new(target, start)?.distance()),
        };
        if distance.number() > 0 && Game::new(start.position.clone()).is_over() {
            let reason = "the game is over in that position".to_owned();
            return Err(Impossible::Because { reason }.into());
        }
        Ok(distance)
    }

    /// How far `start` is from `target`, if a game of up to `max_plies` may get there.
    ///
    /// # Errors
    /// [`Unreachable`] if not.
    pub fn within(target: &Target, start: Situation<'_>, max_plies: u32) -> Result<Distance, Unreachable> {
        let distance = Distance::of(target, start)?;
        match target.fewest_plies(start) {
            fewest if fewest > max_plies => Err(Unreachable::TooLong { fewest }),
            _ => Ok(distance),
        }
    }
}
