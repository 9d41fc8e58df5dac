//! A file of positions from which `genfens` draws. Only the places of its lines are kept, so that a book of many
//! millions of positions takes little memory.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use entente_search::position_from_fen;
use shakmaty::Chess;

/// The longest accepted line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// The maximum number of positions; their places take 800 megabytes.
const MOST: usize = 100_000_000;

/// A book with one FEN or EPD per line.
#[derive(Debug)]
pub(super) struct Book {
    path: PathBuf,
    input: BufReader<File>,
    /// Where the lines with positions begin, in bytes.
    places: Vec<u64>,
}

impl Book {
    /// Opens a book and reads every line.
    ///
    /// # Errors
    /// The reason, with the line, if the file cannot be read or is not a book, or if there are no or too many positions.
    pub(super) fn open(path: &Path) -> Result<Book, String> {
        let name = format!("book {}", path.display());
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        let mut book = Book { path: path.to_owned(), input: BufReader::new(file), places: Vec::new() };
        let (mut place, mut line) = (0, Vec::new());
        for number in 1_u64.. {
            line.clear();
            let limited = (&mut book.input).take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
            let length = limited.map_err(|error| format!("{name}: {error}"))? as u64;
            if length == 0 {
                break;
            }
            if length > LONGEST_LINE {
                return Err(format!("{name}, line {number}: expected at most {LONGEST_LINE} bytes"));
            }
            if root(&line).map_err(|error| format!("{name}, line {number}: {error}"))?.is_some() {
                if book.places.len() == MOST {
                    return Err(format!("{name}: expected at most {MOST} positions"));
                }
                book.places.push(place);
            }
            place += length;
        }
        if book.places.is_empty() {
            return Err(format!("{name}: no positions"));
        }
        Ok(book)
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The position with this number, from 0.
    ///
    /// # Errors
    /// The reason, if the file has changed since it was opened.
    pub(super) fn position(&mut self, index: usize) -> Result<Chess, String> {
        let mut line = Vec::new();
        let place = SeekFrom::Start(self.places[index]);
        let read = self
            .input
            .seek(place)
            .and_then(|_| (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line));
        let fault = |why: String| format!("book {}: {why}", self.path.display());
        read.map_err(|error| fault(error.to_string()))?;
        let root = root(&line).ok().flatten();
        root.ok_or_else(|| fault("the file has changed while it was read".to_owned()))
    }
}

/// The position on a line; `None` on an empty one.
fn root(line: &[u8]) -> Result<Option<Chess>, String> {
    let line = str::from_utf8(line).map_err(|error| error.to_string())?;
    let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
    if fields.is_empty() {
        return Ok(None);
    }
    position_from_fen(&format!("{} 0 1", fields.join(" "))).map(Some).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::Position as _;

    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    #[test]
    fn positions_are_read_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        fs::write(&path, format!("\n{KINGS} id \"rook\";\r\n  \n{start}")).unwrap();
        let mut book = Book::open(&path).unwrap();
        assert_eq!(book.len(), 2);
        assert_eq!(book.position(1).unwrap(), Chess::default());
        assert_eq!(book.position(0).unwrap().board().occupied().count(), 3);
        fs::write(&path, "\n").unwrap();
        assert!(book.position(1).unwrap_err().ends_with("the file has changed while it was read"));
    }

    #[test]
    fn what_is_no_book_is_refused_with_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        let long = format!("{KINGS} id \"{}\";\n", "x".repeat(LONGEST_LINE as usize));
        for (text, fault) in [
            ("", "no positions"),
            ("\n\n", "no positions"),
            (&format!("{KINGS}\nnonsense\n"), "line 2: "),
            (&format!("{KINGS}\n{long}"), "line 2: expected at most 65536 bytes"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Book::open(&path).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
    }
}
