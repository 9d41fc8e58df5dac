//! Statistics of games that meet constraints: how many there are, after how many plies, who wins, and where the men
//! stand.
//!
//! [`WantedConstraints`] has the constraints. A [`Pass`] reads a store of human games once, on several threads, and
//! counts a [`Study`]. Studies of parts of a store can be joined. [`Generated`] counts the games of a tournament.
//! [`publish`] writes the tables, plots and report of a study. [`rows`] writes tables of the games themselves.

mod classes;
mod counter;
mod figures;
mod findings;
mod generated;
mod pass;
mod published;
mod report;
pub mod rows;
mod study;
mod summary;
mod tables;
mod tally;
mod wanted_constraints;

use counter::Counter;
pub use figures::file_names;
pub use generated::Generated;
pub use pass::{Pass, Rows};
pub use report::publish;
pub use study::{STUDY, Selection, Study, Subject};
pub use wanted_constraints::{Finder, WantedConstraints};
