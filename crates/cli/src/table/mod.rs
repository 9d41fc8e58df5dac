//! Tables as Parquet, for programs that read columns: DuckDB, pandas, Polars, Spark.
//!
//! [`begin`] starts a file with columns of given types. A program collects the rows of a group as columns, of which
//! [`Texts`] and [`Lists`] are two kinds, and writes one column after the other with [`write_column`] and
//! [`write_optional`]. So a table of any length needs the memory of one group. What is in a file depends on its columns
//! and its groups alone.

mod lists;
mod texts;
mod writer;

pub use lists::Lists;
pub use texts::Texts;
pub use writer::{begin, list_of, write_column, write_optional};
