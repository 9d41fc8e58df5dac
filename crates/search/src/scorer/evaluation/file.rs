use std::collections::HashMap;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::EvaluationError;

/// A tensor of a file: its name, type and shape.
pub(in crate::scorer) type Declared = (&'static str, Dtype, &'static [usize]);

/// The tensors of a network's file.
///
/// # Errors
/// [`EvaluationError::Useless`] if it is not a safetensors file.
pub(in crate::scorer) fn parse<'a>(name: &str, bytes: &'a [u8]) -> Result<SafeTensors<'a>, EvaluationError> {
    SafeTensors::deserialize(bytes)
        .map_err(|error| EvaluationError::useless(name, format!("not a safetensors file: {error:?}")))
}

/// The bytes of one tensor of the network `name`.
///
/// # Errors
/// [`EvaluationError::Shape`] if the tensor is missing, or has another type or shape.
pub(in crate::scorer) fn tensor(
    name: &str,
    file: &SafeTensors<'_>,
    (tensor, dtype, shape): Declared,
) -> Result<Vec<u8>, EvaluationError> {
    let expected = format!("a tensor {tensor} of {dtype:?}, {shape:?}");
    let found =
        |found: String| EvaluationError::Shape { name: name.to_owned(), expected: expected.clone(), found };
    let view = file.tensor(tensor).map_err(|_| found("no tensor of that name".to_owned()))?;
    if view.dtype() != dtype || view.shape() != shape {
        return Err(found(format!("{:?}, {:?}", view.dtype(), view.shape())));
    }
    Ok(view.data().to_vec())
}

/// A file with these tensors, and with `origin`, a text on how the network was made, in its metadata.
///
/// # Panics
/// If the number of bytes of a tensor does not match its type and shape.
pub(in crate::scorer) fn write(tensors: &[(Declared, Vec<u8>)], origin: Option<String>) -> Vec<u8> {
    // There must be only one entry, because a hash map with several is written in random order.
    let metadata = origin.map(|origin| HashMap::from([("origin".to_owned(), origin)]));
    let views = tensors.iter().map(|((name, dtype, shape), data)| {
        (*name, TensorView::new(*dtype, shape.to_vec(), data).expect("the data matches the shape"))
    });
    safetensors::serialize(views, &metadata).expect("tensors of known shapes")
}
