use entente_network::{Calibration, Cooling, Skill, SkillEffort};
use entente_search::scorer::EvaluationNetwork;
use serde::{Deserialize, Serialize};

use super::CalibrationPlan;
use crate::{
    samples::goal::{Mixture, Sampler},
    training::{RecipeError, TomlRecipe, in_range},
};

/// How the skill of a policy is fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillRecipe {
    /// The number of positions to fit to.
    pub samples: usize,
    /// The share of positions without a goal; the others have a goal that the game reached.
    pub plain: f64,
    /// The share of online games.
    pub online: f64,
    /// The least probability of moves that are searched once.
    pub glance: f32,
    /// The least probability of moves that are searched as deep as the effort allows.
    pub look: f32,
    /// How deep players look, by rising strength.
    pub efforts: Vec<SkillEffort>,
    /// How the moves of whole games are drawn. This is written to the file and not fitted here.
    #[serde(default)]
    pub cooling: Vec<Cooling>,
    /// How moves are drawn in play at a rating. It is written to the file, unless [`play`](Self::play) finds it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Calibration>,
    /// How `refit` finds the calibration of play at a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<CalibrationPlan>,
    /// The widths of the hidden layers.
    pub hidden: Vec<i64>,
    /// The number of passes over all positions.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// The initial learning rate, which falls to 0 along a cosine.
    pub learning_rate: f64,
    /// Weight decay per step, relative to the learning rate.
    pub weight_decay: f64,
    /// Seed of the choice of positions, their order, and the initial weights.
    pub seed: u64,
}

impl TomlRecipe for SkillRecipe {
    fn check(&self, path: &str) -> Result<(), RecipeError> {
        let share = |share: f64| (0.0..=1.0).contains(&share);
        in_range(
            path,
            &[
                (self.samples > 0, "samples", "at least 1"),
                (share(self.plain), "plain", "a share from 0 to 1"),
                (share(self.online), "online", "a share from 0 to 1"),
                (share(self.glance.into()), "glance", "a share from 0 to 1"),
                (share(self.look.into()), "look", "a share from 0 to 1"),
                (
                    self.hidden.iter().all(|width| (1..=1024).contains(width)),
                    "hidden",
                    "widths from 1 to 1024",
                ),
                (
                    SkillEffort::check(&self.efforts).is_ok(),
                    "efforts",
                    "at least one, by rising `from`, each with 1 to 6 `depths` (1 to 5 with a `study`), at most 10 \
                     million `nodes`, a `slack` of at least 0, and optionally a `study` with at most 40 `plies` and 10 \
                     million `nodes`",
                ),
                (
                    Cooling::check(&self.cooling).is_ok(),
                    "cooling",
                    "rising `at`, temperatures from 0.01 to 10, `caution` and `review` from 0 to 10",
                ),
                (
                    Calibration::check(&self.calibration).is_ok(),
                    "calibration",
                    "rising `at`, a `temperature` from 0.01 to 10 and `caution` from 0 to 10",
                ),
                (self.play.is_none_or(|plan| plan.is_sound()), "play", CalibrationPlan::EXPECTED),
                (self.hidden.len() < 8, "hidden", "at most 7 layers"),
                (self.epochs > 0, "epochs", "at least 1"),
                (self.batch > 0, "batch", "at least 1"),
                (self.learning_rate > 0.0, "learning_rate", "more than 0"),
                (self.weight_decay >= 0.0, "weight_decay", "at least 0"),
            ],
        )
    }
}

impl SkillRecipe {
    /// How samples are drawn. Ratings and clocks are hidden as often as in the training of the policy.
    pub fn sampler(&self) -> Sampler {
        let mixture = Mixture { plain: self.plain, foreign: 0.0, perturbed: 0.0 };
        Sampler { mixture, ..Sampler::default() }
    }

    /// The skill for this recipe without layers, for its search.
    pub fn looking(&self) -> Skill {
        let evaluation = EvaluationNetwork::embedded().fingerprint();
        let SkillRecipe { glance, look, .. } = *self;
        let (efforts, cooling, calibration) =
            (self.efforts.clone(), self.cooling.clone(), self.calibration.clone());
        Skill { evaluation, glance, look, efforts, cooling, calibration, layers: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = include_str!("../../../models/recipes/skill.toml");

    #[test]
    fn the_recipe_of_the_shipped_policy_is_valid_and_wrong_values_are_reported() {
        let check = |text: &str| {
            let recipe: SkillRecipe = toml::from_str(text).unwrap();
            recipe.check("skill.toml").map_err(|error| error.to_string())
        };
        assert_eq!(check(RECIPE), Ok(()));
        for (from, to, key) in [
            ("depths = 4", "depths = 6", "efforts"),
            ("from = 1700", "from = 0", "efforts"),
            ("opening = ", "opening = -", "cooling"),
            ("at = 3000", "at = 1000", "cooling"),
            ("look = 0.01", "look = 2", "look"),
        ] {
            let text = RECIPE.replace(from, to);
            assert_ne!(text, RECIPE, "{from}");
            let error = check(&text).unwrap_err();
            assert!(error.starts_with(&format!("skill.toml: key `{key}`: expected ")), "{error}");
        }
    }
}
