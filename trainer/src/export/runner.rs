use std::path::Path;

use anyhow::Context;
use entente::encoding::thesis::{LENGTH, SHAPE};
use tract_onnx::prelude::*;

/// A network running in tract, as it does in the engine: one position at a time.
pub struct Runner {
    state: TypedSimpleState,
    input: Tensor,
}

impl Runner {
    /// Loads an ONNX file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is no network from [1, 17, 8, 8] to [1, 1].
    pub fn open(path: &Path) -> TractResult<Runner> {
        let bytes = std::fs::read(path)?;
        Runner::new(&bytes)
    }

    /// Loads an ONNX model.
    ///
    /// # Errors
    ///
    /// If it is no network from [1, 17, 8, 8] to [1, 1].
    pub fn new(bytes: &[u8]) -> TractResult<Runner> {
        let [planes, rows, columns] = SHAPE;
        let shape = [1, planes, rows, columns];
        let model = tract_onnx::onnx()
            .model_for_read(&mut &bytes[..])?
            .with_input_fact(0, f32::fact(shape).into())?
            .into_optimized()?;
        let output = model.output_fact(0)?.shape.as_concrete().map(<[usize]>::to_vec);
        if output.as_deref() != Some(&[1, 1]) {
            anyhow::bail!("the output is {output:?}, expected [1, 1]");
        }
        let state = model.into_runnable()?.spawn()?;
        Ok(Runner { state, input: Tensor::zero::<f32>(&shape)? })
    }

    /// The probability for one input of 17×8×8 numbers.
    ///
    /// # Errors
    ///
    /// If tract cannot compute it.
    ///
    /// # Panics
    ///
    /// If the input has another length.
    pub fn run(&mut self, planes: &[f32]) -> TractResult<f32> {
        assert_eq!(planes.len(), LENGTH, "one input is 17×8×8 numbers");
        let mut input = self.input.as_plain_ram_mut().context("the input is in plain memory")?;
        input.as_slice_mut::<f32>()?.copy_from_slice(planes);
        let output = self.state.run(tvec!(self.input.clone().into()))?;
        Ok(output[0].view().as_slice::<f32>()?[0])
    }
}
