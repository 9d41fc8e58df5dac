//! Writes tables as Parquet, column by column.

use std::{mem, path::PathBuf};

use ::parquet::file::writer::SerializedFileWriter;
use anyhow::Context;
use entente_cli::{table, whole_file::WholeFile};

use super::{
    cannot_write, create,
    group::Group,
    row::{COLUMNS, FIRST_SQUARES, GameRow},
};

/// Number of rows in a row group. Readers distribute the groups over threads, and the writer keeps one group in memory.
pub(super) const GROUP_ROWS: usize = 100_000;

/// The name of the writer, in the form that readers parse. The version is not that of this program, so that a new
/// release alone does not change the bytes of a table.
const CREATED_BY: &str = "entente-trainer version 1.0.0 (build 1)";

/// A Parquet table that is being written.
pub(super) struct ParquetTable {
    writer: SerializedFileWriter<WholeFile>,
    target: PathBuf,
    group: Group,
    group_rows: usize,
}

impl ParquetTable {
    /// Begins a table. Each row group has `group_rows` rows, and the last one the remaining rows.
    ///
    /// # Errors
    ///
    /// If the file cannot be created or written.
    pub(super) fn create(target: PathBuf, group_rows: usize) -> anyhow::Result<ParquetTable> {
        let writer = table::begin(create(&target)?, "games", &columns(), CREATED_BY)
            .with_context(|| cannot_write(&target))?;
        Ok(ParquetTable { writer, target, group: Group::default(), group_rows })
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a game has more plies than fit into the column.
    pub(super) fn write(&mut self, rows: &[GameRow]) -> anyhow::Result<()> {
        for row in rows {
            let plies = i32::try_from(row.satisfied_after).with_context(|| {
                format!("{}: satisfied after {} plies", cannot_write(&self.target), row.satisfied_after)
            })?;
            self.group.push(row, plies);
            if self.group.rows() == self.group_rows {
                mem::take(&mut self.group)
                    .write(&mut self.writer)
                    .with_context(|| cannot_write(&self.target))?;
            }
        }
        Ok(())
    }

    /// Completes the file on the disk, so that it only needs its name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn complete(self) -> anyhow::Result<WholeFile> {
        let ParquetTable { mut writer, target, group, .. } = self;
        let written = if group.rows() == 0 { Ok(()) } else { group.write(&mut writer) };
        let mut file = written.and_then(|()| writer.into_inner()).with_context(|| cannot_write(&target))?;
        file.sync().with_context(|| cannot_write(&target))?;
        Ok(file)
    }
}

/// The columns in Parquet's schema language.
fn columns() -> String {
    let types = [
        "optional double",
        "optional int32",
        "optional int32",
        "required binary",
        "required binary",
        "required binary",
        "required binary",
        "required int32",
    ];
    let mut fields: String = COLUMNS
        .iter()
        .zip(types)
        .map(|(column, kind)| {
            let meaning = if kind == "required binary" { " (STRING)" } else { "" };
            format!("{kind} {column}{meaning}; ")
        })
        .collect();
    for column in &COLUMNS[FIRST_SQUARES..] {
        fields += &table::list_of(column, "int32", "");
    }
    fields
}

#[cfg(test)]
mod tests {
    use std::{fs::File, path::Path};

    use ::parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::{Field, Row},
    };

    use super::{super::row::tests::rows, *};
    use crate::games::GameResult;

    fn write(path: &Path, rows: &[GameRow], group_rows: usize) -> SerializedFileReader<File> {
        let mut table = ParquetTable::create(path.to_owned(), group_rows).unwrap();
        table.write(rows).unwrap();
        table.complete().unwrap().finish().unwrap();
        SerializedFileReader::new(File::open(path).unwrap()).unwrap()
    }

    fn row(row: &Row) -> GameRow {
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let elo = |column: usize| match fields[column] {
            Field::Null => None,
            Field::Int(elo) => Some(u16::try_from(*elo).unwrap()),
            other => panic!("{other:?}"),
        };
        let text = |column: usize| match fields[column] {
            Field::Str(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        let number = |field: &Field| match field {
            Field::Int(number) => *number,
            other => panic!("{other:?}"),
        };
        let squares = |column: usize| match fields[column] {
            Field::ListInternal(list) => {
                list.elements().iter().map(|square| u8::try_from(number(square)).unwrap()).collect()
            }
            other => panic!("{other:?}"),
        };
        GameRow {
            result: match fields[0] {
                Field::Null => None,
                Field::Double(1.0) => Some(GameResult::WhiteWins),
                Field::Double(0.0) => Some(GameResult::BlackWins),
                Field::Double(0.5) => Some(GameResult::Draw),
                other => panic!("{other:?}"),
            },
            white_elo: elo(1),
            black_elo: elo(2),
            rating_scale: text(3),
            time_control: text(4),
            eco: text(5),
            opening: text(6),
            satisfied_after: number(fields[7]).try_into().unwrap(),
            squares: std::array::from_fn(|kind| squares(FIRST_SQUARES + kind)),
        }
    }

    #[test]
    fn the_parquet_reader_restores_the_rows() {
        let folder = tempfile::tempdir().unwrap();
        for (count, groups) in [(0, vec![]), (1, vec![1]), (50, vec![20, 20, 10]), (40, vec![20, 20])] {
            let rows = rows(count);
            let reader = write(&folder.path().join("table.parquet"), &rows, 20);
            let found: Vec<GameRow> =
                reader.get_row_iter(None).unwrap().map(|found| row(&found.unwrap())).collect();
            assert_eq!(found, rows);
            let sizes: Vec<i64> =
                reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
            assert_eq!(sizes, groups);
        }
    }

    #[test]
    fn the_file_has_its_column_names_and_a_fixed_writer() {
        let folder = tempfile::tempdir().unwrap();
        let reader = write(&folder.path().join("table.parquet"), &rows(1), 20);
        let metadata = reader.metadata().file_metadata();
        let names: Vec<&str> = metadata.schema().get_fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, COLUMNS);
        assert_eq!(metadata.created_by(), Some(CREATED_BY));
        assert_eq!(metadata.key_value_metadata(), None);
    }

    #[test]
    fn a_game_that_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = ParquetTable::create(folder.path().join("table.parquet"), 20).unwrap();
        let mut long = rows(1);
        long[0].satisfied_after = u32::MAX;
        let fault = format!("{:#}", table.write(&long).unwrap_err());
        assert!(fault.contains("table.parquet: satisfied after 4294967295 plies"), "{fault}");
    }
}
