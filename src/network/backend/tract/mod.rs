//! tract: networks on the CPU, one row after another. Convolutions on boards are our own.

mod convolution;
mod winograd;

use std::{iter, sync::Arc};

use convolution::quicken;
use tract_onnx::prelude::*;

use super::{Program, Runner};
use crate::network::{
    NetworkError,
    batch::Batch,
    model::Model,
    panics::caught,
    shape::{Shape, Signature, by},
};

/// A model that tract has optimised for one row at a time, with fixed shapes.
///
/// For convolutions on boards nothing is faster: ours take as long for each of many boards, and what tract does itself
/// takes longer in larger batches. A network that is made of matrices would gain from another plan, for batches of a fixed size: [`Runner::most_rows`] is then that
/// size, and rows that do not fill a batch go through this one.
#[derive(Debug)]
pub struct Plan {
    name: String,
    plan: Arc<TypedSimplePlan>,
    signature: Signature,
}

impl Plan {
    /// Optimises `model` and runs it once.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub fn new(model: &Model, signature: &Signature) -> Result<Plan, NetworkError> {
        let name = model.name();
        caught(|| Plan::read(model, signature)).unwrap_or_else(|| Err(NetworkError::gave_up(name)))
    }

    fn read(model: &Model, signature: &Signature) -> Result<Plan, NetworkError> {
        let name = model.name();
        let model_error = |error: TractError| NetworkError::model(name, format!("{error:#}"));
        let mut graph = tract_onnx::onnx().model_for_proto_model(model.proto()).map_err(model_error)?;
        for (index, shape) in signature.inputs.iter().enumerate() {
            graph.set_input_fact(index, f32::fact(one_row(shape)).into()).map_err(model_error)?;
        }
        let plan = optimised(graph).map_err(model_error)?;
        let zeros =
            signature.inputs.iter().map(|shape| Tensor::zero::<f32>(&one_row(shape)).map(TValue::from));
        let zeros = zeros.collect::<TractResult<TVec<TValue>>>().map_err(model_error)?;
        let found = plan.run(zeros).map_err(model_error)?;
        for (expected, found) in signature.outputs.iter().zip(&found) {
            let expected = one_row(expected);
            if found.datum_type() != f32::datum_type() || found.shape() != expected {
                let expected = format!("an output of {} 32-bit floats", by(expected));
                return Err(NetworkError::shape(name, expected, format!("{found:?}")));
            }
        }
        Ok(Plan { name: name.to_owned(), plan, signature: signature.clone() })
    }
}

/// A plan of the graph, with our own convolutions where these are quicker.
fn optimised(graph: InferenceModel) -> TractResult<Arc<TypedSimplePlan>> {
    let mut graph = graph.into_typed()?.into_decluttered()?;
    quicken(&mut graph)?;
    graph.into_optimized()?.into_runnable()
}

/// The shape of a batch of one.
fn one_row(shape: &Shape) -> Vec<usize> {
    iter::once(1).chain(shape.iter().copied()).collect()
}

impl Program for Plan {
    fn runner(&self) -> Box<dyn Runner> {
        Box::new(Tract {
            name: self.name.clone(),
            plan: Arc::clone(&self.plan),
            inputs: self.signature.inputs.iter().map(one_row).collect(),
            signature: self.signature.clone(),
            state: None,
        })
    }
}

/// A plan at work.
struct Tract {
    name: String,
    plan: Arc<TypedSimplePlan>,
    inputs: Vec<Vec<usize>>,
    signature: Signature,
    /// `None` before the first run and after a failed one, which may leave it half-way.
    state: Option<TypedSimpleState>,
}

impl Runner for Tract {
    fn most_rows(&self) -> usize {
        1
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        let model_error = |error: TractError| NetworkError::model(&self.name, format!("{error:#}"));
        for row in 0..batch.rows() {
            let (plan, state, shapes) = (&self.plan, self.state.take(), &self.inputs);
            let (outputs, state) = caught(|| run(plan, state, shapes, batch, row))
                .ok_or_else(|| NetworkError::gave_up(&self.name))?
                .map_err(model_error)?;
            self.state = Some(state);
            for (place, output) in outputs.iter().enumerate() {
                let view = output.view();
                let numbers = view.as_slice::<f32>().map_err(model_error)?;
                self.signature.check_output(&self.name, place, numbers.len(), 1)?;
                read(row, place, numbers);
            }
        }
        Ok(())
    }
}

fn run(
    plan: &Arc<TypedSimplePlan>,
    state: Option<TypedSimpleState>,
    shapes: &[Vec<usize>],
    batch: &Batch,
    row: usize,
) -> TractResult<(TVec<TValue>, TypedSimpleState)> {
    let mut state = state.map_or_else(|| plan.spawn(), Ok)?;
    let tensors = shapes
        .iter()
        .enumerate()
        .map(|(input, shape)| Tensor::from_shape(shape, batch.row(input, row)).map(TValue::from));
    let outputs = state.run(tensors.collect::<TractResult<_>>()?)?;
    Ok((outputs, state))
}
