//! Runs networks on the CPU with tract. Our own operators compute most layers of a chess network and the operations
//! between them.

mod fusion;
mod head;
mod matrix;
mod neighbours;
mod operator;
mod steps;
mod winograd;

use std::{iter, ops::Range, sync::Arc};

use fusion::quicken;
use tract_onnx::prelude::*;

use super::{Program, Runner};
use crate::{
    NetworkError,
    batch::{ALL_SQUARES, Batch},
    memory,
    model::Model,
    panics::caught,
    shape::{Shape, Signature, by},
};

/// A model that tract has optimised.
///
/// If our own operators do nearly all of the work, a run takes several rows. They share each read of the weights, and
/// the result for a row does not depend on the others. tract's own operators take longer for a batch than for its rows
/// one by one. If they do much of the work, the plan is for one row.
#[derive(Debug)]
pub(super) struct Plan {
    name: String,
    plan: Arc<TypedSimplePlan>,
    signature: Signature,
    max_rows: usize,
}

/// The most rows of one run, in a plan for any number. A search can be stopped between runs.
const MAX_ROWS: usize = 16;

impl Plan {
    /// Optimises `model` and runs it once.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub(super) fn new(model: &Model, signature: &Signature) -> Result<Plan, NetworkError> {
        let name = model.name();
        memory::check(model, &signature.inputs, 1)?;
        // The model itself may be for one row only.
        if memory::check(model, &signature.inputs, MAX_ROWS).is_ok()
            && let Some(Ok(plan)) = caught(|| Plan::read(model, signature, true))
        {
            return Ok(plan);
        }
        caught(|| Plan::read(model, signature, false)).unwrap_or_else(|| Err(NetworkError::gave_up(name)))
    }

    /// A plan for one row or, with `for_many`, for any number. The latter is an error unless our own operators do
    /// nearly all of the work.
    fn read(model: &Model, signature: &Signature, for_many: bool) -> Result<Plan, NetworkError> {
        let name = model.name();
        let model_error = |error: TractError| NetworkError::model(name, format!("{error:#}"));
        let mut graph = tract_onnx::onnx().model_for_proto_model(model.proto()).map_err(model_error)?;
        let rows = if for_many { graph.symbols.sym("rows").to_dim() } else { 1.to_dim() };
        for (index, shape) in signature.inputs.iter().enumerate() {
            let sizes: TVec<TDim> = iter::once(rows.clone()).chain(shape.iter().map(ToDim::to_dim)).collect();
            graph.set_input_fact(index, f32::fact(sizes).into()).map_err(model_error)?;
        }
        for output in 0..graph.outputs.len() {
            // The shapes of outputs in the file may be for one row.
            graph.set_output_fact(output, InferenceFact::default()).map_err(model_error)?;
        }
        let plan = optimised(graph, for_many).map_err(model_error)?;
        let zeros =
            signature.inputs.iter().map(|shape| Tensor::zero::<f32>(&one_row(shape)).map(TValue::from));
        let zeros = zeros.collect::<TractResult<TVec<TValue>>>().map_err(model_error)?;
        let zeros = with_wanted(&plan, zeros, &[ALL_SQUARES]).map_err(model_error)?;
        let found = plan.run(zeros).map_err(model_error)?;
        for (expected, found) in signature.outputs.iter().zip(&found) {
            let expected = one_row(expected);
            if found.datum_type() != f32::datum_type() || found.shape() != expected {
                let expected = format!("an output of {} 32-bit floats", by(expected));
                return Err(NetworkError::shape(name, expected, format!("{found:?}")));
            }
        }
        let max_rows = if for_many { MAX_ROWS } else { 1 };
        Ok(Plan { name: name.to_owned(), plan, signature: signature.clone(), max_rows })
    }
}

/// A plan of the graph that uses our own operators where they are faster. It is an error if the plan is `for_many` rows
/// and much of the work is left to tract.
fn optimised(graph: InferenceModel, for_many: bool) -> TractResult<Arc<TypedSimplePlan>> {
    let mut graph = graph.into_typed()?.into_decluttered()?;
    let is_ours = quicken(&mut graph)?;
    if for_many && !is_ours {
        return Err(TractError::msg("tract's own operators are faster row by row"));
    }
    graph.into_optimized()?.into_runnable()
}

/// The shape of a batch of one.
fn one_row(shape: &Shape) -> Vec<usize> {
    many_rows(1, shape)
}

/// The shape of a batch of `rows`.
fn many_rows(rows: usize, shape: &Shape) -> Vec<usize> {
    iter::once(rows).chain(shape.iter().copied()).collect()
}

impl Program for Plan {
    fn runner(&self) -> Box<dyn Runner> {
        Box::new(Tract {
            name: self.name.clone(),
            plan: Arc::clone(&self.plan),
            signature: self.signature.clone(),
            max_rows: self.max_rows,
            state: None,
        })
    }
}

/// Runs a plan on one thread.
struct Tract {
    name: String,
    plan: Arc<TypedSimplePlan>,
    signature: Signature,
    max_rows: usize,
    /// `None` before the first run and after a failed one, which may leave an inconsistent state.
    state: Option<TypedSimpleState>,
}

impl Runner for Tract {
    fn max_rows(&self) -> usize {
        self.max_rows
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        let model_error = |error: TractError| NetworkError::model(&self.name, format!("{error:#}"));
        for first in (0..batch.rows()).step_by(self.max_rows) {
            let rows = self.max_rows.min(batch.rows() - first);
            let (plan, state, shapes) = (&self.plan, self.state.take(), &self.signature.inputs);
            let (outputs, state) = caught(|| run(plan, state, shapes, batch, first..first + rows))
                .ok_or_else(|| NetworkError::gave_up(&self.name))?
                .map_err(model_error)?;
            self.state = Some(state);
            for (place, output) in outputs.iter().enumerate() {
                let view = output.view();
                let numbers = view.as_slice::<f32>().map_err(model_error)?;
                self.signature.check_output(&self.name, place, numbers.len(), rows)?;
                for (row, numbers) in numbers.chunks_exact(numbers.len() / rows).enumerate() {
                    read(first + row, place, numbers);
                }
            }
        }
        Ok(())
    }
}

fn run(
    plan: &Arc<TypedSimplePlan>,
    state: Option<TypedSimpleState>,
    shapes: &[Shape],
    batch: &Batch,
    rows: Range<usize>,
) -> TractResult<(TVec<TValue>, TypedSimpleState)> {
    let mut state = state.map_or_else(|| plan.spawn(), Ok)?;
    let tensors = shapes.iter().enumerate().map(|(input, shape)| {
        Tensor::from_shape(&many_rows(rows.len(), shape), batch.some(input, rows.clone())).map(TValue::from)
    });
    let inputs = with_wanted(plan, tensors.collect::<TractResult<_>>()?, batch.wanted(rows.clone()))?;
    let outputs = state.run(inputs)?;
    Ok((outputs, state))
}

/// The inputs, with the wanted squares of each row appended if the plan has an input for them.
fn with_wanted(
    plan: &TypedSimplePlan,
    mut inputs: TVec<TValue>,
    wanted: &[u64],
) -> TractResult<TVec<TValue>> {
    if plan.model().inputs.len() > inputs.len() {
        inputs.push(Tensor::from_shape(&[wanted.len()], wanted)?.into());
    }
    Ok(inputs)
}
