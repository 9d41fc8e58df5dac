//! How long games took, in a file beside the results: times differ from run to run, results do not.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use serde::{Deserialize, Serialize};

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

    /// Gives each row of a file to `take`, or the number of its line, 0 if that is not known, and what is wrong with it. No file has no rows.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn read(path: &Path, mut take: impl FnMut(Result<Time, (u64, String)>)) -> io::Result<()> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let ends_whole = ends_with_line_break(&file)?;
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&file);
        let mut rows = reader.deserialize::<Time>().peekable();
        if rows.peek().is_none() && !ends_whole {
            take(Err((1, "the names of the columns are cut off".to_owned())));
        }
        while let Some(row) = rows.next() {
            // Half a number is a number.
            let is_cut = rows.peek().is_none() && !ends_whole;
            take(match row {
                Ok(time) if is_cut => Err((0, format!("the last row is cut off, game {}", time.index))),
                Ok(time) if !(time.seconds.is_finite() && time.seconds >= 0.0) => {
                    Err((0, format!("{} seconds for game {}", time.seconds, time.index)))
                }
                row => {
                    row.map_err(|error| (error.position().map_or(0, csv::Position::line), error.to_string()))
                }
            });
        }
        Ok(())
    }
}

/// True of an empty file too.
fn ends_with_line_break(mut file: &File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    file.rewind()?;
    Ok(last == *b"\n")
}
