use serde::{Deserialize, Serialize};

use crate::constraint::Constraint;

/// What was published for a constraint, to print beside ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The constraint.
    pub constraint: String,
    /// Games generated.
    pub games: u64,
    /// Share of them that satisfied it, in percent.
    pub satisfied: f64,
    /// Distinct positions for a hundred generated.
    pub unique: f64,
    /// Mean steps to satisfaction: plies counted from zero, so that one more is our number of plies.
    pub mean_steps: f64,
    /// Median steps, likewise.
    pub median_steps: f64,
    /// Share of games that ended one man away, in percent.
    pub pdr_1: Option<f64>,
    /// Two men away.
    pub pdr_2: Option<f64>,
    /// Three men away.
    pub pdr_3: Option<f64>,
    /// Four men away.
    pub pdr_4: Option<f64>,
}

impl Published {
    /// Shares of games that ended one to four men away, in percent.
    pub fn pdr(&self) -> [Option<f64>; 4] {
        [self.pdr_1, self.pdr_2, self.pdr_3, self.pdr_4]
    }

    /// Reads a table in CSV, whose columns are the fields of this type. Lines that begin with '#' are comments.
    ///
    /// # Errors
    /// What is wrong, with the line where that is known.
    pub(super) fn read(text: &str) -> Result<Vec<Published>, (Option<u64>, String)> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let mut rows: Vec<Published> = Vec::new();
        for row in reader.deserialize() {
            let row: Published = row.map_err(|error| {
                let line = error.position().map(csv::Position::line);
                match error.into_kind() {
                    csv::ErrorKind::Deserialize { err, .. } => (line, err.to_string()),
                    kind => (line, format!("{kind:?}")),
                }
            })?;
            let percent = |number: f64| (0.0..=100.0).contains(&number);
            if !percent(row.satisfied) || !percent(row.unique) || row.games == 0 {
                return Err((
                    None,
                    format!("{}: expected shares of 0 to 100 percent of at least one game", row.constraint),
                ));
            }
            let constraint: Constraint = row
                .constraint
                .parse()
                .map_err(|error| (None, format!("constraint {:?}: {error}", row.constraint)))?;
            rows.push(Published { constraint: constraint.to_string(), ..row });
        }
        Ok(rows)
    }
}
