use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{PolicySettings, Priors, Realism, TreeSettings};
use crate::{
    constraint::{Atom, Constraint},
    encoding::goal_policy::RatingScale,
    generation::{MethodKind, request::word},
};

/// How the method goal-policy is to draw moves, as a user says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRequest {
    /// Populations, or one game at a time.
    pub realism: Realism,
    /// How many times what the goal adds to a move's logit is added once more.
    pub guidance: f32,
    /// Logits are divided by it in the opening; as fitted to people if not given.
    pub temperature: Option<f32>,
    /// The same later in the game.
    pub late_temperature: Option<f32>,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// Whose ratings they are.
    pub rating_scale: RatingScale,
    /// Games of a population.
    pub population: u32,
    /// Plies that the reachability mask looks ahead in games one by one: 0 to 2.
    pub mask: u32,
    /// How many times the logarithm of a move's action value is added to its logit when the plies have run out.
    pub tilt: f32,
    /// Whether search takes over when the plies run out.
    pub finish: bool,
    /// Visits of a tree search, a move.
    pub visits: u32,
    /// Which moves a tree search looks at first.
    pub priors: Priors,
}

impl Default for PolicyRequest {
    fn default() -> PolicyRequest {
        let PolicySettings {
            realism,
            guidance,
            temperature,
            late_temperature,
            scale,
            population,
            mask,
            tilt,
            finish,
            ..
        } = PolicySettings::default();
        let TreeSettings { visits, priors } = TreeSettings::USUAL;
        PolicyRequest {
            realism,
            guidance,
            temperature,
            late_temperature,
            white_elo: None,
            black_elo: None,
            rating_scale: scale,
            population,
            mask,
            tilt,
            finish,
            visits,
            priors,
        }
    }
}

impl PolicyRequest {
    /// The greatest guidance, temperature and tilt that may be asked for.
    pub const MOST: f32 = 10.0;
    /// The least guidance: what the goal adds is taken away again.
    pub const LEAST_GUIDANCE: f32 = -1.0;
    /// Games of the largest population that may be asked for.
    pub const MOST_POPULATION: u32 = 1024;
    /// Visits of a tree search a move, at most.
    pub const MOST_VISITS: u32 = 1_000_000;
    /// Plies that the mask looks ahead, at most.
    pub const MOST_MASK: u32 = 2;

    /// Options that only games drawn from the policy heed,
    const DRAWN: [&str; 6] = ["realism", "guidance", "population", "mask", "tilt", "finish"];
    /// … and those that only games by tree search do; the others are for both.
    const SEARCHED: [&str; 2] = ["visits", "priors"];

    /// The first option that differs from the usual, if any.
    pub fn differs(&self) -> Option<&'static str> {
        self.changes().first().map(|(option, _)| *option)
    }

    /// The first option that differs from the usual and that a method does not heed, with the methods that do.
    pub fn unheeded_by(&self, method: MethodKind) -> Option<(&'static str, &'static [MethodKind])> {
        let heeding = |option| {
            let kinds: &[MethodKind] = if PolicyRequest::SEARCHED.contains(&option) {
                &[MethodKind::Puct]
            } else if PolicyRequest::DRAWN.contains(&option) {
                &[MethodKind::GoalPolicy]
            } else {
                &[MethodKind::GoalPolicy, MethodKind::Puct]
            };
            (option, kinds)
        };
        let changes = self.changes();
        changes.iter().map(|(option, _)| heeding(*option)).find(|(_, kinds)| !kinds.contains(&method))
    }

    /// What differs from the usual, as options of `entente generate`.
    pub fn options(&self) -> Vec<String> {
        self.changes().into_iter().map(|(option, value)| format!("--{option} {value}")).collect()
    }

    /// The options that differ from the usual, and their values.
    fn changes(&self) -> Vec<(&'static str, String)> {
        let usual = PolicyRequest::default();
        let mut changes = Vec::new();
        let mut add = |differs: bool, option, value: String| {
            if differs {
                changes.push((option, value));
            }
        };
        add(self.realism != usual.realism, "realism", word(self.realism));
        add(self.guidance != usual.guidance, "guidance", self.guidance.to_string());
        for (option, asked) in
            [("temperature", self.temperature), ("late-temperature", self.late_temperature)]
        {
            add(asked.is_some(), option, asked.unwrap_or_default().to_string());
        }
        match (self.white_elo, self.black_elo) {
            (Some(white), Some(black)) if white == black => add(true, "elo", white.to_string()),
            (white, black) => {
                add(white.is_some(), "white-elo", white.unwrap_or_default().to_string());
                add(black.is_some(), "black-elo", black.unwrap_or_default().to_string());
            }
        }
        add(self.rating_scale != usual.rating_scale, "rating-scale", word(self.rating_scale));
        add(self.population != usual.population, "population", self.population.to_string());
        add(self.mask != usual.mask, "mask", self.mask.to_string());
        add(self.tilt != usual.tilt, "tilt", self.tilt.to_string());
        add(self.finish != usual.finish, "finish", self.finish.to_string());
        add(self.visits != usual.visits, "visits", self.visits.to_string());
        add(self.priors != usual.priors, "priors", word(self.priors));
        changes
    }

    /// The settings for games toward `constraint` by a method, the goal policy or its tree search, whose ratings win over
    /// the others.
    ///
    /// # Errors
    /// The option at fault and what is wrong with it.
    pub fn settings(
        &self,
        constraint: &Constraint,
        method: MethodKind,
    ) -> Result<PolicySettings, (&'static str, String)> {
        let numbers = [
            ("guidance", self.guidance, PolicyRequest::LEAST_GUIDANCE),
            ("temperature", self.temperature.unwrap_or(0.0), 0.0),
            ("late-temperature", self.late_temperature.unwrap_or(0.0), 0.0),
            ("tilt", self.tilt, 0.0),
        ];
        let most = PolicyRequest::MOST;
        for (option, number, least) in numbers {
            if !(least..=most).contains(&number) {
                return Err((option, format!("expected {least} to {most}, found {number}")));
            }
        }
        let (mask, most) = (self.mask, PolicyRequest::MOST_MASK);
        if mask > most {
            return Err(("mask", format!("expected 0 to {most}, found {mask}")));
        }
        let (population, most) = (self.population, PolicyRequest::MOST_POPULATION);
        if !(1..=most).contains(&population) {
            return Err(("population", format!("expected 1 to {most}, found {population}")));
        }
        let (visits, most) = (self.visits, PolicyRequest::MOST_VISITS);
        if !(1..=most).contains(&visits) {
            return Err(("visits", format!("expected 1 to {most}, found {visits}")));
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
            late_temperature: self.late_temperature,
            ratings,
            scale: self.rating_scale,
            population,
            mask,
            tilt: self.tilt,
            finish: self.finish,
            tree: (method == MethodKind::Puct).then_some(TreeSettings { visits, priors: self.priors }),
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
        let settings = request.settings(&constraint.parse().unwrap(), MethodKind::GoalPolicy);
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
        let rejection = PolicyRequest {
            guidance: -1.0,
            population: 1,
            mask: 0,
            tilt: 0.0,
            finish: false,
            ..PolicyRequest::default()
        };
        let options = "--guidance -1 --population 1 --mask 0 --tilt 0 --finish false";
        assert_eq!(rejection.options().join(" "), options);
        assert_eq!(PolicyRequest::default().differs(), None);
        assert_eq!(
            PolicyRequest { black_elo: Some(900), ..PolicyRequest::default() }.differs(),
            Some("black-elo")
        );
        let hot = PolicyRequest { temperature: Some(f32::NAN), ..PolicyRequest::default() };
        let constraint = "Q=0".parse().unwrap();
        assert_eq!(hot.settings(&constraint, MethodKind::GoalPolicy).unwrap_err().0, "temperature");
        for (request, at_fault) in [
            (PolicyRequest { guidance: -1.5, ..PolicyRequest::default() }, "guidance"),
            (PolicyRequest { late_temperature: Some(11.0), ..PolicyRequest::default() }, "late-temperature"),
            (PolicyRequest { mask: 3, ..PolicyRequest::default() }, "mask"),
            (PolicyRequest { tilt: -0.5, ..PolicyRequest::default() }, "tilt"),
            (PolicyRequest { population: 0, ..PolicyRequest::default() }, "population"),
            (PolicyRequest { visits: 0, ..PolicyRequest::default() }, "visits"),
        ] {
            assert_eq!(request.settings(&constraint, MethodKind::GoalPolicy).unwrap_err().0, at_fault);
            assert_eq!(request.differs(), Some(at_fault));
        }
    }

    #[test]
    fn each_method_heeds_its_own_options() {
        let realism = PolicyRequest { realism: Realism::Fast, ..PolicyRequest::default() };
        let visits = PolicyRequest { visits: 9, ..PolicyRequest::default() };
        let rating = PolicyRequest { white_elo: Some(1500), ..PolicyRequest::default() };
        use MethodKind::{BestFirst, GoalPolicy, Puct};
        for (request, method, expected) in [
            (realism, GoalPolicy, None),
            (realism, Puct, Some(("realism", &[GoalPolicy][..]))),
            (realism, BestFirst, Some(("realism", &[GoalPolicy]))),
            (visits, GoalPolicy, Some(("visits", &[Puct]))),
            (visits, Puct, None),
            (rating, Puct, None),
            (rating, GoalPolicy, None),
            (rating, BestFirst, Some(("white-elo", &[GoalPolicy, Puct]))),
        ] {
            assert_eq!(request.unheeded_by(method), expected);
        }
    }
}
