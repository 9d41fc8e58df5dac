//! Runs networks on the CPU. Our own layers compute most of a chess network, and operators that follow the
//! specification of ONNX the rest. Nothing depends on the processor: every machine computes the same bits.

mod fusion;
mod graph;
mod head;
mod layer;
mod matrix;
mod neighbours;
mod operators;
mod program;
mod steps;
mod tensor;
mod winograd;

#[cfg(test)]
mod tests;

use std::{fmt, iter, ops::Range, sync::Arc};

use fusion::fuse;
use graph::Graph;
use program::{Memory, Program as Instructions};

use super::{Program, Runner};
use crate::{
    NetworkError,
    batch::{ALL_SQUARES, Batch},
    memory,
    model::Model,
    panics::caught,
    shape::{Shape, Signature, by, length},
};

/// A model that is ready to run.
///
/// A run takes several rows if the result for each does not depend on the others. They share each read of the weights.
pub(super) struct Plan(Arc<Prepared>);

/// What the runners of a plan share.
struct Prepared {
    name: String,
    instructions: Instructions,
    signature: Signature,
    max_rows: usize,
}

/// The most rows of one run. A search can be stopped between runs.
const MAX_ROWS: usize = 16;

impl Plan {
    /// Prepares `model` and runs it.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub(super) fn new(model: &Model, signature: &Signature) -> Result<Plan, NetworkError> {
        let one_row = memory::check(model, &signature.inputs, 1)?;
        // The model itself may be for one row only.
        let two_rows = memory::check(model, &signature.inputs, 2).ok();
        let has_many = (2..=MAX_ROWS).all(|rows| memory::check(model, &signature.inputs, rows).is_ok());
        if let Some(two_rows) = two_rows.filter(|_| has_many)
            && let Ok(plan) = Plan::read(model, signature, &one_row, Some(&two_rows))
            && plan.rows_are_independent()
        {
            return Ok(plan);
        }
        Plan::read(model, signature, &one_row, None)
    }

    /// A plan for any number of rows with the sizes for two, and otherwise for one row.
    fn read(
        model: &Model,
        signature: &Signature,
        one_row: &memory::Sizes,
        two_rows: Option<&memory::Sizes>,
    ) -> Result<Plan, NetworkError> {
        let name = model.name();
        let graph = caught(|| {
            let mut graph = Graph::new(model, one_row, two_rows)?;
            fuse(&mut graph);
            Ok(graph)
        });
        let graph = graph.ok_or_else(|| NetworkError::gave_up(name))?;
        let graph = graph.map_err(|reason: String| NetworkError::model(name, reason))?;
        let plan = Plan(Arc::new(Prepared {
            name: name.to_owned(),
            instructions: Instructions::new(graph),
            signature: signature.clone(),
            max_rows: if two_rows.is_some() { MAX_ROWS } else { 1 },
        }));
        let zeros: Vec<Vec<f32>> = signature.inputs.iter().map(|shape| vec![0.0; length(shape)]).collect();
        let zeros: Vec<&[f32]> = zeros.iter().map(Vec::as_slice).collect();
        let shapes = plan.cpu().outputs(&zeros, &[ALL_SQUARES], &mut |_, _| ())?;
        for (expected, found) in signature.outputs.iter().zip(shapes) {
            let expected: Vec<usize> = iter::once(1).chain(expected.iter().copied()).collect();
            if found != expected {
                let expected = format!("an output of {} 32-bit floats", by(expected));
                return Err(NetworkError::shape(name, expected, by(found)));
            }
        }
        Ok(plan)
    }

    /// True if two rows together have the same results as each by itself.
    fn rows_are_independent(&self) -> bool {
        let shapes = &self.0.signature.inputs;
        let mut batch = Batch::new(shapes);
        for row in 0..2_usize {
            // Planes are mostly 0, and 1 where a man stands.
            let numbers = |shape: &Shape| -> Vec<f32> {
                (0..length(shape)).map(|place| f32::from((place + 5 * row) * 37 % 101 < 20)).collect()
            };
            let inputs: Vec<Vec<f32>> = shapes.iter().map(numbers).collect();
            batch.push(&inputs.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
        let results = |rows: Range<usize>| {
            let mut found = Vec::new();
            let mut read = |place: usize, numbers: &[f32]| found.push((place, numbers.to_vec()));
            self.cpu().rows(&batch, rows, &mut read).ok().map(|()| found)
        };
        let (Some(both), Some(first), Some(second)) = (results(0..2), results(0..1), results(1..2)) else {
            return false;
        };
        both.into_iter().zip(first.into_iter().zip(second)).all(|((_, both), ((_, first), (_, second)))| {
            let alone = first.iter().chain(&second).map(|number| number.to_bits());
            both.iter().map(|number| number.to_bits()).eq(alone)
        })
    }

    fn cpu(&self) -> Cpu {
        Cpu { prepared: Arc::clone(&self.0), memory: Memory::default() }
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("name", &self.0.name).finish_non_exhaustive()
    }
}

impl Program for Plan {
    fn runner(&self) -> Box<dyn Runner> {
        Box::new(self.cpu())
    }
}

/// Runs a plan on one thread.
struct Cpu {
    prepared: Arc<Prepared>,
    memory: Memory,
}

impl Cpu {
    /// Runs the plan on the rows that `wanted` has, with flat inputs, and passes each output to `read`. Returns the
    /// shapes of the outputs.
    fn outputs(
        &mut self,
        inputs: &[&[f32]],
        wanted: &[u64],
        read: &mut dyn FnMut(usize, &[f32]),
    ) -> Result<Vec<Vec<usize>>, NetworkError> {
        let Prepared { name, instructions, signature, .. } = &*self.prepared;
        let shapes = signature.inputs.iter();
        let shapes = shapes.map(|shape| iter::once(wanted.len()).chain(shape.iter().copied()).collect());
        let inputs: Vec<(Vec<usize>, &[f32])> = shapes.zip(inputs.iter().copied()).collect();
        let mut found = Vec::new();
        // After a panic the memory is not used again.
        let mut memory = std::mem::take(&mut self.memory);
        let result = caught(|| {
            instructions.run(&mut memory, &inputs, wanted, &mut |place, tensor| {
                found.push(tensor.shape.clone());
                read(place, tensor.as_floats()?);
                Ok(())
            })
        });
        let result = result.ok_or_else(|| NetworkError::gave_up(name))?;
        self.memory = memory;
        result.map(|()| found).map_err(|reason| NetworkError::model(name, reason))
    }

    /// Runs the plan on some rows of a batch, at most as many as it takes at once.
    fn rows(
        &mut self,
        batch: &Batch,
        rows: Range<usize>,
        read: &mut dyn FnMut(usize, &[f32]),
    ) -> Result<(), NetworkError> {
        let inputs: Vec<&[f32]> =
            (0..self.prepared.signature.inputs.len()).map(|input| batch.some(input, rows.clone())).collect();
        self.outputs(&inputs, batch.wanted(rows), read).map(|_| ())
    }
}

impl Runner for Cpu {
    fn max_rows(&self) -> usize {
        self.prepared.max_rows
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        let prepared = Arc::clone(&self.prepared);
        let Prepared { name, signature, max_rows, .. } = &*prepared;
        for first in (0..batch.rows()).step_by(*max_rows) {
            let rows = batch.rows().min(first + max_rows) - first;
            let mut fault = None;
            self.rows(batch, first..first + rows, &mut |place, numbers| match signature.check_output(
                name,
                place,
                numbers.len(),
                rows,
            ) {
                Ok(()) => {
                    let each = numbers.len() / rows;
                    numbers.chunks_exact(each.max(1)).enumerate().for_each(|(row, numbers)| {
                        read(first + row, place, numbers);
                    });
                }
                Err(error) => fault = fault.take().or(Some(error)),
            })?;
            if let Some(fault) = fault {
                return Err(fault);
            }
        }
        Ok(())
    }
}
