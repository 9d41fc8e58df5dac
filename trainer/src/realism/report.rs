use std::fmt::Write as _;

use anyhow::Context;
use entente::{generation::policy::Delivery, records::fen};

use super::{
    Auc, Comparison, Estimate, Figures, Grid, NOTHING, Origin, RANGES, SatisfyingGame, Side,
    cells::{auc_cell, judged_cells, with_ratio},
};

/// A comparison of a method with human games, for two lines of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The rating window, or the constraint.
    pub of: String,
    /// The method.
    pub method: String,
    /// The figures of the human games.
    pub human: Figures,
    /// The figures of the method.
    pub generated: Figures,
    /// How well a classifier separates their final positions, if there are enough.
    pub auc: Option<Auc>,
    /// How well a classifier separates the games by their [numbers](super::numbers()), if there are enough.
    pub auc_games: Option<Auc>,
    /// For each judge, how well its mean surprise tells their games apart.
    pub by_surprise: Vec<Option<Estimate>>,
}

/// The report in Markdown: a table by rating and one by constraint, with the surprise according to one judge.
pub fn report(
    grid: &Grid,
    (judge, origin): (&str, Origin),
    by_rating: &[Row],
    by_constraint: &[Row],
    least: usize,
) -> String {
    let origin = origin.description();
    let mut text = format!(
        "# Realism\n\nGenerated games compared with human games (human) that met the same constraint. No policy of \
         this trainer has learned from these human games. They are on the scale of the rating, with both players near \
         the rating, and end at the first position that meets the constraint, within {} plies. Nothing else is left \
         out. Ratings without a scale are those of Lichess; FIDE stands for games over the board. In each line, human \
         games are weighted so that each constraint and rating counts as much as among the generated games. Surprise: \
         the mean of −ln of the probability of the move according to {judge}, in nats ({origin}). Brackets have the \
         ratio to the human figure and ± its 95% interval, from standard errors with games as clusters. Rare: the \
         share of moves to which it gives less than 1%. AUC: of gradient-boosted trees that separate final positions, \
         five-fold cross-validated, with its 95% interval (0.5 is chance, 1 is always right), with equally many games \
         of both sides for each constraint and rating, if there are at least {least}. AUC, games: the same for trees \
         that see the numbers of all games of the line instead: their length, and the surprise in each range and the \
         share of rare moves according to each judge. If losses were measured, the trees also see the mean loss in \
         each range, and only games with losses are classified.\n",
        grid.max_plies
    );
    for (heading, first, rows) in
        [("By rating", "rating", by_rating), ("By constraint", "constraint", by_constraint)]
    {
        let _ = writeln!(text, "\n## {heading}\n");
        let ranges = RANGES.map(|(name, ..)| name).join(" | ");
        let _ = writeln!(
            text,
            "| {first} | who | games | all plies | {ranges} | rare | median plies | mean plies | AUC | AUC, games |"
        );
        let _ = writeln!(text, "|---|---|---|---|{}---|---|---|---|---|", "---|".repeat(RANGES.len()));
        for Row { of, method, human, generated, auc, auc_games, .. } in rows {
            let _ = writeln!(text, "{}", line(of, "people", human, None, [None; 2]));
            let _ = writeln!(text, "{}", line(of, method, generated, Some(human), [*auc, *auc_games]));
        }
    }
    text
}

/// A line for each method that uses a policy, with how its games were found.
pub fn deliveries(methods: &[String], games: &[Vec<SatisfyingGame>]) -> String {
    let mut text = String::new();
    for (method, games) in methods.iter().zip(games) {
        let share = |by: Delivery| {
            let found = games.iter().filter(|game| game.delivered_by == Some(by)).count();
            100.0 * found as f64 / games.len().max(1) as f64
        };
        let deliveries = [Delivery::Natural, Delivery::Fast, Delivery::Tree, Delivery::Search];
        let [natural, fast, tree, search] = deliveries.map(share);
        if natural + fast + tree + search > 0.0 {
            let by_tree = if tree > 0.0 { format!("{tree:.1}% by tree search, ") } else { String::new() };
            let _ = writeln!(
                text,
                "\n{method}: {natural:.1}% of {} games drawn from populations, {fast:.1}% played one by one, \
                 {by_tree}{search:.1}% found by search for a plan.",
                games.len()
            );
        }
    }
    text
}

/// A line of a table, with the surprise according to the first judge.
fn line(of: &str, who: &str, figures: &Figures, human: Option<&Figures>, aucs: [Option<Auc>; 2]) -> String {
    let mut cells = vec![of.replace('|', "\\|"), who.to_owned(), figures.games.to_string()];
    cells.extend(judged_cells(&figures.judged[0], human.map(|human| &human.judged[0])));
    let median = |figures: &Figures| Some(Estimate { mean: figures.median_plies, error: None });
    cells.push(with_ratio(median(figures), human.and_then(median), |median| median.to_string()));
    let mean = human.and_then(|human| human.mean_plies);
    cells.push(with_ratio(figures.mean_plies, mean, |mean| format!("{mean:.1}")));
    let auc =
        |auc: Option<Auc>| auc.map_or(NOTHING.to_owned(), |auc| auc_cell(auc.value, Some(auc.interval())));
    cells.extend(aucs.map(auc));
    format!("| {} |", cells.join(" | "))
}

/// The final positions of comparisons as CSV, so that other programs can classify them. Each has a line with the window
/// or constraint, the method, the side, the number of the game on its side (several positions may be from the same
/// game), its weight, its length, the number of rare plies, the sum of the surprise in each of the [`RANGES`], both
/// according to the first judge, and the FEN.
///
/// # Errors
///
/// If the CSV cannot be written.
pub fn positions_csv(comparisons: &[(Row, Comparison<'_>)]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut names = ["of", "method", "side", "game", "weight", "plies", "rare"].map(str::to_owned).to_vec();
    names.extend(RANGES.map(|(_, from, _)| format!("surprise_from_{from}")));
    names.push("fen".to_owned());
    writer.write_record(&names)?;
    for (row, comparison) in comparisons {
        for (side, name) in [(Side::Human, "people"), (Side::Generated, "generated")] {
            for (game, weight) in comparison.weighed(side) {
                let mut fields = vec![row.of.clone(), row.method.clone(), name.to_owned()];
                fields.extend([game.game.to_string(), weight.to_string()]);
                fields.extend([game.moves.len(), game.rare(0)].map(|number| number.to_string()));
                fields.extend(RANGES.map(|(_, from, to)| game.surprise_within(0, from, to).to_string()));
                fields.push(fen(&game.last).to_string());
                writer.write_record(&fields)?;
            }
        }
    }
    writer.into_inner().context("writing to memory succeeds")
}
