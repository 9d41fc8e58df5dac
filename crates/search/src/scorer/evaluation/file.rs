use std::collections::HashMap;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::EvaluationError;

/// A tensor of a file: its name, type and shape.
pub(super) type Declared = (&'static str, Dtype, &'static [usize]);

/// The tensors of a network's file.
///
/// # Errors
/// [`EvaluationError::Useless`] if it is no safetensors file.
pub(super) fn parse<'a>(name: &str, bytes: &'a [u8]) -> Result<SafeTensors<'a>, EvaluationError> {
    SafeTensors::deserialize(bytes)
        .map_err(|error| EvaluationError::useless(name, format!("no safetensors file: {error:?}")))
}

/// The bytes of one tensor of the network `name`.
///
/// # Errors
/// [`EvaluationError::Shape`] if there is none, or it has another type or shape.
pub(super) fn tensor(
    name: &str,
    file: &SafeTensors<'_>,
    (tensor, dtype, shape): Declared,
) -> Result<Vec<u8>, EvaluationError> {
    let expected = format!("a tensor {tensor} of {dtype:?}, {shape:?}");
    let found =
        |found: String| EvaluationError::Shape { name: name.to_owned(), expected: expected.clone(), found };
    let view = file.tensor(tensor).map_err(|_| found("none of that name".to_owned()))?;
    if view.dtype() != dtype || view.shape() != shape {
        return Err(found(format!("{:?}, {:?}", view.dtype(), view.shape())));
    }
    Ok(view.data().to_vec())
}

/// A file of these tensors; `origin` says in it how the network was made.
///
/// # Panics
/// If a tensor has another number of bytes than its type and shape say.
pub(super) fn write(tensors: &[(Declared, Vec<u8>)], origin: Option<String>) -> Vec<u8> {
    // One entry alone: a hash map of several would be written in another order each time.
    let metadata = origin.map(|origin| HashMap::from([("origin".to_owned(), origin)]));
    let views = tensors.iter().map(|((name, dtype, shape), data)| {
        (*name, TensorView::new(*dtype, shape.to_vec(), data).expect("as many numbers as the shape says"))
    });
    safetensors::serialize(views, &metadata).expect("tensors of known shapes")
}
