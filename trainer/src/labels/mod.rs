//! The file of soft labels: teachers' probabilities of the moves in positions of a store.
//!
//! [`LabelFile`] reads and writes the file, block by block; [`crate::labelling`] makes the labels. Networks learn from
//! them in addition to the moves that were played (Hinton et al. 2015, "Distilling the knowledge in a neural network").

mod file;
mod label;

pub use file::{Description, LabelError, LabelFile, TeacherFile};
pub use label::{GameLabels, Label, label_at, next_label};
