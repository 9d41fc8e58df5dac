//! A row group of Parquet: rows turned into columns.

use std::fs::File;

use parquet::{
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type},
    errors::{ParquetError, Result},
    file::writer::{SerializedFileWriter, SerializedRowGroupWriter},
};

use super::row::{GameRow, points};

/// The rows of a row group, kept as columns, for Parquet takes one whole column after the other.
#[derive(Default)]
pub struct Group {
    results: Vec<Option<f64>>,
    elos: [Vec<Option<i32>>; 2],
    texts: [Texts; 4],
    satisfied_after: Vec<i32>,
    squares: [Lists; 12],
}

/// Texts of a column, end to end, so that none of them is a piece of memory of its own.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

/// Lists of a column, end to end.
#[derive(Default)]
struct Lists {
    squares: Vec<u8>,
    lengths: Vec<u8>,
}

impl Group {
    pub fn rows(&self) -> usize {
        self.satisfied_after.len()
    }

    /// Adds a row, with `plies` for its [`GameRow::satisfied_after`] as Parquet's type.
    pub fn push(&mut self, row: &GameRow, plies: i32) {
        self.results.push(row.result.map(points));
        for (column, elo) in self.elos.iter_mut().zip([row.white_elo, row.black_elo]) {
            column.push(elo.map(i32::from));
        }
        let texts = [&row.rating_scale, &row.time_control, &row.eco, &row.opening];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.bytes.extend_from_slice(text.as_bytes());
            column.lengths.push(text.len());
        }
        self.satisfied_after.push(plies);
        for (column, squares) in self.squares.iter_mut().zip(&row.squares) {
            column.squares.extend_from_slice(squares);
            column.lengths.push(squares.len() as u8);
        }
    }

    /// Writes the columns in the order of [`COLUMNS`](super::COLUMNS).
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(self, writer: &mut SerializedFileWriter<File>) -> Result<()> {
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
            let (values, present, continued) = lists.levels();
            write_column::<Int32Type>(&mut group, &values, Some(&present), Some(&continued))?;
        }
        group.close()?;
        Ok(())
    }
}

impl Texts {
    fn values(self) -> Vec<ByteArray> {
        let bytes = ByteArray::from(self.bytes);
        let mut start = 0;
        self.lengths
            .iter()
            .map(|&length| {
                let text = bytes.slice(start, length);
                start += length;
                text
            })
            .collect()
    }
}

impl Lists {
    /// The squares, then for each of them and for each empty list whether there is a square, and whether it goes on with
    /// the list before: Parquet's definition and repetition levels.
    fn levels(&self) -> (Vec<i32>, Vec<i16>, Vec<i16>) {
        let (mut present, mut continued) = (Vec::new(), Vec::new());
        for &length in &self.lengths {
            present.push(i16::from(length > 0));
            continued.push(0);
            for _ in 1..length {
                present.push(1);
                continued.push(1);
            }
        }
        (self.squares.iter().copied().map(i32::from).collect(), present, continued)
    }
}

fn write_optional<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    column: &[Option<T::T>],
) -> Result<()> {
    let values: Vec<T::T> = column.iter().flatten().cloned().collect();
    let present: Vec<i16> = column.iter().map(|value| i16::from(value.is_some())).collect();
    write_column::<T>(group, &values, Some(&present), None)
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    present: Option<&[i16]>,
    continued: Option<&[i16]>,
) -> Result<()> {
    let mut column =
        group.next_column()?.ok_or_else(|| ParquetError::General("no such column".to_owned()))?;
    column.typed::<T>().write_batch(values, present, continued)?;
    column.close()
}
