//! A graph that is ready to run: the order of its work, and when each value is no longer needed.

use super::{
    graph::{Graph, Node, Value, ValueId, Work},
    layer::{Fused, Layer, Rows},
    operators::Inputs,
    tensor::{Elements, Tensor},
    winograd::Scratch,
};

/// What a model computes, in order.
pub(super) struct Program {
    instructions: Vec<Instruction>,
    /// The constants, by the numbers of values.
    constants: Vec<Option<Tensor>>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
}

/// A node with what running it needs.
struct Instruction {
    /// The name and operator, for messages.
    name: String,
    work: Work,
    inputs: Vec<Option<ValueId>>,
    outputs: Vec<ValueId>,
    /// The shape of the first output.
    shape: Rows,
    /// The values that nothing reads after it.
    last_uses: Vec<ValueId>,
}

impl Instruction {
    /// The input that the steps can change in place, because there is no layer and nothing else needs it.
    fn changed_in_place(&self) -> Option<ValueId> {
        let (input, operands) = self.inputs.split_first()?;
        let is_free = matches!(&self.work, Work::Fused(Fused { layer: Layer::None, .. }))
            && self.last_uses.contains(&(*input)?)
            && !operands.contains(input);
        input.filter(|_| is_free)
    }
}

/// The memory of one thread: values, and buffers for those to come.
#[derive(Default)]
pub(super) struct Memory {
    values: Vec<Option<Tensor>>,
    spare: Vec<Vec<f32>>,
    scratch: Scratch,
}

/// The most buffers that are kept, and the most numbers in all of them, which take 64 MiB.
const MAX_SPARE: (usize, usize) = (64, 1 << 24);

impl Program {
    /// The program of a graph.
    pub(super) fn new(graph: Graph<'_>) -> Program {
        let Graph { nodes, values, inputs, outputs } = graph;
        let shape = |id: &ValueId| values[*id].shape.clone();
        let mut instructions: Vec<Instruction> = nodes
            .into_iter()
            .flatten()
            .map(|Node { proto, work, inputs, outputs }| Instruction {
                name: crate::memory::called(proto),
                shape: outputs.first().map(shape).unwrap_or_default(),
                work,
                inputs,
                outputs,
                last_uses: Vec::new(),
            })
            .collect();
        let mut is_needed = vec![false; values.len()];
        outputs.iter().for_each(|id| is_needed[*id] = true);
        for instruction in instructions.iter_mut().rev() {
            for id in instruction.inputs.iter().flatten().chain(&instruction.outputs) {
                let is_kept = std::mem::replace(&mut is_needed[*id], true) || values[*id].constant.is_some();
                if !is_kept {
                    instruction.last_uses.push(*id);
                }
            }
        }
        // Layers have their own copies of their weights.
        let is_read = |value: Value| value.constant.filter(|_| value.uses > 0);
        let constants = values.into_iter().map(is_read).collect();
        Program { instructions, constants, inputs, outputs }
    }

    /// Runs the program on `rows` rows and passes the outputs to `read`, by their numbers. `inputs` are flat, and
    /// `wanted` has the wanted squares of each row.
    ///
    /// # Errors
    /// If an operator cannot compute its inputs, for example an index out of range.
    pub(super) fn run(
        &self,
        memory: &mut Memory,
        inputs: &[(Vec<usize>, &[f32])],
        wanted: &[u64],
        read: &mut dyn FnMut(usize, &Tensor) -> Result<(), String>,
    ) -> Result<(), String> {
        memory.values.clear();
        memory.values.resize(self.constants.len(), None);
        for (id, (shape, numbers)) in self.inputs.iter().zip(inputs) {
            let mut buffer = memory.buffer(numbers.len());
            buffer.copy_from_slice(numbers);
            memory.values[*id] = Some(Tensor::floats(shape.clone(), buffer));
        }
        for instruction in &self.instructions {
            self.follow(instruction, memory, wanted)
                .map_err(|reason| format!("{}: {reason}", instruction.name))?;
            instruction.last_uses.iter().for_each(|id| memory.free(*id));
        }
        for (place, id) in self.outputs.iter().enumerate() {
            read(place, self.value(memory, *id)?)?;
        }
        (0..memory.values.len()).for_each(|id| memory.free(id));
        Ok(())
    }

    fn value<'a>(&'a self, memory: &'a Memory, id: ValueId) -> Result<&'a Tensor, String> {
        let value = memory.values[id].as_ref().or(self.constants[id].as_ref());
        value.ok_or_else(|| "a value that it reads was not given".to_owned())
    }

    /// Computes the outputs of an instruction.
    fn follow(&self, instruction: &Instruction, memory: &mut Memory, wanted: &[u64]) -> Result<(), String> {
        let Instruction { work, inputs, outputs, shape, last_uses, .. } = instruction;
        let rows = wanted.len();
        match work {
            Work::Plain(compute) => {
                let given = inputs.iter().map(|id| id.map(|id| self.value(memory, id)).transpose());
                let given = given.collect::<Result<Vec<_>, _>>()?;
                let results = compute(Inputs(&given))?;
                outputs.iter().zip(results).for_each(|(id, result)| memory.values[*id] = Some(result));
                return Ok(());
            }
            Work::View => {
                let input = inputs[0].ok_or("its input is missing")?;
                let taken = if last_uses.contains(&input) { memory.values[input].take() } else { None };
                let tensor = match taken {
                    Some(tensor) => tensor,
                    None => self.value(memory, input)?.clone(),
                };
                memory.values[outputs[0]] = Some(tensor.reshaped(shape.sizes(rows))?);
                return Ok(());
            }
            Work::Fused(_) | Work::Head(_) => {}
        }
        let sizes = shape.sizes(rows);
        if let Some(input) = instruction.changed_in_place()
            && let Work::Fused(fused) = work
            && let Some(taken) = memory.values[input].take()
        {
            let Elements::Floats(mut output) = taken.elements else {
                return Err("expected floats, found integers".to_owned());
            };
            let operands = inputs[1..].iter().flatten().map(|id| self.value(memory, *id)?.as_floats());
            fused.take_steps(&operands.collect::<Result<Vec<_>, _>>()?, rows, &mut output);
            memory.values[outputs[0]] = Some(Tensor::floats(sizes, output));
            return Ok(());
        }
        let mut output = memory.buffer(sizes.iter().product());
        let mut scratch = std::mem::take(&mut memory.scratch);
        let given = inputs.iter().flatten().map(|id| self.value(memory, *id)?.as_floats());
        let given = given.collect::<Result<Vec<_>, _>>()?;
        let (input, operands) = given.split_first().ok_or("its input is missing")?;
        match work {
            Work::Fused(fused) => fused.compute(input, operands, rows, &mut scratch, &mut output),
            Work::Head(head) => {
                output.fill(0.0);
                head.compute(input, operands, wanted, &mut output);
            }
            Work::Plain(_) | Work::View => unreachable!("done above"),
        }
        memory.scratch = scratch;
        memory.values[outputs[0]] = Some(Tensor::floats(sizes, output));
        Ok(())
    }
}

impl Memory {
    /// A buffer of this length, whose contents are of no use.
    fn buffer(&mut self, length: usize) -> Vec<f32> {
        // A program asks for the same lengths again and again, and a buffer of just this length needs no filling.
        let place = self.spare.iter().rposition(|buffer| buffer.len() == length);
        place.map_or_else(|| vec![0.0; length], |place| self.spare.remove(place))
    }

    /// Keeps the memory of a value that is no longer needed.
    fn free(&mut self, id: ValueId) {
        if let Some(Tensor { elements: Elements::Floats(numbers), .. }) = self.values[id].take() {
            let (buffers, total) = MAX_SPARE;
            let mut kept = numbers.len() + self.spare.iter().map(Vec::len).sum::<usize>();
            while !self.spare.is_empty() && (self.spare.len() >= buffers || kept > total) {
                kept -= self.spare.remove(0).len();
            }
            if kept <= total {
                self.spare.push(numbers);
            }
        }
    }
}
