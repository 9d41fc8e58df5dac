use std::{fmt::Debug, sync::Arc};

use super::{NetworkError, Question, batch::Batch, inputs, model::Model, shape::Shape};
use crate::encoding::goal_policy::Aim;

/// The key in an ONNX file's `metadata_props` under which it names what it reads.
pub const INPUT_KEY: &str = "input";

/// What a network reads: how a question becomes numbers.
pub trait Input: Debug + Send + Sync {
    /// The shapes of one question, in the model's order.
    fn shapes(&self) -> Vec<Shape>;

    /// True if it shows the network all that it must see of `aim`.
    fn shows(&self, aim: &Aim) -> bool;

    /// Adds a row with the question to `batch`, which has the shapes above.
    fn write(&self, question: &Question<'_>, batch: &mut Batch);
}

/// An input of some sizes or other.
pub struct InputKind {
    /// The name in models' metadata.
    pub name: &'static str,
    /// Its shapes, in words.
    pub words: fn() -> String,
    /// The input of models that declare these shapes for one question; `None` if it has no such shapes.
    pub fitting: fn(&[Shape]) -> Option<Arc<dyn Input>>,
}

impl InputKind {
    fn words(&self) -> String {
        format!("{} ({})", self.name, (self.words)())
    }
}

/// The input that `model` reads: the one that its metadata names, or else the first one of its shapes.
///
/// # Errors
/// [`NetworkError::Shape`] if there is none.
pub fn input_of(model: &Model) -> Result<Arc<dyn Input>, NetworkError> {
    let rows: Option<Vec<Shape>> = model.input_rows().into_iter().collect();
    let fitting = |kind: &InputKind| rows.as_ref().and_then(|rows| (kind.fitting)(rows));
    let (expected, found) = match model.metadata(INPUT_KEY) {
        Some(name) => match inputs::ALL.iter().find(|kind| kind.name == name) {
            Some(kind) => match fitting(kind) {
                Some(input) => return Ok(input),
                None => (format!("the input {}", kind.words()), model.declared_inputs()),
            },
            None => {
                let names: Vec<&str> = inputs::ALL.iter().map(|kind| kind.name).collect();
                (format!("the input {}", names.join(" or ")), format!("'{name}'"))
            }
        },
        None => match inputs::ALL.iter().find_map(fitting) {
            Some(input) => return Ok(input),
            None => {
                let all: Vec<String> = inputs::ALL.iter().map(InputKind::words).collect();
                (format!("the input {}", all.join(" or ")), model.declared_inputs())
            }
        },
    };
    Err(NetworkError::shape(model.name(), expected, found))
}
