//! ONNX operators as their specification defines them, for everything that our layers do not compute.
//!
//! They are plain: nothing here depends on the processor, so every machine computes the same bits. To add an operator,
//! add its arm in the file of its family, and its size in [`crate::memory`].

mod arrays;
mod choices;
mod elements;
mod normalizations;
mod pairs;
mod places;
mod products;
mod reductions;
mod windows;

pub(super) use places::{padded, places};

use super::tensor::Tensor;
use crate::onnx::NodeProto;

/// Computes the outputs of a node from its inputs.
pub(super) type Operator = Box<dyn Fn(Inputs<'_>) -> Result<Vec<Tensor>, String> + Send + Sync>;

/// The inputs of a node, some of which may be left out.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a>(pub &'a [Option<&'a Tensor>]);

impl<'a> Inputs<'a> {
    /// Input number `place`.
    ///
    /// # Errors
    /// If it is left out.
    fn get(self, place: usize) -> Result<&'a Tensor, String> {
        self.optional(place).ok_or_else(|| format!("its input {} is missing", place + 1))
    }

    /// Input number `place`, which may be left out.
    fn optional(self, place: usize) -> Option<&'a Tensor> {
        self.0.get(place).copied().flatten()
    }

    /// All inputs that are not left out.
    fn all(self) -> Vec<&'a Tensor> {
        self.0.iter().copied().flatten().collect()
    }

    /// Integers that are an attribute, `given`, in older operator sets, and input `place` in newer ones.
    fn list(self, given: Option<&[i64]>, place: usize) -> Result<Option<Vec<i64>>, String> {
        match self.optional(place) {
            Some(value) => Ok(Some(value.as_integers()?.to_vec())),
            None => Ok(given.map(<[i64]>::to_vec)),
        }
    }
}

/// The operator of a node, in a graph with this operator set.
///
/// # Errors
/// If it is not known.
pub(super) fn operator(node: &NodeProto, operator_set: i64) -> Result<Operator, String> {
    if !matches!(node.domain.as_str(), "" | "ai.onnx") {
        return Err(format!("operators of '{}' are not supported", node.domain));
    }
    elements::operator(node)
        .or_else(|| pairs::operator(node))
        .or_else(|| arrays::operator(node))
        .or_else(|| choices::operator(node))
        .or_else(|| reductions::operator(node))
        .or_else(|| normalizations::operator(node, operator_set))
        .or_else(|| products::operator(node))
        .or_else(|| windows::operator(node))
        .ok_or_else(|| "this operator is not supported".to_owned())
}

/// An operator with one output.
fn one(compute: impl Fn(Inputs<'_>) -> Result<Tensor, String> + Send + Sync + 'static) -> Operator {
    Box::new(move |inputs| Ok(vec![compute(inputs)?]))
}

/// The place of an axis, which counts from the end if it is negative.
fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let place = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(place)
        .ok()
        .filter(|place| *place < rank)
        .ok_or_else(|| format!("its axis {axis} does not exist, the value has {rank}"))
}

/// The places of several axes.
fn axes(list: &[i64], rank: usize) -> Result<Vec<usize>, String> {
    list.iter().map(|&one| axis(one, rank)).collect()
}

/// How many outputs of a node are not left out.
fn outputs(node: &NodeProto) -> usize {
    node.output.iter().filter(|name| !name.is_empty()).count()
}

/// The product of sizes.
fn count(sizes: &[usize]) -> usize {
    sizes.iter().product()
}

#[cfg(test)]
mod tests;
