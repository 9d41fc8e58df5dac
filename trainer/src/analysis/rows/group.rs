//! Collects rows as the columns of a Parquet row group.

use std::io::Write;

use entente_cli::table::{Lists, Texts, write_column, write_optional};
use parquet::{
    data_type::{ByteArrayType, DoubleType, Int32Type},
    errors::Result,
    file::writer::SerializedFileWriter,
};

use super::row::{GameRow, points};

/// The rows of a row group, stored by column, because Parquet is written column by column.
#[derive(Default)]
pub(super) struct Group {
    results: Vec<Option<f64>>,
    elos: [Vec<Option<i32>>; 2],
    texts: [Texts; 4],
    satisfied_after: Vec<i32>,
    squares: [Lists<Vec<u8>>; 12],
}

impl Group {
    pub(super) fn rows(&self) -> usize {
        self.satisfied_after.len()
    }

    /// Adds a row. `plies` is its [`GameRow::satisfied_after`] in the type of Parquet.
    pub(super) fn push(&mut self, row: &GameRow, plies: i32) {
        self.results.push(row.result.map(points));
        for (column, elo) in self.elos.iter_mut().zip([row.white_elo, row.black_elo]) {
            column.push(elo.map(i32::from));
        }
        let texts = [&row.rating_scale, &row.time_control, &row.eco, &row.opening];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.push(text);
        }
        self.satisfied_after.push(plies);
        for (column, squares) in self.squares.iter_mut().zip(&row.squares) {
            column.values.extend_from_slice(squares);
            column.close(squares.len());
        }
    }

    /// Writes the columns in the order of [`COLUMNS`](super::COLUMNS).
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn write(self, writer: &mut SerializedFileWriter<impl Write + Send>) -> Result<()> {
        let mut group = writer.next_row_group()?;
        write_optional::<DoubleType>(&mut group, &self.results)?;
        for elos in &self.elos {
            write_optional::<Int32Type>(&mut group, elos)?;
        }
        for texts in self.texts {
            write_column::<ByteArrayType>(&mut group, &texts.values(), None, None)?;
        }
        write_column::<Int32Type>(&mut group, &self.satisfied_after, None, None)?;
        for lists in self.squares {
            let (squares, present, continued) = lists.into_parts();
            let values: Vec<i32> = squares.into_iter().map(i32::from).collect();
            write_column::<Int32Type>(&mut group, &values, Some(&present), Some(&continued))?;
        }
        group.close()?;
        Ok(())
    }
}
