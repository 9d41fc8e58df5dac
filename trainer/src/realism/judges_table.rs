use std::fmt::Write as _;

use super::{
    NOTHING, Origin, RANGES, Row,
    cells::{auc_cell, judged_cells},
};

/// What a report says about a judge.
#[derive(Clone, Debug)]
pub struct JudgeEntry {
    /// Its name.
    pub name: String,
    /// What it knows of the games.
    pub origin: Origin,
    /// The methods that generated games with it.
    pub users: Vec<String>,
}

/// The figures of each judge by rating, in Markdown, after a list of the judges, in the order of [`Row::by_surprise`].
pub fn judges_table(judges: &[JudgeEntry], by_rating: &[Row]) -> String {
    let mut text = String::from(
        "\n## Judges\n\nThe same games according to each judge, which is asked without a goal and without skill. Two \
         networks of one kind err alike, so a judge may find natural what a stranger finds odd. AUC by surprise: the \
         probability that a generated game has a higher mean surprise per ply than a human game of the same constraint \
         and rating, both drawn at random, where ties count half, with its 95% interval from standard errors with \
         games as clusters. 0.5 is chance.\n\n",
    );
    for JudgeEntry { name, origin, users } in judges {
        let _ = write!(text, "- {name}, {}.", origin.description());
        if !users.is_empty() {
            let _ = write!(
                text,
                " These methods generated with it, so it is no stranger to them: {}.",
                users.join(", ")
            );
        }
        text.push('\n');
    }
    let ranges = RANGES.map(|(name, ..)| name).join(" | ");
    let _ =
        writeln!(text, "\n| rating | judge | who | games | all plies | {ranges} | rare | AUC by surprise |");
    let _ = writeln!(text, "|---|---|---|---|---|{}---|---|", "---|".repeat(RANGES.len()));
    for (place, JudgeEntry { name, .. }) in judges.iter().enumerate() {
        for Row { of, method, human, generated, by_surprise, .. } in by_rating {
            let mut line = |who: &str, games: usize, cells: Vec<String>, auc: String| {
                let _ = writeln!(text, "| {of} | {name} | {who} | {games} | {} | {auc} |", cells.join(" | "));
            };
            let [theirs, ours] = [&human.judged[place], &generated.judged[place]];
            line("people", human.games, judged_cells(theirs, None), NOTHING.to_owned());
            let auc = by_surprise[place].map_or(NOTHING.to_owned(), |auc| auc_cell(auc.mean, auc.interval()));
            line(method, generated.games, judged_cells(ours, Some(theirs)), auc);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::{Comparison, Figures, Side, auc_by_surprise, compare::tests::game};

    #[test]
    fn each_judge_has_two_lines_for_each_method() {
        let judged = |surprise: [f32; 2]| {
            let mut game = game(0, 0, &surprise[..1]);
            game.surprise.push(surprise[1..].to_vec());
            game
        };
        let [theirs, ours] = [judged([1.0, 2.0]), judged([1.0, 5.0])];
        let comparison = Comparison { human: vec![(&theirs, 1.0)], generated: vec![&ours] };
        let row = Row {
            of: "1500".to_owned(),
            method: "fast".to_owned(),
            human: Figures::of(&comparison, Side::Human),
            generated: Figures::of(&comparison, Side::Generated),
            auc: None,
            auc_games: None,
            by_surprise: (0..2).map(|judge| auc_by_surprise(&comparison, judge)).collect(),
        };
        let judge = |name: &str, origin, users: &[&str]| JudgeEntry {
            name: name.to_owned(),
            origin,
            users: users.iter().map(|user| (*user).to_owned()).collect(),
        };
        let judges = [
            judge("goal-policy", Origin::OwnKind, &["fast", "natural"]),
            judge("maia-1500", Origin::Stranger, &[]),
        ];
        let text = judges_table(&judges, &[row]);
        assert!(text.contains("- goal-policy, own kind: "), "{text}");
        assert!(text.contains("- maia-1500, stranger: "), "{text}");
        assert!(text.contains(" it is no stranger to them: fast, natural.\n- maia-1500, "), "{text}");
        let table = "\
| rating | judge | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ | rare | AUC by surprise |
|---|---|---|---|---|---|---|---|---|---|
| 1500 | goal-policy | people | 1 | 1.00 | 1.00 | – | – | 0.0% | – |
| 1500 | goal-policy | fast | 1 | 1.00 (1.00) | 1.00 (1.00) | – | – | 0.0% | 0.50 |
| 1500 | maia-1500 | people | 1 | 2.00 | 2.00 | – | – | 0.0% | – |
| 1500 | maia-1500 | fast | 1 | 5.00 (2.50) | 5.00 (2.50) | – | – | 100.0% | 1.00 |
";
        assert!(text.ends_with(table), "{text}");
    }
}
