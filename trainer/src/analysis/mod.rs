//! What games say about constraints: how many meet them and when, who wins then, and where the men stand.
//!
//! [`Questions`] are the constraints. A [`Pass`] goes once through a store of people's games, on all threads, and counts a
//! [`Study`], which can be joined with those of other parts; [`Generated`] counts the games of a tournament. [`publish`] writes
//! tables, plots and a report of a study; `rows` has a table of the games themselves.

mod classes;
mod counter;
mod figures;
mod findings;
mod generated;
mod pass;
mod published;
mod questions;
mod report;
pub mod rows;
mod study;
mod summary;
mod tables;
mod tally;

use counter::Counter;
pub use figures::file_names;
pub use generated::Generated;
pub use pass::{Pass, Rows};
pub use questions::{Finder, Questions};
pub use report::publish;
pub use study::{STUDY, Selection, Study, Subject};
