//! The tables of a tournament, with the same cells in Markdown and in the report.

use std::fmt::Write;

use super::{Estimate, Measures, Published};

/// One row of a table: a pairing, or all pairings of an entrant together.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The entrant's name.
    pub entrant: String,
    /// The constraint; `None` for all together.
    pub constraint: Option<String>,
    /// The method, with depth and evaluator; the first, if there are several.
    pub method: String,
    /// True if the constraint gives White's exact counts, so that distances are piece differences.
    pub is_exact: bool,
    /// The statistics.
    pub measures: Measures,
    /// The published results.
    pub published: Option<Published>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// The text shown.
    pub text: String,
    /// The number to sort by; `None`: sort by the text.
    pub value: Option<f64>,
}

/// A table of one entrant.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The entrant.
    pub title: String,
    /// Its method.
    pub method: String,
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows, each as long as the headers. If there are several, the last is the total.
    pub rows: Vec<Vec<Cell>>,
}

/// The largest piece difference that has a column in the table, as in the thesis.
pub(super) const PIECE_DIFFERENCES: u32 = 4;
/// The largest piece difference in the CSV table.
pub(crate) const MAX_PIECE_DIFFERENCES: u32 = 14;
/// The text for a value that does not apply.
const NOTHING: &str = "–";

impl Cell {
    fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), value: None }
    }

    fn nothing() -> Cell {
        Cell::text(NOTHING)
    }

    fn number(value: Option<f64>, write: impl Fn(f64) -> String) -> Cell {
        value.map_or_else(Cell::nothing, |value| Cell { text: write(value), value: Some(value) })
    }

    /// A share in percent with its interval.
    fn share(estimate: Option<Estimate>) -> Cell {
        estimate.map_or_else(Cell::nothing, |Estimate { value, low, high }| Cell {
            text: format!("{}% ({}–{})", percent(value), percent(low), percent(high)),
            value: Some(value),
        })
    }

    fn estimate(estimate: Option<Estimate>) -> Cell {
        estimate.map_or_else(Cell::nothing, |Estimate { value, low, high }| Cell {
            text: format!("{} ({}–{})", tenths(value), tenths(low), tenths(high)),
            value: Some(value),
        })
    }

    fn percent(value: Option<f64>) -> Cell {
        Cell::number(value, |value| format!("{}%", percent(value)))
    }
}

impl Table {
    /// The table of the rows of one entrant.
    pub(crate) fn new(rows: &[Row]) -> Table {
        let has_published = rows.iter().any(|row| row.published.is_some());
        let has_differences = rows.iter().any(|row| row.is_exact);
        let has_policy = rows.iter().any(|row| row.measures.policy.games > 0);
        let columns = columns(has_published, has_differences, has_policy);
        Table {
            title: rows.first().map_or_else(String::new, |row| row.entrant.clone()),
            method: methods(rows),
            headers: columns.iter().map(|column| column.header.clone()).collect(),
            rows: rows.iter().map(|row| columns.iter().map(|column| (column.cell)(row)).collect()).collect(),
        }
    }

    /// The table of times.
    pub(crate) fn of_times(rows: &[Row]) -> Table {
        let seconds = |row: &Row| Cell::number(row.measures.seconds_each(), significant);
        Table {
            title: rows.first().map_or_else(String::new, |row| row.entrant.clone()),
            method: methods(rows),
            headers: ["constraint", "games", "total seconds", "seconds per position found"]
                .map(str::to_owned)
                .into(),
            rows: rows
                .iter()
                .map(|row| {
                    let total = Cell::number(Some(row.measures.seconds), significant);
                    vec![name(row), count(row.measures.timed), total, seconds(row)]
                })
                .collect(),
        }
    }

    /// The table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            cells.fold("|".to_owned(), |line, cell| line + " " + &markdown(cell) + " |")
        };
        let _ = writeln!(text, "{}", line(&mut self.headers.iter().map(String::as_str)));
        let _ = writeln!(text, "{}", line(&mut self.headers.iter().map(|_| "---")));
        for row in &self.rows {
            let _ = writeln!(text, "{}", line(&mut row.iter().map(|cell| cell.text.as_str())));
        }
        text
    }
}

/// Text for Markdown, with special characters escaped.
pub(crate) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|&#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}

/// The methods of an entrant, which may choose a different one for each constraint.
fn methods(rows: &[Row]) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for row in rows {
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    }
    methods.join("; ")
}

/// A column and its cells.
struct Column {
    header: String,
    cell: Box<dyn Fn(&Row) -> Cell>,
}

fn columns(has_published: bool, has_differences: bool, has_policy: bool) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut add = |is_wanted: bool, header: &str, cell: Box<dyn Fn(&Row) -> Cell>| {
        if is_wanted {
            columns.push(Column { header: header.to_owned(), cell });
        }
    };
    let published = |of: fn(&Published) -> f64, write: fn(f64) -> String| -> Box<dyn Fn(&Row) -> Cell> {
        Box::new(move |row| Cell::number(row.published.as_ref().map(of), write))
    };
    let tenths_percent: fn(f64) -> String = |value| format!("{}%", tenths(value));
    add(true, "constraint", Box::new(name));
    add(true, "games", Box::new(|row| count(row.measures.generated)));
    add(true, "first attempt", Box::new(|row| Cell::share(row.measures.first_attempt_share())));
    add(has_published, "published", published(|published| published.satisfied, tenths_percent));
    add(
        has_published,
        "p (below)",
        Box::new(|row| {
            let p = row.published.as_ref().and_then(|published| row.measures.below(published));
            Cell::number(p, |p| if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") })
        }),
    );
    add(true, "delivered", Box::new(|row| Cell::share(row.measures.delivered_share())));
    add(true, "unique", Box::new(|row| Cell::percent(row.measures.unique_ratio())));
    add(has_published, "published", published(|published| published.unique, tenths_percent));
    add(true, "mean plies", Box::new(|row| Cell::estimate(row.measures.mean_plies())));
    add(has_published, "published + 1", published(|published| published.mean_steps + 1.0, tenths));
    add(true, "median plies", Box::new(|row| Cell::estimate(row.measures.median_plies())));
    add(has_published, "published + 1", published(|published| published.median_steps + 1.0, tenths));
    for men in 1..=PIECE_DIFFERENCES {
        let ratio = move |row: &Row| {
            let ratio = row.measures.piece_difference_ratio(men).filter(|_| row.is_exact);
            Cell::percent(ratio.map(|ratio| ratio.value))
        };
        add(has_differences, &format!("{men}-PDR"), Box::new(ratio));
        let theirs = move |row: &Row| {
            let ratio = row.published.as_ref().and_then(|published| published.pdr()[men as usize - 1]);
            Cell::number(ratio, tenths_percent)
        };
        add(has_published && has_differences, "published", Box::new(theirs));
    }
    add(true, "nodes", Box::new(|row| Cell::number(row.measures.nodes_each(), significant)));
    add(true, "evaluations", Box::new(|row| Cell::number(row.measures.evaluations_each(), significant)));
    add(has_policy, "natural", Box::new(|row| Cell::percent(row.measures.policy.natural_share())));
    let surprise = |row: &Row| Cell::number(row.measures.policy.mean_surprise(), significant);
    add(has_policy, "surprise", Box::new(surprise));
    add(has_policy, "masked", Box::new(|row| Cell::percent(row.measures.policy.masked_share())));
    add(has_policy, "tilted", Box::new(|row| Cell::percent(row.measures.policy.tilted_share())));
    add(has_policy, "finished", Box::new(|row| Cell::percent(row.measures.policy.finished_share())));
    columns
}

fn name(row: &Row) -> Cell {
    Cell::text(row.constraint.as_deref().unwrap_or("all together"))
}

fn count(number: u64) -> Cell {
    Cell { text: number.to_string(), value: Some(number as f64) }
}

/// A number with one decimal, but none for whole numbers.
fn tenths(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A share in percent with one decimal, or with as many as distinguish it from 0% and 100%.
fn percent(share: f64) -> String {
    let is_near = |text: &str| (text == "100" && share < 1.0) || (text == "0" && share > 0.0);
    let text = |digits: usize| {
        let text = format!("{:.digits$}", 100.0 * share);
        match text.split_once('.') {
            Some((whole, digits)) if digits.bytes().all(|digit| digit == b'0') => whole.to_owned(),
            _ => text,
        }
    };
    (1..=4).map(text).find(|text| !is_near(text)).unwrap_or_else(|| tenths(100.0 * share))
}

/// A number with about three significant digits.
fn significant(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        0.01.. => format!("{value:.4}"),
        _ => format!("{value:.6}"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use entente::records::PolicyTotals;

    use super::*;

    /// A row with all numbers set.
    pub(crate) fn row(constraint: Option<&str>) -> Row {
        Row {
            entrant: "faithful".to_owned(),
            constraint: constraint.map(str::to_owned),
            method: "negamax depth 1 thesis-1 faithful".to_owned(),
            is_exact: constraint.is_some(),
            measures: Measures {
                generated: 4,
                first_attempt: 2,
                satisfied: 3,
                played: 4,
                unique: 4,
                nodes: 1000,
                evaluations: 900,
                policy: PolicyTotals::default(),
                plies: BTreeMap::from([(9, 2), (20, 1)]),
                distances: BTreeMap::from([(0, 2), (2, 1), (5, 1)]),
                seconds: 0.5,
                timed: 4,
            },
            published: None,
        }
    }

    #[test]
    fn markdown_has_a_cell_for_every_column() {
        let table = Table::new(&[row(Some("Q=0 | q=0")), row(None)]);
        let text = table.markdown();
        assert!(text.contains("| Q=0 \\| q=0 | 4 | 50% (15–85) | 75% (30.1–95.4) | 100% |"), "{text}");
        assert!(text.contains("| 9 (9–20) | 0% | 25% | 0% | 0% | 333 | 300 |"), "{text}");
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(text.lines().all(|line| bars(line) == table.headers.len() + 1), "{text}");
        assert!(!table.headers.contains(&"published".to_owned()));
    }

    #[test]
    fn nearly_100_percent_is_not_shown_as_100() {
        let shares = [1.0, 0.999_9, 0.999, 0.6667, 0.000_1, 0.0, 0.999_999_999];
        assert_eq!(shares.map(percent), ["100", "99.99", "99.9", "66.7", "0.01", "0", "100"]);
    }

    #[test]
    fn times_have_a_separate_table() {
        let table = Table::of_times(&[row(Some("(1,2,2,2,7)"))]);
        assert_eq!(table.rows[0][3].text, "0.1667");
        let mut unknown = row(None);
        unknown.measures.timed = 3;
        assert_eq!(Table::of_times(&[unknown]).rows[0][3].text, "–");
    }
}
