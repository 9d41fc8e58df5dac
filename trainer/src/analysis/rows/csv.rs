//! Writes and reads tables as CSV.

use std::{
    fmt::Write,
    fs::File,
    path::{Path, PathBuf},
};

use ::csv::{ByteRecord, ReaderBuilder, Writer, WriterBuilder};
use anyhow::{Context, anyhow, bail, ensure};
use entente_cli::whole_file::WholeFile;

use super::{
    cannot_write, create,
    row::{COLUMNS, FIRST_SQUARES, GameRow, points},
};
use crate::games::GameResult;

/// Size of the buffer for reading and writing, in bytes.
const BUFFER: usize = 1 << 16;

/// A CSV table that is being written.
pub(super) struct CsvTable {
    writer: Writer<WholeFile>,
    target: PathBuf,
}

impl CsvTable {
    /// Begins a table with the names of the columns.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written.
    pub(super) fn create(target: PathBuf) -> anyhow::Result<CsvTable> {
        let mut writer = WriterBuilder::new().buffer_capacity(BUFFER).from_writer(create(&target)?);
        writer.write_record(COLUMNS).with_context(|| cannot_write(&target))?;
        Ok(CsvTable { writer, target })
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn write(&mut self, rows: &[GameRow]) -> anyhow::Result<()> {
        rows.iter()
            .try_for_each(|row| write_row(&mut self.writer, row))
            .with_context(|| cannot_write(&self.target))
    }

    /// Completes the file on the disk, so that it only needs its name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn complete(self) -> anyhow::Result<WholeFile> {
        let CsvTable { writer, target } = self;
        let file = writer.into_inner().map_err(::csv::IntoInnerError::into_error);
        let mut file = file.with_context(|| cannot_write(&target))?;
        file.sync().with_context(|| cannot_write(&target))?;
        Ok(file)
    }
}

fn write_row(writer: &mut Writer<WholeFile>, row: &GameRow) -> ::csv::Result<()> {
    writer.write_field(optional(row.result.map(points)))?;
    writer.write_field(optional(row.white_elo))?;
    writer.write_field(optional(row.black_elo))?;
    for text in [&row.rating_scale, &row.time_control, &row.eco, &row.opening] {
        writer.write_field(text)?;
    }
    writer.write_field(row.satisfied_after.to_string())?;
    for squares in &row.squares {
        writer.write_field(list(squares))?;
    }
    writer.write_record(None::<&[u8]>)
}

fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn list(squares: &[u8]) -> String {
    let mut text = String::from("[");
    for (index, square) in squares.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(text, "{separator}{square}").expect("writing to a string succeeds");
    }
    text.push(']');
    text
}

/// Reads a table that [`TableWriter`](super::TableWriter) wrote as CSV, row by row. Writing the rows again gives the
/// same bytes, so the tables of shards can be joined.
///
/// # Errors
///
/// If the file cannot be opened or has other columns. Later, an error takes the place of a row if the file cannot be
/// read or a field is invalid for its column. Errors name the file, the line, the column and the expected content.
pub fn read_csv(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<GameRow>> + use<>> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    // Allow rows of any length here, because wrong lengths are reported below like other faults.
    let mut reader = ReaderBuilder::new().flexible(true).buffer_capacity(BUFFER).from_reader(file);
    let header = reader.byte_headers().with_context(|| format!("cannot read {name}"))?;
    check_header(header).with_context(|| format!("{name}, line 1"))?;
    let mut record = ByteRecord::new();
    Ok(std::iter::from_fn(move || match reader.read_byte_record(&mut record) {
        Ok(false) => None,
        Ok(true) => Some(read_row(&record).with_context(|| {
            let line = record.position().map_or(0, ::csv::Position::line);
            format!("{name}, line {line}")
        })),
        Err(error) => Some(Err(error).with_context(|| format!("cannot read {name}"))),
    }))
}

fn check_header(header: &ByteRecord) -> anyhow::Result<()> {
    for (index, column) in COLUMNS.iter().enumerate() {
        let found = header.get(index).with_context(|| format!("no column {column}"))?;
        if found != column.as_bytes() {
            bail!("column {} is {:?}; expected {column}", index + 1, String::from_utf8_lossy(found));
        }
    }
    ensure!(header.len() == COLUMNS.len(), "{} columns; expected {}", header.len(), COLUMNS.len());
    Ok(())
}

fn read_row(record: &ByteRecord) -> anyhow::Result<GameRow> {
    ensure!(record.len() == COLUMNS.len(), "{} columns; expected {}", record.len(), COLUMNS.len());
    let text = |column| field(record, column, "text in UTF-8", |text| Some(text.to_owned()));
    let elo = |column| {
        field(record, column, "a rating from 0 to 65535, or nothing", |text| {
            if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
        })
    };
    let mut squares = [const { Vec::new() }; 12];
    for (index, squares) in squares.iter_mut().enumerate() {
        let expected = "numbers of squares from 0 to 63 in ascending order, such as [2,5]";
        *squares = field(record, FIRST_SQUARES + index, expected, read_list)?;
    }
    Ok(GameRow {
        result: field(record, 0, "1, 0, 0.5 or nothing", |text| match text {
            "" => Some(None),
            "1" => Some(Some(GameResult::WhiteWins)),
            "0" => Some(Some(GameResult::BlackWins)),
            "0.5" => Some(Some(GameResult::Draw)),
            _ => None,
        })?,
        white_elo: elo(1)?,
        black_elo: elo(2)?,
        rating_scale: text(3)?,
        time_control: text(4)?,
        eco: text(5)?,
        opening: text(6)?,
        satisfied_after: field(record, 7, "a number of plies", |text| text.parse().ok())?,
        squares,
    })
}

/// Parses a field with `parse`; the error says what was expected.
fn field<T>(
    record: &ByteRecord,
    column: usize,
    expected: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> anyhow::Result<T> {
    let bytes = &record[column];
    std::str::from_utf8(bytes).ok().and_then(parse).ok_or_else(|| {
        let found = String::from_utf8_lossy(bytes);
        anyhow!("column {}: {found:?}; expected {expected}", COLUMNS[column])
    })
}

fn read_list(text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    if inner.is_empty() {
        return Some(Vec::new());
    }
    let squares: Vec<u8> = inner
        .split(',')
        .map(|square| square.parse().ok().filter(|square| *square < 64))
        .collect::<Option<_>>()?;
    squares.is_sorted_by(|one, next| one < next).then_some(squares)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::row::tests::rows, *};

    fn write(path: &Path, rows: &[GameRow]) -> String {
        let mut table = CsvTable::create(path.to_owned()).unwrap();
        table.write(rows).unwrap();
        table.complete().unwrap().finish().unwrap();
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn reading_restores_the_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        for count in [0, 1, 50] {
            let rows = rows(count);
            write(&path, &rows);
            assert_eq!(read_csv(&path).unwrap().collect::<anyhow::Result<Vec<_>>>().unwrap(), rows);
        }
    }

    #[test]
    fn the_text_has_the_format_of_the_data_set() {
        let folder = tempfile::tempdir().unwrap();
        let text = write(&folder.path().join("table.csv"), &rows(2));
        let lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(lines[0], COLUMNS.join(","));
        assert_eq!(
            lines[1],
            "1,,0,online,600+5,,,1,[4],[],\"[0,7]\",\"[2,5]\",\"[1,6]\",[],[60],[59],\"[56,63]\",\"[58,61]\",\"[57,62]\",\"[48,49,50,51,52,53,54,55]\""
        );
        assert!(lines[2].starts_with("0,1001,65535,fide,-,C45,Scotch Game,2,[4],[3],[],"), "{}", lines[2]);
        assert_eq!(lines[3..], [""]);
    }

    /// The error for a table in which `from` is replaced by `to`.
    fn fault(from: &str, to: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let text = write(&path, &rows(4)).replacen(from, to, 1);
        fs::write(&path, text).unwrap();
        let rows = read_csv(&path).and_then(Iterator::collect::<anyhow::Result<Vec<_>>>);
        format!("{:#}", rows.unwrap_err())
    }

    #[test]
    fn an_invalid_row_is_reported_with_line_and_column() {
        for (from, to, expected) in [
            ("\n0,1001", "\n2,1001", "line 3: column result: \"2\"; expected 1, 0, 0.5 or nothing"),
            (",1001,", ",70000,", "line 3: column white_elo: \"70000\"; expected a rating from 0 to 65535"),
            ("Game,2,", "Game,-2,", "line 3: column satisfied_after: \"-2\"; expected a number of plies"),
            (
                "\"[2,5]\"",
                "\"[2,64]\"",
                "line 2: column w_bishop_pos: \"[2,64]\"; expected numbers of squares",
            ),
            ("\"[2,5]\"", "\"[5,2]\"", "line 2: column w_bishop_pos: \"[5,2]\"; expected numbers of squares"),
            ("\"[2,5]\"", "25", "line 2: column w_bishop_pos: \"25\"; expected numbers of squares"),
            (",[60],", ",", "line 2: 19 columns; expected 20"),
            // The opening in the previous row has two lines.
            ("\n,,0,", "\n,x,0,", "line 6: column white_elo: \"x\""),
        ] {
            let fault = fault(from, to);
            assert!(fault.contains(&format!("table.csv, {expected}")), "{fault}");
        }
    }

    #[test]
    fn a_table_with_other_columns_is_refused() {
        for (from, to, expected) in [
            ("black_elo", "black", "line 1: column 3 is \"black\"; expected black_elo"),
            (",b_pawn_pos\n", "\n", "line 1: no column b_pawn_pos"),
            ("b_pawn_pos\n", "b_pawn_pos,more\n", "line 1: 21 columns; expected 20"),
        ] {
            let fault = fault(from, to);
            assert!(fault.contains(&format!("table.csv, {expected}")), "{fault}");
        }
    }

    #[test]
    fn text_in_another_encoding_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let text = write(&path, &rows(3)).replace("Réti", "R?ti");
        let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xe9 } else { byte }).collect();
        fs::write(&path, bytes).unwrap();
        let fault = format!("{:#}", read_csv(&path).unwrap().last().unwrap().unwrap_err());
        assert!(fault.contains("table.csv, line 4: column opening: "), "{fault}");
        assert!(fault.ends_with("; expected text in UTF-8"), "{fault}");
    }

    #[test]
    fn a_missing_file_is_reported() {
        let fault = format!("{:#}", read_csv(Path::new("nowhere.csv")).map(|_| ()).unwrap_err());
        assert!(fault.starts_with("cannot read nowhere.csv: "), "{fault}");
    }
}
