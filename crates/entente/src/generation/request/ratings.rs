//! The ratings of the players of a request.

use entente_constraint::{Atom, Constraint};
use shakmaty::Color;

use super::Request;
use crate::{
    generation::{RequestError, RequestFault},
    settings::{GenerationSettings, Setting},
};

impl Request {
    /// The lowest and highest rating of White and Black. Ratings in the constraint replace the settings.
    pub(super) fn ratings(&self) -> Result<[Option<(u16, u16)>; 2], RequestError> {
        let GenerationSettings { white_elo, black_elo, .. } = self.settings;
        let mut ratings = [white_elo, black_elo].map(|elo| elo.map(|elo| (elo, elo)));
        for (place, color) in Color::ALL.into_iter().enumerate() {
            let allowed = allowed_ratings(&self.target.constraint, color);
            let fault = |reason| RequestError::new(Setting::Constraint, reason);
            ratings[place] = allowed.map_err(fault)?.or(ratings[place]);
        }
        Ok(ratings)
    }
}

/// The lowest and highest rating of a player that `constraint` allows; `None` if it has no condition on them.
fn allowed_ratings(constraint: &Constraint, color: Color) -> Result<Option<(u16, u16)>, RequestFault> {
    let mut allowed: Option<(u16, u16)> = None;
    for atom in constraint.atoms() {
        let Atom::Rating(rating) = atom else { continue };
        if rating.player.is_some_and(|player| player != color) {
            continue;
        }
        let bound = |number: i16| u16::try_from(number).unwrap_or(0);
        let (low, high) = (bound(rating.range.low()), bound(rating.range.high()));
        let (low, high) = allowed.map_or((low, high), |(least, most)| (least.max(low), most.min(high)));
        if low > high {
            return Err(RequestFault::NoRating(color));
        }
        allowed = Some((low, high));
    }
    Ok(allowed)
}
