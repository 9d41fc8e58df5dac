use std::sync::Arc;

use tract_onnx::{prelude::*, tract_hir::infer::Factoid};

use super::{NetworkError, panics::caught};

/// An ONNX model, optimised by tract for batches of one, with inputs and outputs of fixed shapes.
#[derive(Debug)]
pub(super) struct Model {
    name: String,
    plan: Arc<TypedSimplePlan>,
    inputs: Vec<Vec<usize>>,
}

impl Model {
    /// Reads an ONNX model and runs it once, so that a network that loads also evaluates.
    ///
    /// `inputs` and `outputs` are the shapes that it must have, in its order.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub fn new(
        name: &str,
        bytes: &[u8],
        inputs: &[&[usize]],
        outputs: &[&[usize]],
    ) -> Result<Model, NetworkError> {
        caught(|| Model::read(name, bytes, inputs, outputs))
            .unwrap_or_else(|| Err(NetworkError::gave_up(name)))
    }

    fn read(
        name: &str,
        bytes: &[u8],
        inputs: &[&[usize]],
        outputs: &[&[usize]],
    ) -> Result<Model, NetworkError> {
        let model_error =
            |error: TractError| NetworkError::Model { name: name.to_owned(), reason: format!("{error:#}") };
        let shape_error =
            |expected: String, found: String| NetworkError::Shape { name: name.to_owned(), expected, found };

        let mut model = tract_onnx::onnx().model_for_read(&mut &*bytes).map_err(model_error)?;
        let found = (model.inputs.len(), model.outputs.len());
        if found != (inputs.len(), outputs.len()) {
            let expected =
                format!("{} and {}", number(inputs.len(), "input"), number(outputs.len(), "output"));
            return Err(shape_error(expected, format!("{} and {}", found.0, found.1)));
        }
        for (index, expected) in inputs.iter().enumerate() {
            let declared = model.input_fact(index).map_err(model_error)?.shape.concretize();
            let found = declared.map(|shape| by(shape.iter()));
            if found.as_ref() != Some(&by(expected.iter())) {
                let found = found.unwrap_or("an unknown shape".to_owned());
                return Err(shape_error(format!("an input of {}", by(expected.iter())), found));
            }
            model.set_input_fact(index, f32::fact(*expected).into()).map_err(model_error)?;
        }
        let plan = model.into_optimized().and_then(|model| model.into_runnable()).map_err(model_error)?;
        let zeros = inputs.iter().map(|shape| Tensor::zero::<f32>(shape).map(TValue::from));
        let zeros = zeros.collect::<TractResult<TVec<TValue>>>().map_err(model_error)?;
        let found = plan.run(zeros).map_err(model_error)?;
        for (expected, found) in outputs.iter().zip(&found) {
            if found.datum_type() != f32::datum_type() || found.shape() != *expected {
                let expected = format!("an output of {} 32-bit floats", by(expected.iter()));
                return Err(shape_error(expected, format!("{found:?}")));
            }
        }
        let inputs = inputs.iter().map(|shape| shape.to_vec()).collect();
        Ok(Model { name: name.to_owned(), plan, inputs })
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A session, which runs the model on one input after another; every thread needs its own.
    pub fn session(&self) -> ModelSession {
        ModelSession {
            name: self.name.clone(),
            plan: Arc::clone(&self.plan),
            inputs: self.inputs.clone(),
            state: None,
        }
    }
}

/// A model at work in tract.
///
/// That a model ran when it was loaded does not prove that it runs on every input: a table may be
/// indexed by what is computed. So every run may fail, and a panic within tract is a failure like others.
pub(super) struct ModelSession {
    name: String,
    plan: Arc<TypedSimplePlan>,
    inputs: Vec<Vec<usize>>,
    /// `None` before the first run and after a failed one, which may leave it half-way.
    state: Option<TypedSimpleState>,
}

impl ModelSession {
    /// Runs the model on flat inputs and gives `read` each of its outputs with its place, flat too and just as they
    /// come: a broken network may give anything.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute it, [`NetworkError::Shape`] if an input has another length.
    /// The next run starts afresh.
    pub fn run(
        &mut self,
        inputs: &[&[f32]],
        mut read: impl FnMut(usize, &[f32]),
    ) -> Result<(), NetworkError> {
        for (input, shape) in inputs.iter().zip(&self.inputs) {
            let length: usize = shape.iter().product();
            if input.len() != length {
                return Err(NetworkError::Shape {
                    name: self.name.clone(),
                    expected: format!("an input of {length} numbers"),
                    found: input.len().to_string(),
                });
            }
        }
        let (plan, state, shapes) = (&self.plan, self.state.take(), &self.inputs);
        let (outputs, state) = caught(|| run(plan, state, shapes, inputs))
            .ok_or_else(|| NetworkError::gave_up(&self.name))?
            .map_err(|error| NetworkError::Model { name: self.name.clone(), reason: format!("{error:#}") })?;
        self.state = Some(state);
        for (index, output) in outputs.iter().enumerate() {
            let view = output.view();
            let numbers = view.as_slice::<f32>().map_err(|error| NetworkError::Model {
                name: self.name.clone(),
                reason: format!("{error:#}"),
            })?;
            read(index, numbers);
        }
        Ok(())
    }
}

fn run(
    plan: &Arc<TypedSimplePlan>,
    state: Option<TypedSimpleState>,
    shapes: &[Vec<usize>],
    inputs: &[&[f32]],
) -> TractResult<(TVec<TValue>, TypedSimpleState)> {
    let mut state = state.map_or_else(|| plan.spawn(), Ok)?;
    let tensors =
        shapes.iter().zip(inputs).map(|(shape, input)| Tensor::from_shape(shape, input).map(TValue::from));
    let outputs = state.run(tensors.collect::<TractResult<_>>()?)?;
    Ok((outputs, state))
}

/// Sizes as `1×17×8×8`.
fn by<T: ToString>(sizes: impl Iterator<Item = T>) -> String {
    sizes.map(|size| size.to_string()).collect::<Vec<_>>().join("×")
}

fn number(count: usize, thing: &str) -> String {
    match count {
        1 => format!("one {thing}"),
        count => format!("{count} {thing}s"),
    }
}
