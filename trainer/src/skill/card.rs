use std::fmt::Write as _;

use entente_network::encoding::goal_policy::RatingScale;

use super::{CalibrationPlan, Fitted, Labelled, Rung, SkillRecipe, WeightTable};
use crate::training::TomlRecipe as _;

/// The positions of a rating band, and the effect of a single weight for the search there.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The lowest rating of the band, which is 200 points wide.
    pub rating: u16,
    /// The number of positions.
    pub positions: usize,
    /// Cross-entropy by weight.
    pub weights: WeightTable,
}

/// The section on skill for a policy's card, in Markdown: the positions to which it was fitted, the cross-entropy
/// without and with it, and the `command` and the recipe that made it.
pub fn card(
    recipe: &SkillRecipe,
    labelled: &Labelled,
    fitted: &Fitted,
    bands: &[Band],
    command: &str,
) -> String {
    let mut text = format!(
        "## Skill\n\nFitted to {} positions of the validation split, with {:.0} nodes of search each on average. \
         There, the cross-entropy\nis {:.4} without it and {:.4} with it.\n",
        labelled.len(),
        labelled.nodes(),
        fitted.before,
        fitted.after
    );
    if let Some(first) = bands.first() {
        let weights = first.weights.rows.iter();
        let heads: Vec<String> = weights.map(|(weight, _)| format!("β = {weight}")).collect();
        let _ = write!(
            text,
            "\nIf the search gave only the expected score Q after each move, and the probability of a move were \
             multiplied by\ne^(βQ), the cross-entropy for each β would be as follows. The fitted network is better, \
             because it knows the scores at\neach depth.\n\n| rating | positions | {} |\n|---|---|{}\n",
            heads.join(" | "),
            "---|".repeat(heads.len())
        );
    }
    for Band { scale, rating, positions, weights } in bands {
        let scale = if *scale == RatingScale::Fide { "FIDE" } else { "online" };
        let least = weights.rows.iter().map(|(_, entropy)| *entropy).fold(f64::INFINITY, f64::min);
        let cell = |(_, entropy): &(f32, f64)| {
            if *entropy == least { format!("**{entropy:.3}**") } else { format!("{entropy:.3}") }
        };
        let cells: Vec<String> = weights.rows.iter().map(cell).collect();
        let _ = writeln!(text, "| {scale} {rating}–{} | {positions} | {} |", rating + 199, cells.join(" | "));
    }
    let _ = write!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```\n",
        recipe.toml()
    );
    text
}

/// The section on play at a rating for a policy's card, in Markdown.
pub fn play_card(plan: &CalibrationPlan, rungs: &[Rung]) -> String {
    let mut text = format!(
        "## Play at a rating\n\nIn play, the temperature and the caution of each rating were found by {} games against \
         its neighbour, so that the\nstronger player scores what the Elo formula expects. At {} moves are drawn as \
         predicted. The score is that of the batch\nof games with the nearest values.\n\n\
         | rating | temperature | caution | against | score |\n|---|---|---|---|---|\n",
        plan.games, plan.anchor
    );
    for Rung { calibration, opponent, points } in rungs {
        let [against, score] = opponent.map_or_else(
            || ["–".to_owned(), "–".to_owned()],
            |opponent| {
                let (share, error) = points.share();
                [opponent.to_string(), format!("{:.1}% ± {:.1}%", 100.0 * share, 100.0 * error)]
            },
        );
        let _ = writeln!(
            text,
            "| {} | {:.3} | {:.3} | {against} | {score} |",
            calibration.at, calibration.temperature, calibration.caution
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_cross_entropy_of_a_band_is_bold_and_the_recipe_can_be_read_again() {
        let recipe: SkillRecipe = toml::from_str(include_str!("../../../models/recipes/skill.toml")).unwrap();
        let fitted = Fitted { skill: recipe.looking(), before: 1.75, after: 1.5 };
        let weights = WeightTable { rows: vec![(0.0, 1.75), (4.0, 1.65), (8.0, 1.7)] };
        let band = Band { scale: RatingScale::Fide, rating: 2200, positions: 12, weights };
        let text = card(&recipe, &Labelled::empty(), &fitted, &[band], "entente-trainer skill skill.toml");
        assert!(text.contains("is 1.7500 without it and 1.5000 with it."), "{text}");
        assert!(
            text.contains("| rating | positions | β = 0 | β = 4 | β = 8 |\n|---|---|---|---|---|\n"),
            "{text}"
        );
        assert!(text.contains("| FIDE 2200–2399 | 12 | 1.750 | **1.650** | 1.700 |\n"), "{text}");
        assert!(text.contains("```\nentente-trainer skill skill.toml\n```"), "{text}");
        let toml = text.split("```toml\n").nth(1).unwrap().trim_end().trim_end_matches("```");
        assert_eq!(toml::from_str::<SkillRecipe>(toml).unwrap(), recipe);
    }
}
