use entente_constraint::Constraint;
use serde::{Deserialize, Serialize};

use crate::tournament::interval::{Estimate, share};

/// Published results for a constraint, to print next to ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The constraint.
    pub constraint: String,
    /// The number of games generated.
    pub games: u64,
    /// The share of games that satisfied the constraint, in percent.
    pub satisfied: f64,
    /// Distinct positions per hundred games.
    pub unique: f64,
    /// Mean number of steps until the constraint was satisfied. Steps are plies counted from zero: our number of plies
    /// is one larger.
    pub mean_steps: f64,
    /// Median number of steps, counted in the same way.
    pub median_steps: f64,
    /// The share of games that ended one man away, in percent.
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

    /// The number of games that satisfied the constraint. It is rounded, because shares are published with one decimal.
    pub fn satisfied_games(&self) -> u64 {
        (self.satisfied / 100.0 * self.games as f64).round() as u64
    }

    /// The share of games that satisfied the constraint, with its interval.
    pub fn share(&self) -> Option<Estimate> {
        share(self.satisfied_games(), self.games)
    }

    /// Checks that the numbers are in range.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn check(&self) -> Result<(), String> {
        let shares = [Some(self.satisfied), Some(self.unique)].into_iter().chain(self.pdr()).flatten();
        if self.games == 0 || !shares.into_iter().all(|share| (0.0..=100.0).contains(&share)) {
            return Err(format!(
                "{}: expected shares of 0 to 100 percent of at least one game",
                self.constraint
            ));
        }
        if ![self.mean_steps, self.median_steps].into_iter().all(|steps| (0.0..1e6).contains(&steps)) {
            return Err(format!("{}: expected steps of at least 0", self.constraint));
        }
        Ok(())
    }

    /// The same with numbers rounded to six decimals, so that they stay the same when written as text and read again.
    fn rounded(self) -> Published {
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        Published {
            satisfied: rounded(self.satisfied),
            unique: rounded(self.unique),
            mean_steps: rounded(self.mean_steps),
            median_steps: rounded(self.median_steps),
            pdr_1: self.pdr_1.map(rounded),
            pdr_2: self.pdr_2.map(rounded),
            pdr_3: self.pdr_3.map(rounded),
            pdr_4: self.pdr_4.map(rounded),
            ..self
        }
    }

    /// Parses a CSV table whose columns are the fields of this type. Lines that begin with '#' are comments.
    ///
    /// # Errors
    /// What is wrong, with the number of the line if it is known.
    pub(in crate::tournament) fn read(text: &str) -> Result<Vec<Published>, (Option<u64>, String)> {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let columns = reader.headers().map_err(described)?.clone();
        let mut rows: Vec<Published> = Vec::new();
        for record in reader.into_records() {
            let record = record.map_err(described)?;
            let line = record.position().map(csv::Position::line);
            let row: Published =
                record.deserialize(Some(&columns)).map_err(|error| (line, described(error).1))?;
            let constraint: Constraint = row
                .constraint
                .parse()
                .map_err(|error| (line, format!("constraint {:?}: {error}", row.constraint)))?;
            let row = Published { constraint: constraint.to_string(), ..row }.rounded();
            row.check().map_err(|reason| (line, reason))?;
            if rows.iter().any(|other| other.constraint == row.constraint) {
                return Err((line, format!("{} occurs twice", row.constraint)));
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// An error of the CSV reader in words, with the number of the line if it is known.
fn described(error: csv::Error) -> (Option<u64>, String) {
    let line = error.position().map(csv::Position::line);
    let reason = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} columns, found {len}")
        }
        csv::ErrorKind::Utf8 { .. } => "expected UTF-8".to_owned(),
        _ => error.to_string(),
    };
    (line, reason)
}
