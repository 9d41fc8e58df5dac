//! How long games took, in a file beside the results: times differ from run to run, results do not.

use std::{fs::File, io, path::Path};

use serde::{Deserialize, Serialize};

/// The name of the file.
pub const TIMES: &str = "times.csv";

/// How long a game took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Time {
    /// Whose game it was.
    pub entrant: String,
    /// What for.
    pub constraint: String,
    /// Its index.
    pub index: u64,
    /// Seconds, on one thread.
    pub seconds: f32,
}

impl Time {
    /// Its row, with the line break; with the names of the columns in front if it is the first one.
    pub fn row(&self, is_first: bool) -> String {
        let mut writer = csv::WriterBuilder::new().has_headers(is_first).from_writer(Vec::new());
        writer.serialize(self).expect("texts and numbers are always CSV");
        let bytes = writer.into_inner().expect("writing to memory succeeds");
        String::from_utf8(bytes).expect("it was text")
    }

    /// Gives each row of a file to `take`, or the number of its line and what is wrong with it. No file has no rows.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn read(path: &Path, mut take: impl FnMut(Result<Time, (u64, String)>)) -> io::Result<()> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
        for row in reader.deserialize::<Time>() {
            take(row.map_err(|error| {
                let line = error.position().map_or(0, csv::Position::line);
                (line, error.to_string())
            }));
        }
        Ok(())
    }
}
