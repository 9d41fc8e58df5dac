//! The times of the games. They have a separate file because they differ from run to run, unlike the results.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    iter::Peekable,
    path::Path,
};

use csv::DeserializeRecordsIntoIter;
use serde::{Deserialize, Serialize};

use super::{Played, sequence::Pieces};

/// The size of the buffer, in bytes.
const BUFFER: usize = 32 << 10;

/// The time that a game took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Time {
    /// The name of the entrant.
    pub entrant: String,
    /// The constraint.
    pub constraint: String,
    /// The index of the game.
    pub index: u64,
    /// Seconds on one thread.
    pub seconds: f32,
}

impl Time {
    /// The time of a game.
    pub(super) fn of(played: &Played, seconds: f32) -> Time {
        let Played { entrant, record } = played;
        Time { entrant: entrant.clone(), constraint: record.constraint.clone(), index: record.index, seconds }
    }

    /// Its row, with the line break. The header comes before the first row.
    pub(super) fn row(&self, is_first: bool) -> String {
        let mut writer = csv::WriterBuilder::new().has_headers(is_first).from_writer(Vec::new());
        writer.serialize(self).expect("strings and numbers are always CSV");
        let bytes = writer.into_inner().expect("writing to memory succeeds");
        String::from_utf8(bytes).expect("CSV of strings is UTF-8")
    }
}

/// The rows of a file, one after another. A wrong row is the number of its line, 0 if it is not known, and what is
/// wrong.
pub(super) struct Times {
    /// `None`: there is no such file.
    rows: Option<Peekable<DeserializeRecordsIntoIter<Pieces, Time>>>,
    ends_whole: bool,
    is_begun: bool,
}

impl Times {
    /// Opens a file. A missing file has no rows.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Times> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Times { rows: None, ends_whole: true, is_begun: true });
            }
            Err(error) => return Err(error),
        };
        let ends_whole = ends_with_line_break(&file)?;
        let pieces = Pieces { path: path.to_owned(), position: 0 };
        let reader = csv::ReaderBuilder::new().flexible(true).buffer_capacity(BUFFER).from_reader(pieces);
        Ok(Times { rows: Some(reader.into_deserialize().peekable()), ends_whole, is_begun: false })
    }
}

impl Iterator for Times {
    type Item = Result<Time, (u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.rows.as_mut()?;
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let Some(row) = rows.next() else {
            let is_cut = is_first && !self.ends_whole;
            return is_cut.then(|| Err((1, "the header is cut off".to_owned())));
        };
        // The last number may be cut off and still be a number.
        let is_cut = !self.ends_whole && rows.peek().is_none();
        Some(match row {
            Ok(time) if is_cut => Err((0, format!("the last row is cut off, game {}", time.index))),
            Ok(time) if !(time.seconds.is_finite() && time.seconds >= 0.0) => {
                Err((0, format!("{} seconds for game {}", time.seconds, time.index)))
            }
            row => row.map_err(|error| (error.position().map_or(0, csv::Position::line), error.to_string())),
        })
    }
}

/// True if the file is empty or ends with a line break.
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
