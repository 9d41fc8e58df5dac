//! Positions and what an engine says of them, from which evaluation networks learn.
//!
//! In come games whose moves have evaluations, and tables of positions; out comes a store of [`LabelledPosition`]s, each
//! position once. Positions of a game belong to the game's [`Split`](crate::games::Split) for ever.

mod build;
mod position;
mod store;
mod table;
mod text;

pub use build::{Builder, Counts};
pub use position::{LabelledPosition, SCORE_BOUND};
pub use store::{Description, EvaluationStore, EvaluationStoreError};
pub use table::{Row, TableError, read_table};
pub use text::evaluation;
