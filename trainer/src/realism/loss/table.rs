use std::fmt::Write as _;

use anyhow::Context;

use super::{Contest, LossFigures, LossGame, STRETCHES};
use crate::realism::{Estimate, Grid, NOTHING};

/// The tables of losses by rating, in Markdown. Each contest has a line for human games, unless these are the same as
/// those of the previous contest, and a line for the method. `name` is the engine that evaluated the positions, and
/// `nodes` the number of nodes per search.
pub fn table(grid: &Grid, methods: &[String], contests: &[Contest], name: &str, nodes: u64) -> String {
    let mut text = format!(
        "\n## How good the moves are\n\nThe loss of a move is the value of the position for its player with the best \
         move, less the value after the move played. {name} evaluated each position, including the last one, in a \
         search of {nodes} nodes. Values are limited to ±1000 centipawns, a mate counts as 1000, and a loss is at \
         least 0. Brackets have the 95% interval, from a standard error with games as clusters. Human games (human) \
         are weighted so that each constraint counts as much as among the generated games. All methods below a line of \
         human are compared with the same human games.\n"
    );
    type Pick = fn(&LossFigures) -> &[Option<Estimate>; STRETCHES.len()];
    let measures: [(&str, bool, Pick); 3] = [
        ("Mean loss, in centipawns", false, |figures| &figures.mean),
        ("Moves that lose over 100", true, |figures| &figures.over_100),
        ("Moves that lose over 200", true, |figures| &figures.over_200),
    ];
    let figures: Vec<[LossFigures; 2]> = contests
        .iter()
        .map(|contest| [LossFigures::of(&contest.human), LossFigures::of(&contest.generated)])
        .collect();
    for (heading, is_share, pick) in measures {
        let stretches = STRETCHES.map(|(name, ..)| name).join(" | ");
        let _ = writeln!(text, "\n### {heading}\n\n| rating | who | games | {stretches} |");
        let _ = writeln!(text, "|---|---|---|{}", "---|".repeat(STRETCHES.len()));
        for (index, (contest, [human, generated])) in contests.iter().zip(&figures).enumerate() {
            let window = &grid.windows[contest.window];
            let mut line = |who: &str, figures: &LossFigures| {
                let cells = pick(figures).map(|figure| cell(figure, is_share)).join(" | ");
                let _ = writeln!(text, "| {window} | {who} | {} | {cells} |", figures.games);
            };
            let above = index.checked_sub(1).map(|above| &contests[above]);
            if above.is_none_or(|above| above.window != contest.window || above.human != contest.human) {
                line("people", human);
            }
            line(&methods[contest.method], generated);
        }
    }
    text
}

fn cell(figure: Option<Estimate>, is_share: bool) -> String {
    let Some(figure) = figure else { return NOTHING.to_owned() };
    let (factor, unit) = if is_share { (100.0, "%") } else { (1.0, "") };
    let mean = format!("{:.1}{unit}", factor * figure.mean);
    match figure.interval() {
        Some((low, high)) => format!("{mean} ({:.1}–{:.1})", factor * low, factor * high),
        None => mean,
    }
}

/// The moves of contests as CSV, for other programs. Each ply has a line with the game, its side, the method with which
/// it is compared, the rating, the constraint, the weight of the game, the ply from 0, the values for the player before
/// and after the move, and the loss, in centipawns.
///
/// # Errors
///
/// If the CSV cannot be written.
pub fn losses_csv(grid: &Grid, methods: &[String], contests: &[Contest]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "game",
        "side",
        "method",
        "rating",
        "constraint",
        "weight",
        "ply",
        "before",
        "after",
        "loss",
    ])?;
    for Contest { window, method, human, generated } in contests {
        let (rating, method) = (grid.windows[*window].to_string(), &methods[*method]);
        for (side, games) in [("people", human), ("generated", generated)] {
            for LossGame { game, constraint, weight, plies } in games {
                let (game, weight) = (game.to_string(), weight.to_string());
                let constraint = grid.targets[*constraint].constraint.to_string();
                for (ply, lost) in plies.iter().enumerate() {
                    let numbers = [lost.before.centipawns(), lost.after.centipawns(), lost.centipawns()];
                    let [before, after, loss] = numbers.map(|number| number.to_string());
                    let ply = ply.to_string();
                    writer.write_record([
                        &game,
                        side,
                        method,
                        &rating,
                        &constraint,
                        &weight,
                        &ply,
                        &before,
                        &after,
                        &loss,
                    ])?;
                }
            }
        }
    }
    writer.into_inner().context("writing to memory succeeds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_mean_and_its_interval() {
        let estimate = |mean, error| Some(Estimate { mean, error });
        assert_eq!(cell(estimate(38.25, Some(1.0)), false), "38.2 (36.3–40.2)");
        assert_eq!(cell(estimate(0.031, Some(0.01)), true), "3.1% (1.1–5.1)");
        assert_eq!(cell(estimate(5.0, None), false), "5.0");
        assert_eq!(cell(None, true), "–");
    }
}
