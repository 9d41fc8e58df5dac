//! Tables as Parquet, for programs such as DuckDB, pandas, Polars and Spark.
//!
//! [`begin`] starts a file with columns of given types. The caller collects the rows of a group as columns, for example
//! as [`Texts`] and [`Lists`], and writes one column after another with [`write_column`] and [`write_optional`]. A
//! table of any length therefore needs only the memory of one group. The bytes of a file depend only on its columns and
//! groups.

mod lists;
mod texts;
mod writer;

pub use lists::Lists;
pub use texts::Texts;
pub use writer::{CREATED_BY, begin, list_of, write_column, write_optional};
