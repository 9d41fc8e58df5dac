//! The inputs of networks, one file each. An input encodes a query as the numbers that the network reads. The
//! encodings themselves are in [`crate::encoding`], because the trainer uses them, too.
//!
//! To add an input, implement `Input` in a file here, and add its `KIND` to `ALL`. A model names its input in its
//! metadata.

mod goal_policy;
mod lc0;
mod thesis;
mod transformer;

pub use goal_policy::NAME as GOAL_POLICY;
pub use lc0::NAME as LC0;
pub use thesis::{NAME as THESIS, aim_of_counts};
pub use transformer::NAME as TRANSFORMER;

use std::sync::Arc;

use super::{
    NetworkError,
    input::{Input, InputKind},
    model::Model,
    shape::Shape,
};

/// The key in an ONNX file's `metadata_props` whose value is the name of the input.
pub const INPUT_KEY: &str = "input";

/// All inputs. A model that names none has the first one that fits its shapes.
const ALL: [InputKind; 4] = [goal_policy::KIND, thesis::KIND, transformer::KIND, lc0::KIND];

/// The input of `model`: the one that its metadata names or, if they name none, the first one that fits its shapes.
///
/// # Errors
/// [`NetworkError::Shape`] if the name is unknown or the shapes do not fit.
pub(super) fn input_of(model: &Model) -> Result<Arc<dyn Input>, NetworkError> {
    let rows: Option<Vec<Shape>> = model.input_rows().into_iter().collect();
    let fitting = |kind: &InputKind| rows.as_ref().and_then(|rows| (kind.fitting)(rows));
    let (expected, found) = match model.metadata(INPUT_KEY) {
        Some(name) => match ALL.iter().find(|kind| kind.name == name) {
            Some(kind) => match fitting(kind) {
                Some(input) => return Ok(input),
                None => (format!("the input {}", kind.described()), model.declared_inputs()),
            },
            None => {
                let names: Vec<&str> = ALL.iter().map(|kind| kind.name).collect();
                (format!("the input {}", names.join(" or ")), format!("'{name}'"))
            }
        },
        None => match ALL.iter().find_map(fitting) {
            Some(input) => return Ok(input),
            None => {
                let all: Vec<String> = ALL.iter().map(InputKind::described).collect();
                (format!("the input {}", all.join(" or ")), model.declared_inputs())
            }
        },
    };
    Err(NetworkError::shape(model.name(), expected, found))
}
