use entente_constraint::{
    Constraint, Impossible, Men, Situation, Target,
    guide::{Guide, GuideError},
};
use entente_search::Game;
use shakmaty::{Chess, Position};
use thiserror::Error;

/// Why no game is started.
#[derive(Debug, Error)]
pub enum Unreachable {
    /// It is proved that no game reaches the target, or the target is too complex.
    #[error(transparent)]
    Guide(#[from] GuideError),
    /// The constraint demands a longer game.
    #[error("the constraint needs at least {fewest} plies")]
    TooLong {
        /// The minimum number of plies.
        fewest: u32,
    },
}

/// The distance of a position from a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The number of men missing or in excess.
    Men(u32),
    /// A rough estimate of the plies needed.
    Plies(u32),
}

impl Distance {
    /// The distance without its unit; 0 if the constraint holds.
    pub fn number(self) -> u32 {
        match self {
            Distance::Men(number) | Distance::Plies(number) => number,
        }
    }

    /// A distance with the unit that is used for `target`.
    pub(crate) fn to(target: &Target, number: u32) -> Distance {
        match target.goal {
            Some(_) => Distance::Men(number),
            None => Distance::Plies(number),
        }
    }

    /// The distance of `start` from `target`.
    ///
    /// # Errors
    /// [`GuideError::Impossible`] if it is proved that no legal game from `start` satisfies the target,
    /// [`GuideError::TooComplex`] if it is too complex, [`GuideError::TooManyMen`] if a side has more than 16 men.
    pub fn of(target: &Target, start: Situation<'_>) -> Result<Distance, GuideError> {
        GuideError::check_men(start.position.board())?;
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

    /// The distance of `start` from `target`, if a game of at most `max_plies` plies may reach it.
    ///
    /// # Errors
    /// [`Unreachable`] if none can.
    pub fn within(target: &Target, start: Situation<'_>, max_plies: u32) -> Result<Distance, Unreachable> {
        let distance = Distance::of(target, start)?;
        match target.fewest_plies(start) {
            fewest if fewest > max_plies => Err(Unreachable::TooLong { fewest }),
            _ => Ok(distance),
        }
    }
}

/// Why no game from `root` satisfies a constraint; `None` if that is not proved.
pub fn reason_impossible(constraint: &Constraint, root: &Chess) -> Option<Impossible> {
    let (target, start) = (Target::new(constraint.clone()).ok()?, Situation::root(root));
    match Distance::of(&target, start) {
        Ok(_) => None,
        Err(GuideError::Impossible(reason)) => Some(reason),
        // A constraint that is too complex for the guide may still be proved impossible.
        Err(GuideError::TooComplex | GuideError::TooManyMen(_)) => target.impossible_from(start),
    }
}
