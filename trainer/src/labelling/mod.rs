//! Makes soft labels: teachers' probabilities of the moves in positions of a store.
//!
//! The inputs are a store of games and teachers, which are policies that each predict players of one rating. The output
//! is a file with the most likely moves of positions ([`crate::labels`]). [`label_store`] writes it block by block, and
//! can be stopped and resumed.

mod make;
mod teachers;

pub use make::label_store;
pub use teachers::{TeacherName, Teachers, expected};
