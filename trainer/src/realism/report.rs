use std::fmt::Write as _;

use anyhow::Context;
use entente::{generation::policy::Delivery, records::fen};

use super::{Auc, Comparison, Estimate, Figures, Grid, NOTHING, RANGES, SatisfyingGame, Side};

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
}

/// The report in Markdown: a table by rating and one by constraint.
pub fn report(grid: &Grid, judge: &str, by_rating: &[Row], by_constraint: &[Row], least: usize) -> String {
    let mut text = format!(
        "# Realism\n\nGenerated games compared with human games (human) that met the same constraint. No policy has \
         learned from these human games. They are on the scale of the rating, with both players near the rating, and \
         end at the first position that meets the constraint, within {} plies. Nothing else is left out. Ratings \
         without a scale are those of Lichess; FIDE stands for games over the board. In each line, human games are \
         weighted so that each constraint and rating counts as much as among the generated games. Surprise: the mean \
         of −ln of the probability of the move according to {judge}, which learned from other games and never \
         generates, in nats. Brackets have the ratio to the human figure and ± its 95% interval, from standard errors \
         with games as clusters. Rare: the share of moves to which it gives less than 1%. AUC: of gradient-boosted \
         trees that separate final positions, five-fold cross-validated, with its 95% interval (0.5 is chance, 1 is \
         always right), with equally many games of both sides for each constraint and rating, if there are at least \
         {least}.\n",
        grid.max_plies
    );
    for (heading, first, rows) in
        [("By rating", "rating", by_rating), ("By constraint", "constraint", by_constraint)]
    {
        let _ = writeln!(text, "\n## {heading}\n");
        let ranges = RANGES.map(|(name, ..)| name).join(" | ");
        let _ = writeln!(
            text,
            "| {first} | who | games | all plies | {ranges} | rare | median plies | mean plies | AUC |"
        );
        let _ = writeln!(text, "|---|---|---|---|{}---|---|---|---|", "---|".repeat(RANGES.len()));
        for Row { of, method, human, generated, auc } in rows {
            let _ = writeln!(text, "{}", line(of, "people", human, None, None));
            let _ = writeln!(text, "{}", line(of, method, generated, Some(human), *auc));
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

fn line(of: &str, who: &str, figures: &Figures, human: Option<&Figures>, auc: Option<Auc>) -> String {
    type Pick<'a> = &'a dyn Fn(&Figures) -> Option<Estimate>;
    let cell = |pick: Pick<'_>, text: &dyn Fn(f64) -> String| {
        let Some(own) = pick(figures) else { return NOTHING.to_owned() };
        let ratio = human.and_then(pick).and_then(|theirs| own.over(theirs));
        with_ratio(text(own.mean), ratio)
    };
    let surprise = |mean: f64| format!("{mean:.2}");
    let mut cells = vec![of.replace('|', "\\|"), who.to_owned(), figures.games.to_string()];
    cells.push(cell(&|figures| figures.surprise, &surprise));
    cells.extend((0..RANGES.len()).map(|range| cell(&|figures| figures.by_range[range], &surprise)));
    cells.push(cell(&|figures| figures.rare, &|mean| format!("{:.1}%", 100.0 * mean)));
    let median = |figures: &Figures| Some(Estimate { mean: figures.median_plies, error: None });
    cells.push(cell(&median, &|median| median.to_string()));
    cells.push(cell(&|figures| figures.mean_plies, &|mean| format!("{mean:.1}")));
    cells.push(auc.map_or(NOTHING.to_owned(), |auc| {
        let (low, high) = auc.interval();
        format!("{:.2} ({low:.2}–{high:.2})", auc.value)
    }));
    format!("| {} |", cells.join(" | "))
}

fn with_ratio(number: String, ratio: Option<Estimate>) -> String {
    match ratio.map(|ratio| (ratio.mean, ratio.reach())) {
        Some((mean, Some(reach))) => format!("{number} ({mean:.2} ± {reach:.2})"),
        Some((mean, None)) => format!("{number} ({mean:.2})"),
        None => number,
    }
}

/// The final positions of comparisons as CSV, so that other programs can classify them. Each has a line with the window
/// or constraint, the method, the side, the number of the game on its side (several positions may be from the same
/// game), its weight, its length, the number of rare plies, the sum of the surprise in each of the [`RANGES`], and the
/// FEN.
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
                fields.extend([game.moves.len(), game.rare()].map(|number| number.to_string()));
                fields.extend(RANGES.map(|(_, from, to)| game.surprise_within(from, to).to_string()));
                fields.push(fen(&game.last).to_string());
                writer.write_record(&fields)?;
            }
        }
    }
    writer.into_inner().context("writing to memory succeeds")
}
