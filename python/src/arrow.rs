//! Positions as a table of Arrow, for pandas, Polars, DuckDB and pyarrow, which take it without a copy.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Lines},
    path::Path,
    sync::{Arc, LazyLock},
};

use arrow_array::{
    ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader,
    builder::{
        Float64Builder, Int32Builder, ListBuilder, StringBuilder, UInt16Builder, UInt32Builder, UInt64Builder,
    },
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use entente_cli::dataset::Position as Row;
use entente_constraint::counted;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use crate::{errors, position::Position};

/// The rows of a batch of a data set's file.
const BATCH: usize = 8192;

/// The columns: those of data sets, in their order.
static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let texts = || DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
    let column = |name: &str, kind: DataType, is_optional: bool| Field::new(name, kind, is_optional);
    Arc::new(Schema::new(vec![
        column("fen", DataType::Utf8, false),
        column("constraint", DataType::Utf8, false),
        column("white_elo", DataType::UInt16, true),
        column("black_elo", DataType::UInt16, true),
        column("plies", DataType::UInt32, false),
        column("root", DataType::Utf8, false),
        column("moves", texts(), false),
        column("san", texts(), false),
        column("method", DataType::Utf8, false),
        column("delivered_by", DataType::Utf8, true),
        column("surprise", DataType::Float64, true),
        column("centipawns", DataType::Int32, true),
        column("seed", DataType::UInt64, false),
        column("index", DataType::UInt64, false),
    ]))
});

/// The rows as a batch.
fn batch(rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let mut texts: [StringBuilder; 5] = Default::default();
    let [mut white, mut black] = [UInt16Builder::new(), UInt16Builder::new()];
    let mut plies = UInt32Builder::new();
    let [mut moves, mut san] = [(); 2].map(|()| ListBuilder::new(StringBuilder::new()));
    let (mut surprise, mut centipawns) = (Float64Builder::new(), Int32Builder::new());
    let [mut seed, mut index] = [UInt64Builder::new(), UInt64Builder::new()];
    for row in rows {
        let delivered = row.delivered_by.map(|delivered| delivered.word());
        let values = [Some(&*row.fen), Some(&row.constraint), Some(&row.root), Some(&row.method), delivered];
        texts.iter_mut().zip(values).for_each(|(column, value)| column.append_option(value));
        white.append_option(row.white_elo);
        black.append_option(row.black_elo);
        plies.append_value(row.plies);
        moves.append_value(row.moves.iter().map(Some));
        san.append_value(row.san.iter().map(Some));
        surprise.append_option(row.surprise);
        centipawns.append_option(row.centipawns);
        seed.append_value(row.seed);
        index.append_value(row.index);
    }
    let [fen, constraint, root, method, delivered] =
        texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
    let columns: Vec<ArrayRef> = vec![
        fen,
        constraint,
        Arc::new(white.finish()),
        Arc::new(black.finish()),
        Arc::new(plies.finish()),
        root,
        Arc::new(moves.finish()),
        Arc::new(san.finish()),
        method,
        delivered,
        Arc::new(surprise.finish()),
        Arc::new(centipawns.finish()),
        Arc::new(seed.finish()),
        Arc::new(index.finish()),
    ];
    RecordBatch::try_new(Arc::clone(&SCHEMA), columns)
}

/// A stream of batches as Python's libraries exchange it: the Arrow PyCapsule interface.
fn capsule(
    py: Python<'_>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

#[doc = doc!("Table")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Table {
    batch: RecordBatch,
}

#[pymethods]
impl Table {
    #[new]
    fn new(positions: &Bound<'_, PyAny>) -> PyResult<Table> {
        let py = positions.py();
        let mut rows = Vec::new();
        for (place, position) in positions.try_iter()?.enumerate() {
            let position = position?;
            let position = position.cast::<Position>().map_err(|_| {
                let found = errors::type_name(&position);
                PyTypeError::new_err(format!("position {place}: expected an entente.Position, found {found}"))
            })?;
            rows.push(position.get().row());
        }
        Ok(Table { batch: batch(&rows).map_err(|error| errors::other(py, &error))? })
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the wish; the consumer then casts.
        let _ = requested_schema;
        capsule(py, RecordBatchIterator::new([Ok(self.batch.clone())], Arc::clone(&SCHEMA)))
    }

    #[doc = doc!("Table.columns")]
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, SCHEMA.fields().iter().map(|field| field.name()))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<entente.Table of {}>", counted(self.batch.num_rows() as u64, "position", "positions"))
    }
}

/// The positions of a data set's file, read as they are asked for.
struct Batches {
    lines: Lines<BufReader<File>>,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows: Result<Vec<Row>, ArrowError> = self
            .lines
            .by_ref()
            .take(BATCH)
            .map(|line| {
                let line = line.map_err(|error| ArrowError::IoError(error.to_string(), error))?;
                serde_json::from_str(&line).map_err(|error| ArrowError::JsonError(error.to_string()))
            })
            .collect();
        match rows {
            Ok(rows) if rows.is_empty() => None,
            rows => Some(rows.and_then(|rows| batch(&rows))),
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&SCHEMA)
    }
}

/// The stream of a data set's file of JSON lines.
///
/// # Errors
/// If the file cannot be opened.
pub(crate) fn stream_of_file<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyCapsule>> {
    capsule(py, Batches { lines: BufReader::new(File::open(path)?).lines() })
}
