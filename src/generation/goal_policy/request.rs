use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{PolicySettings, Realism};
use crate::{
    constraint::{Atom, Constraint},
    encoding::goal_policy::RatingScale,
    generation::request::word,
};

/// How the method goal-policy is to draw moves, as a user says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRequest {
    /// Populations, or one game at a time.
    pub realism: Realism,
    /// How many times what the goal adds to a move's logit is added once more.
    pub guidance: f32,
    /// Logits are divided by it.
    pub temperature: f32,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// Whose ratings they are.
    pub rating_scale: RatingScale,
}

impl Default for PolicyRequest {
    fn default() -> PolicyRequest {
        let PolicySettings { realism, guidance, temperature, scale, .. } = PolicySettings::default();
        PolicyRequest {
            realism,
            guidance,
            temperature,
            white_elo: None,
            black_elo: None,
            rating_scale: scale,
        }
    }
}

impl PolicyRequest {
    /// The greatest guidance and temperature that may be asked for.
    pub const MOST: f32 = 10.0;

    /// The option, of those that only this method heeds, that differs from the usual, if any.
    pub fn differs(&self) -> Option<&'static str> {
        let usual = PolicyRequest::default();
        let options = [
            (self.realism != usual.realism, "realism"),
            (self.guidance != usual.guidance, "guidance"),
            (self.temperature != usual.temperature, "temperature"),
            (self.white_elo.is_some() && self.white_elo == self.black_elo, "elo"),
            (self.white_elo.is_some(), "white-elo"),
            (self.black_elo.is_some(), "black-elo"),
            (self.rating_scale != usual.rating_scale, "rating-scale"),
        ];
        options.into_iter().find(|(differs, _)| *differs).map(|(_, option)| option)
    }

    /// What differs from the usual, as options of `entente generate`.
    pub fn options(&self) -> Vec<String> {
        let usual = PolicyRequest::default();
        let mut options = Vec::new();
        if self.realism != usual.realism {
            options.push(format!("--realism {}", word(self.realism)));
        }
        if self.guidance != usual.guidance {
            options.push(format!("--guidance {}", self.guidance));
        }
        if self.temperature != usual.temperature {
            options.push(format!("--temperature {}", self.temperature));
        }
        match (self.white_elo, self.black_elo) {
            (Some(white), Some(black)) if white == black => options.push(format!("--elo {white}")),
            (white, black) => {
                options.extend(white.map(|elo| format!("--white-elo {elo}")));
                options.extend(black.map(|elo| format!("--black-elo {elo}")));
            }
        }
        if self.rating_scale != usual.rating_scale {
            options.push(format!("--rating-scale {}", word(self.rating_scale)));
        }
        options
    }

    /// The settings for games toward `constraint`, whose ratings win over the others.
    ///
    /// # Errors
    /// The option at fault and what is wrong with it.
    pub fn settings(&self, constraint: &Constraint) -> Result<PolicySettings, (&'static str, String)> {
        let shares = [("guidance", self.guidance), ("temperature", self.temperature)];
        for (option, number) in shares {
            if !(0.0..=PolicyRequest::MOST).contains(&number) {
                return Err((option, format!("expected 0 to {}, found {number}", PolicyRequest::MOST)));
            }
        }
        let mut ratings = [self.white_elo, self.black_elo].map(|elo| elo.map(|elo| (elo, elo)));
        for (place, color) in Color::ALL.into_iter().enumerate() {
            if let Some(range) = demanded(constraint, color).map_err(|reason| ("constraint", reason))? {
                ratings[place] = Some(range);
            }
        }
        Ok(PolicySettings {
            realism: self.realism,
            guidance: self.guidance,
            temperature: self.temperature,
            ratings,
            scale: self.rating_scale,
            ..PolicySettings::default()
        })
    }
}

/// The ratings of a player that `constraint` allows, if it says anything of them.
fn demanded(constraint: &Constraint, color: Color) -> Result<Option<(u16, u16)>, String> {
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
            let player = color.fold_wb("White", "Black");
            return Err(format!("no rating of {player} is as demanded"));
        }
        allowed = Some((low, high));
    }
    Ok(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratings(request: PolicyRequest, constraint: &str) -> Result<[Option<(u16, u16)>; 2], String> {
        let settings = request.settings(&constraint.parse().unwrap());
        settings.map(|settings| settings.ratings).map_err(|(_, reason)| reason)
    }

    #[test]
    fn a_rating_in_the_constraint_wins_over_the_options() {
        let request =
            PolicyRequest { white_elo: Some(2000), black_elo: Some(2100), ..PolicyRequest::default() };
        let white = Some((2000, 2000));
        assert_eq!(ratings(request, "Q=0"), Ok([white, Some((2100, 2100))]));
        assert_eq!(ratings(request, "Q=0 black.elo=1500..1700"), Ok([white, Some((1500, 1700))]));
        let both = Some((1600, 1700));
        assert_eq!(ratings(request, "elo=1500..1700 elo=1600..1800 Q=0"), Ok([both, both]));
        let error = ratings(request, "elo=1500 white.elo=1600 Q=0").unwrap_err();
        assert_eq!(error, "no rating of White is as demanded");
    }

    #[test]
    fn what_differs_is_told_as_options() {
        let request = PolicyRequest {
            realism: Realism::Fast,
            white_elo: Some(1500),
            black_elo: Some(1500),
            rating_scale: RatingScale::Fide,
            ..PolicyRequest::default()
        };
        assert_eq!(request.options().join(" "), "--realism fast --elo 1500 --rating-scale fide");
        assert_eq!(PolicyRequest::default().differs(), None);
        assert_eq!(
            PolicyRequest { black_elo: Some(900), ..PolicyRequest::default() }.differs(),
            Some("black-elo")
        );
        let hot = PolicyRequest { temperature: f32::NAN, ..PolicyRequest::default() };
        assert_eq!(hot.settings(&"Q=0".parse().unwrap()).unwrap_err().0, "temperature");
    }
}
