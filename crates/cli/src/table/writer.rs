use std::{io::Write, sync::Arc};

use parquet::{
    basic::{Compression, ZstdLevel},
    data_type::DataType,
    errors::{ParquetError, Result},
    file::{
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::parser::parse_message_type,
};

/// The compression level, Zstandard's default.
const LEVEL: i32 = 3;

/// The name of this program as the writer of a table, in the form that readers parse. The version is not this
/// program's, so that a release alone does not change the bytes of a table.
pub const CREATED_BY: &str = "entente version 1.0.0 (build 1)";

/// Starts a file. `columns` are in Parquet's schema language, each with its `;` or braces. `name` is the name of the
/// schema; `created_by` names the writer, in the form that readers parse.
///
/// # Errors
/// If the columns are invalid, or `sink` cannot be written.
pub fn begin<W: Write + Send>(
    sink: W,
    name: &str,
    columns: &str,
    created_by: &str,
) -> Result<SerializedFileWriter<W>> {
    let schema = parse_message_type(&format!("message {name} {{ {columns}}}"))?;
    let properties = WriterProperties::builder()
        .set_created_by(created_by.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .build();
    SerializedFileWriter::new(sink, Arc::new(schema), Arc::new(properties))
}

/// A column of lists in the schema language. It has the three levels of the standard, the only form that every reader
/// takes for a list. `element` is the type of the elements; `meaning` is empty or, for example, ` (STRING)`.
pub fn list_of(column: &str, element: &str, meaning: &str) -> String {
    format!(
        "required group {column} (LIST) {{ repeated group list {{ required {element} element{meaning}; }} }} "
    )
}

/// Writes a column in which values may be missing.
///
/// # Errors
/// If it cannot be written.
pub fn write_optional<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    column: &[Option<T::T>],
) -> Result<()> {
    let values: Vec<T::T> = column.iter().flatten().cloned().collect();
    let present: Vec<i16> = column.iter().map(|value| i16::from(value.is_some())).collect();
    write_column::<T>(group, &values, Some(&present), None)
}

/// Writes a column. For lists, [`Lists::into_parts`](super::Lists::into_parts) gives the levels `present` and
/// `continued`.
///
/// # Errors
/// If it cannot be written.
pub fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    present: Option<&[i16]>,
    continued: Option<&[i16]>,
) -> Result<()> {
    let mut column = next_column(group)?;
    column.typed::<T>().write_batch(values, present, continued)?;
    column.close()
}

/// The next column of a group.
///
/// # Errors
/// If all columns are written.
fn next_column<'a>(
    group: &'a mut SerializedRowGroupWriter<'_, impl Write + Send>,
) -> Result<SerializedColumnWriter<'a>> {
    group.next_column()?.ok_or_else(|| ParquetError::General("no such column".to_owned()))
}
