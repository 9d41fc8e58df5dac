//! Tables of the games that met a constraint, with one table per constraint, as CSV and as Parquet with the same
//! columns.

mod csv;
mod group;
mod parquet;
mod row;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use entente_cli::whole_file::WholeFile;

use self::{csv::CsvTable, parquet::ParquetTable};
pub use self::{
    csv::read_csv,
    row::{COLUMNS, GameRow, squares_of},
};

/// The formats of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formats {
    /// Text for spreadsheets and for [`read_csv`], named `.csv`.
    pub csv: bool,
    /// Compressed columns for DuckDB, Polars, pandas or Spark, named `.parquet`.
    pub parquet: bool,
}

/// Writes a table row by row in one or both formats.
///
/// The files appear only at [`TableWriter::finish`]. If the writer is dropped before, nothing is left of them. Their
/// content depends only on the rows and their order, not on how the rows were grouped in calls.
pub struct TableWriter {
    csv: Option<CsvTable>,
    parquet: Option<ParquetTable>,
}

impl TableWriter {
    /// Begins a table at this path, to which each format adds its extension. Existing tables of these names are
    /// unchanged until the end.
    ///
    /// # Errors
    ///
    /// If the folder does not exist or is not writable.
    pub fn create(path_without_extension: &Path, formats: Formats) -> anyhow::Result<TableWriter> {
        TableWriter::with_group_rows(path_without_extension, formats, parquet::GROUP_ROWS)
    }

    fn with_group_rows(path: &Path, formats: Formats, group_rows: usize) -> anyhow::Result<TableWriter> {
        let csv = formats.csv.then(|| CsvTable::create(with_added(path, ".csv"))).transpose()?;
        let parquet = formats
            .parquet
            .then(|| ParquetTable::create(with_added(path, ".parquet"), group_rows))
            .transpose()?;
        Ok(TableWriter { csv, parquet })
    }

    /// Appends rows.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or a game is too long for the table. The table is then useless.
    pub fn write(&mut self, rows: &[GameRow]) -> anyhow::Result<()> {
        if let Some(csv) = &mut self.csv {
            csv.write(rows)?;
        }
        if let Some(parquet) = &mut self.parquet {
            parquet.write(rows)?;
        }
        Ok(())
    }

    /// Completes the files and renames them.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or renamed.
    pub fn finish(self) -> anyhow::Result<()> {
        // Complete all files before renaming the first, so that a full disk leaves no file.
        let csv = self.csv.map(CsvTable::complete).transpose()?;
        let parquet = self.parquet.map(ParquetTable::complete).transpose()?;
        csv.into_iter().chain(parquet).try_for_each(|file| {
            let target = file.target().to_owned();
            file.finish().with_context(|| cannot_write(&target))
        })
    }
}

/// Creates the file of a table.
fn create(target: &Path) -> anyhow::Result<WholeFile> {
    WholeFile::create(target).with_context(|| format!("cannot create {}", target.display()))
}

/// The beginning of the message if a table cannot be written.
fn cannot_write(target: &Path) -> String {
    format!("cannot write {}", target.display())
}

/// Appends an extension to a path. [`Path::with_extension`] would replace everything after the last dot of a
/// constraint's name.
fn with_added(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use entente_cli::whole_file::is_partial;

    use super::{row::tests::rows, *};

    const BOTH: Formats = Formats { csv: true, parquet: true };

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_renamed_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = TableWriter::create(&folder.path().join("v1.5"), BOTH).unwrap();
        table.write(&rows(7)).unwrap();
        assert!(names(folder.path()).iter().all(|name| is_partial(name.as_ref())));
        table.finish().unwrap();
        assert_eq!(names(folder.path()), ["v1.5.csv", "v1.5.parquet"]);
    }

    #[test]
    fn a_dropped_writer_leaves_no_files_and_keeps_earlier_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queens");
        fs::write(folder.path().join("queens.csv"), "earlier").unwrap();
        let mut table = TableWriter::create(&path, BOTH).unwrap();
        table.write(&rows(7)).unwrap();
        drop(table);
        assert_eq!(names(folder.path()), ["queens.csv"]);
        assert_eq!(fs::read_to_string(folder.path().join("queens.csv")).unwrap(), "earlier");
    }

    #[test]
    fn only_the_selected_formats_are_written() {
        let folder = tempfile::tempdir().unwrap();
        for (name, formats) in
            [("a", Formats { csv: true, parquet: false }), ("b", Formats { csv: false, parquet: true })]
        {
            TableWriter::create(&folder.path().join(name), formats).unwrap().finish().unwrap();
        }
        TableWriter::create(&folder.path().join("c"), Formats::default()).unwrap().finish().unwrap();
        assert_eq!(names(folder.path()), ["a.csv", "b.parquet"]);
    }

    #[test]
    fn the_bytes_depend_only_on_the_rows_and_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows(23);
        let bytes = [1, 3, 7, 8, 23].map(|portion| {
            let path = folder.path().join(format!("by-{portion}"));
            let mut table = TableWriter::with_group_rows(&path, BOTH, 8).unwrap();
            rows.chunks(portion).for_each(|rows| table.write(rows).unwrap());
            table.finish().unwrap();
            [".csv", ".parquet"].map(|extension| fs::read(with_added(&path, extension)).unwrap())
        });
        assert!(bytes.iter().all(|found| *found == bytes[0]));
    }

    #[test]
    fn joined_shards_equal_the_whole_table() {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows(23);
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, rows: &[GameRow]| {
            let mut table = TableWriter::with_group_rows(&path(name), BOTH, 8).unwrap();
            table.write(rows).unwrap();
            table.finish().unwrap();
        };
        write("whole", &rows);
        write("first", &rows[..11]);
        write("second", &rows[11..]);
        let mut table = TableWriter::with_group_rows(&path("merged"), BOTH, 8).unwrap();
        for shard in ["first.csv", "second.csv"] {
            for row in read_csv(&path(shard)).unwrap() {
                table.write(&[row.unwrap()]).unwrap();
            }
        }
        table.finish().unwrap();
        for extension in ["csv", "parquet"] {
            let [whole, merged] =
                ["whole", "merged"].map(|name| fs::read(path(&format!("{name}.{extension}"))).unwrap());
            assert!(whole == merged, "{extension}");
        }
    }

    #[test]
    fn an_error_names_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere").join("table");
        for (formats, name) in
            [(BOTH, "nowhere/table.csv"), (Formats { csv: false, parquet: true }, "nowhere/table.parquet")]
        {
            let error = TableWriter::create(&path, formats).map(|_| ()).unwrap_err();
            assert!(format!("{error:#}").contains(name), "{error:#}");
        }
    }

    #[test]
    fn a_writer_can_go_to_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<TableWriter>();
    }
}
