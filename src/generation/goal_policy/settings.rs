use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{Priors, TreeSettings};
use crate::{encoding::goal_policy::RatingScale, generation::request::word};

/// How much a game may cost to look like people's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Realism {
    /// Natural where people meet the constraint often enough, else fast
    #[default]
    Auto,
    /// Populations of games, of which one is drawn as people would have played it
    Natural,
    /// One game at a time, kept from leaving the constraint's reach
    Fast,
}

/// Plies after which the temperature begins to change,
const OPENING_ENDS: f32 = 10.0;
/// … and has changed.
const LATE_BEGINS: f32 = 30.0;

/// How evenly moves are drawn: logits are divided by a temperature that depends on the ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperatures {
    /// That of the opening.
    pub opening: f32,
    /// That of later moves.
    pub late: f32,
}

impl Temperatures {
    /// For fast games, fitted to people's surprise: guidance and masks are not people's.
    pub const FAST: Temperatures = Temperatures { opening: 0.85, late: 0.55 };
    /// For natural games, fitted likewise: a network is less sure of people's moves than they are.
    pub const NATURAL: Temperatures = Temperatures { opening: 0.95, late: 0.9 };

    /// The temperature after so many plies: that of the opening up to ply 10, the late one from ply 30, evenly changing
    /// between them.
    pub fn at(self, ply: u32) -> f32 {
        let progress = ((ply as f32 - OPENING_ENDS) / (LATE_BEGINS - OPENING_ENDS)).clamp(0.0, 1.0);
        self.opening + progress * (self.late - self.opening)
    }
}

/// How the goal-conditioned policy plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicySettings {
    /// Populations, or one game at a time.
    pub realism: Realism,
    /// How many times what the goal adds to a move's logit is added once more, −1 for not even once; fast games only.
    pub guidance: f32,
    /// Logits, or those of visits in a tree search, are divided by it in the opening; as fitted to people if not given.
    pub temperature: Option<f32>,
    /// The same later in the game.
    pub late_temperature: Option<f32>,
    /// White's and Black's ratings, the least and the most; drawn once a game.
    pub ratings: [Option<(u16, u16)>; 2],
    /// Whose ratings they are.
    pub scale: RatingScale,
    /// Games of a population.
    pub population: u32,
    /// Plies that the reachability mask looks ahead in fast games: 0 to 2.
    pub mask: u32,
    /// How many times the logarithm of a move's action value is added to its logit when the plies have run out; it grows
    /// from 0 before. Fast games only.
    pub tilt: f32,
    /// Whether search takes over when the plies run out; fast games only.
    pub finish: bool,
    /// Draws moves by tree search, if given; then realism does not matter.
    pub tree: Option<TreeSettings>,
}

impl PolicySettings {
    /// The lowest rating that the policy was trained on.
    pub const LEAST_RATING: u16 = 1000;
    /// The highest rating that the policy was trained on.
    pub const MOST_RATING: u16 = 3200;

    /// The temperatures asked for, or the usual ones.
    pub fn temperatures(&self, usual: Temperatures) -> Temperatures {
        Temperatures {
            opening: self.temperature.unwrap_or(usual.opening),
            late: self.late_temperature.unwrap_or(usual.late),
        }
    }

    /// A rating as the policy is told it: the nearest that it knows.
    pub fn known(rating: u16) -> u16 {
        rating.clamp(PolicySettings::LEAST_RATING, PolicySettings::MOST_RATING)
    }

    /// What a user should know of the ratings.
    pub fn notes(&self) -> Vec<String> {
        let (least, most) = (PolicySettings::LEAST_RATING, PolicySettings::MOST_RATING);
        let outside = |&(low, high): &(u16, u16)| low < least || high > most;
        match self.ratings.iter().flatten().find(|range| outside(range)) {
            Some((low, high)) => {
                let found = if low == high { low.to_string() } else { format!("{low}..{high}") };
                vec![format!(
                    "the policy knows ratings from {least} to {most}; of {found} what is outside counts as the nearest of them"
                )]
            }
            None => Vec::new(),
        }
    }

    /// The method's name in results, with everything that decides them.
    pub fn describe(&self, network: &str) -> String {
        let usual = PolicySettings::default();
        let mut words = match self.tree {
            Some(TreeSettings { visits, priors }) => {
                vec![format!("puct {network} visits {visits} priors {}", word(priors))]
            }
            None => vec![format!("goal-policy {network} {}", word(self.realism))],
        };
        let numbers = [
            ("guidance", self.guidance, usual.guidance),
            ("population", self.population as f32, usual.population as f32),
            ("mask", self.mask as f32, usual.mask as f32),
            ("tilt", self.tilt, usual.tilt),
        ];
        for (name, number, usual) in numbers {
            if number != usual {
                words.push(format!("{name} {number}"));
            }
        }
        for (name, asked) in [("temperature", self.temperature), ("late temperature", self.late_temperature)]
        {
            words.extend(asked.map(|number| format!("{name} {number}")));
        }
        if !self.finish {
            words.push("without finish".to_owned());
        }
        if self.scale != usual.scale {
            words.push(word(self.scale));
        }
        for (name, rating) in ["white", "black"].into_iter().zip(self.ratings) {
            match rating {
                Some((least, most)) if least == most => words.push(format!("{name} {least}")),
                Some((least, most)) => words.push(format!("{name} {least}..{most}")),
                None => {}
            }
        }
        words.join(" ")
    }
}

impl TreeSettings {
    /// The usual search.
    pub const USUAL: TreeSettings = TreeSettings { visits: 64, priors: Priors::Network };
}

impl Default for PolicySettings {
    fn default() -> PolicySettings {
        PolicySettings {
            realism: Realism::Auto,
            guidance: 1.0,
            temperature: None,
            late_temperature: None,
            ratings: [None; 2],
            scale: RatingScale::Online,
            population: 8,
            mask: 2,
            tilt: 2.0,
            finish: true,
            tree: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_changes_between_the_opening_and_ply_thirty() {
        let settings = PolicySettings { temperature: Some(1.0), ..PolicySettings::default() };
        let temperatures = settings.temperatures(Temperatures { opening: 0.75, late: 0.5 });
        assert_eq!([0, 10, 20, 30, 200].map(|ply| temperatures.at(ply)), [1.0, 1.0, 0.75, 0.5, 0.5]);
    }
}
