//! Elementwise steps on an output while it is still in the cache: sums, products and rectifiers.

use std::ops::Range;

use entente_search::vectors::{Vector, Work, for_vectors};

/// A binary operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Max,
}

/// An elementwise operation on a row of an output, with an operand that is broadcast to it: each number of the operand
/// applies to `each` consecutive numbers, and the operand repeats from its start when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub operation: Operation,
    pub each: usize,
    /// Whether each row has its own operand.
    pub has_rows: bool,
}

impl Step {
    /// The step that combines a row of shape `output` with an operand of shape `operand`, which is broadcast to it;
    /// `None` if a number of the operand would not apply to consecutive numbers.
    pub(super) fn new(
        operation: Operation,
        output: &[usize],
        operand: &[usize],
        has_rows: bool,
    ) -> Option<Step> {
        if operand.len() != output.len() {
            return None;
        }
        let is_kept = |axis: &usize| operand[*axis] != 1;
        let kept: Range<usize> = match ((0..operand.len()).find(is_kept), (0..operand.len()).rfind(is_kept)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        };
        let fits = operand[kept.clone()] == output[kept.clone()];
        let behind = if kept.is_empty() { 0 } else { kept.end };
        fits.then(|| Step { operation, each: output[behind..].iter().product(), has_rows })
    }
}

/// Applies all steps, each with its operand, to all rows.
pub(super) fn take(steps: &[Step], operands: &[&[f32]], rows: usize, numbers: &mut [f32]) {
    for_vectors(Taking { steps, operands, rows, numbers });
}

/// The arguments of the vectorised steps.
struct Taking<'a> {
    steps: &'a [Step],
    operands: &'a [&'a [f32]],
    rows: usize,
    numbers: &'a mut [f32],
}

impl Work for Taking<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Taking { steps, operands, rows, numbers } = self;
        let length = numbers.len() / rows;
        for (row, numbers) in numbers.chunks_exact_mut(length).enumerate() {
            take_with_row(steps, operands, row, rows, numbers);
        }
    }
}

/// Applies all steps to the numbers of row number `row` out of `rows`.
#[inline(always)]
pub(super) fn take_with_row(
    steps: &[Step],
    operands: &[&[f32]],
    row: usize,
    rows: usize,
    numbers: &mut [f32],
) {
    for (Step { operation, each, has_rows }, operand) in steps.iter().zip(operands) {
        let length = if *has_rows { operand.len() / rows } else { operand.len() };
        let first = if *has_rows { row * length } else { 0 };
        let operand = &operand[first..first + length];
        match operation {
            Operation::Add => combine(numbers, operand, *each, |a, b| a + b),
            Operation::Sub => combine(numbers, operand, *each, |a, b| a - b),
            Operation::Mul => combine(numbers, operand, *each, |a, b| a * b),
            Operation::Div => combine(numbers, operand, *each, |a, b| a / b),
            // Not `f32::max`, whose handling of NaN costs time.
            Operation::Max => combine(numbers, operand, *each, |a, b| if a > b { a } else { b }),
        }
    }
}

/// Combines numbers with an operand, each number of which applies to `each` consecutive numbers.
#[inline(always)]
fn combine(numbers: &mut [f32], operand: &[f32], each: usize, operation: impl Fn(f32, f32) -> f32) {
    if each == 1 {
        for numbers in numbers.chunks_exact_mut(operand.len()) {
            numbers.iter_mut().zip(operand).for_each(|(number, other)| *number = operation(*number, *other));
        }
    } else {
        for (numbers, other) in numbers.chunks_exact_mut(each).zip(operand.iter().cycle()) {
            numbers.iter_mut().for_each(|number| *number = operation(*number, *other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_is_broadcast_according_to_its_shape() {
        let each = |output: &[usize], operand: &[usize]| {
            Step::new(Operation::Add, output, operand, false).map(|step| step.each)
        };
        assert_eq!(each(&[1, 2, 8, 8], &[1, 2, 1, 1]), Some(64), "one number per channel");
        assert_eq!(each(&[1, 2, 8, 8], &[1, 2, 8, 8]), Some(1), "one number per element");
        assert_eq!(each(&[1, 2, 8, 8], &[1, 1, 8, 8]), Some(1), "one board for all channels");
        assert_eq!(each(&[1, 2, 8, 8], &[1, 1, 1, 1]), Some(128), "one number for all");
        assert_eq!(each(&[1, 8, 8, 73], &[1, 1, 1, 73]), Some(1));
        assert_eq!(each(&[2, 3, 4], &[2, 1, 4]), None, "not consecutive");
        assert_eq!(each(&[3, 4], &[4]), None);
        assert_eq!(each(&[3, 1], &[3, 4]), None, "the operand is larger than the output");
    }

    #[test]
    fn steps_are_applied_in_order_to_each_row() {
        let step = |operation, each, has_rows| Step { operation, each, has_rows };
        let steps = [
            step(Operation::Mul, 2, false),
            step(Operation::Add, 1, true),
            step(Operation::Max, 4, false),
            step(Operation::Add, 1, false),
        ];
        let mut numbers = [1.0, -2.0, 3.0, -4.0, 1.0, 1.0, 1.0, 1.0];
        let operands: [&[f32]; 4] =
            [&[2.0, 3.0], &[1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0], &[0.0], &[1.0, 2.0]];
        take(&steps, &operands, 2, &mut numbers);
        assert_eq!(numbers, [4.0, 2.0, 10.0, 2.0, 3.0, 4.0, 4.0, 10.0]);
    }
}
