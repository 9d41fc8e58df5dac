//! Soft labels: teachers' probabilities of the moves in positions of a store.
//!
//! The inputs are a store of games and teachers, which are policies that each predict players of one rating. The output
//! is a file with the most likely moves of positions. [`label_store`] writes it block by block, and can be stopped and
//! resumed. [`LabelFile`] reads it. Networks learn from it in addition to the moves that were played (Hinton et al.
//! 2015, "Distilling the knowledge in a neural network").

mod file;
mod label;
mod make;
mod teachers;

pub use file::{Description, LabelError, LabelFile, TeacherFile};
pub use label::{GameLabels, Label, label_at, next_label};
pub use make::label_store;
pub use teachers::{TeacherName, Teachers, expected};
