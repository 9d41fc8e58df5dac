//! Soft labels: the probabilities that teachers give the moves of the positions of a store.
//!
//! In come a store of games and teachers, each a policy that knows people of one rating. Out comes a file with the
//! likeliest moves of each position that a teacher knows: [`label_store`] writes it block by block, and can be stopped
//! and resumed; [`LabelFile`] reads it. Training learns from it beside the moves that were played (Hinton et al. 2015,
//! "Distilling the knowledge in a neural network").

mod file;
mod label;
mod make;
mod teachers;

pub use file::{Description, LabelError, LabelFile, TeacherFile};
pub use label::{GameLabels, Label, label_at, next_label};
pub use make::label_store;
pub use teachers::{TeacherName, Teachers, expected};
