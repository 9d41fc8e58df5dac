//! How long games took, in a file beside the results: times differ from run to run, results do not.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    iter::Peekable,
    path::Path,
};

use csv::DeserializeRecordsIntoIter;
use serde::{Deserialize, Serialize};

use super::{Played, sequence::Pieces};

/// Bytes that are read at a time.
const BUFFER: usize = 32 << 10;

/// How long a game took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Time {
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
    /// That of a game.
    pub(super) fn of(played: &Played, seconds: f32) -> Time {
        let Played { entrant, record } = played;
        Time { entrant: entrant.clone(), constraint: record.constraint.clone(), index: record.index, seconds }
    }

    /// Its row, with the line break; with the names of the columns in front if it is the first one.
    pub(super) fn row(&self, is_first: bool) -> String {
        let mut writer = csv::WriterBuilder::new().has_headers(is_first).from_writer(Vec::new());
        writer.serialize(self).expect("texts and numbers are always CSV");
        let bytes = writer.into_inner().expect("writing to memory succeeds");
        String::from_utf8(bytes).expect("it was text")
    }
}

/// The rows of a file, one after another: each a time, or the number of its line, 0 if that is not known, and what is
/// wrong with it.
pub(super) struct Times {
    /// `None`: there is no such file.
    rows: Option<Peekable<DeserializeRecordsIntoIter<Pieces, Time>>>,
    ends_whole: bool,
    is_begun: bool,
}

impl Times {
    /// Those of a file. No file has no rows.
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
            return is_cut.then(|| Err((1, "the names of the columns are cut off".to_owned())));
        };
        // Half a number is a number.
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
