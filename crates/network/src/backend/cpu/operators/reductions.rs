//! Operators that make one element of many.

use super::{Inputs, Operator, arrays::transposed, axes, axis, count, one};
use crate::{
    backend::cpu::tensor::{Elements, Tensor},
    onnx::NodeProto,
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    Some(match node.op_type.as_str() {
        "ReduceSum" => reduction(node, sum),
        "ReduceMean" => reduction(node, |numbers| sum(numbers) / numbers.len() as f32),
        "ReduceMax" => reduction(node, |numbers| numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max)),
        "ReduceMin" => reduction(node, |numbers| numbers.iter().copied().fold(f32::INFINITY, f32::min)),
        "ReduceProd" => reduction(node, |numbers| numbers.iter().product()),
        "ReduceL1" => reduction(node, |numbers| numbers.iter().map(|number| number.abs()).sum()),
        "ReduceL2" => reduction(node, |numbers| squares(numbers).sqrt()),
        "ReduceSumSquare" => reduction(node, squares),
        "ReduceLogSum" => reduction(node, |numbers| libm::logf(sum(numbers))),
        "ReduceLogSumExp" => reduction(node, |numbers| {
            let largest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            largest + libm::logf(numbers.iter().map(|number| libm::expf(number - largest)).sum())
        }),
        "ArgMax" => place(node, |best, number| number > best),
        "ArgMin" => place(node, |best, number| number < best),
        "CumSum" => {
            let (is_exclusive, is_reversed) =
                (node.integer("exclusive", 0) != 0, node.integer("reverse", 0) != 0);
            one(move |inputs| cumulated(inputs, is_exclusive, is_reversed))
        }
        _ => return None,
    })
}

fn sum(numbers: &[f32]) -> f32 {
    numbers.iter().sum()
}

fn squares(numbers: &[f32]) -> f32 {
    numbers.iter().map(|number| number * number).sum()
}

/// The value with the axes of `last` at the end, in their order.
fn with_last(input: &Tensor, last: &[usize]) -> Tensor {
    let rank = input.shape.len();
    let order: Vec<usize> =
        (0..rank).filter(|axis| !last.contains(axis)).chain(last.iter().copied()).collect();
    if order.iter().copied().eq(0..rank) { input.clone() } else { transposed(input, &order) }
}

/// The shape after a reduction over some axes.
fn reduced_shape(shape: &[usize], reduced: &[usize], keeps: bool) -> Vec<usize> {
    let kept = (0..shape.len()).filter(|axis| keeps || !reduced.contains(axis));
    kept.map(|axis| if reduced.contains(&axis) { 1 } else { shape[axis] }).collect()
}

fn reduction(node: &NodeProto, reduce: fn(&[f32]) -> f32) -> Operator {
    let given = node.integers("axes").map(<[i64]>::to_vec);
    let (keeps, may_do_nothing) =
        (node.integer("keepdims", 1) != 0, node.integer("noop_with_empty_axes", 0) != 0);
    one(move |inputs| {
        let input = inputs.get(0)?;
        let rank = input.shape.len();
        let mut reduced = axes(&inputs.list(given.as_deref(), 1)?.unwrap_or_default(), rank)?;
        if reduced.is_empty() {
            if may_do_nothing {
                return Ok(input.clone());
            }
            reduced = (0..rank).collect();
        }
        reduced.sort_unstable();
        reduced.dedup();
        let each = reduced.iter().map(|axis| input.shape[*axis]).product::<usize>().max(1);
        let shape = reduced_shape(&input.shape, &reduced, keeps);
        let sorted = with_last(input, &reduced);
        // Integers are sums of shapes, which floats hold.
        let numbers = sorted.to_floats().chunks_exact(each).map(reduce).collect();
        let output = Tensor::floats(shape, numbers);
        match &input.elements {
            Elements::Floats(_) => Ok(output),
            Elements::Integers(_) => {
                let integers = output.to_floats().into_iter().map(|number| number as i64).collect();
                Ok(Tensor::integers(output.shape, integers))
            }
        }
    })
}

/// The place of an element along an axis: the first that is better than all before it.
fn place(node: &NodeProto, is_better: fn(f32, f32) -> bool) -> Operator {
    let (along, keeps) = (node.integer("axis", 0), node.integer("keepdims", 1) != 0);
    let takes_last = node.integer("select_last_index", 0) != 0;
    one(move |inputs| {
        let input = inputs.get(0)?;
        let along = axis(along, input.shape.len())?;
        let shape = reduced_shape(&input.shape, &[along], keeps);
        let sorted = with_last(input, &[along]).to_floats();
        let places = sorted.chunks_exact(input.shape[along].max(1)).map(|numbers| {
            let mut best = 0;
            for (place, number) in numbers.iter().enumerate() {
                if is_better(numbers[best], *number) || takes_last && *number == numbers[best] {
                    best = place;
                }
            }
            best as i64
        });
        Ok(Tensor::integers(shape, places.collect()))
    })
}

/// The sum of all elements up to each one along an axis.
fn cumulated(inputs: Inputs<'_>, is_exclusive: bool, is_reversed: bool) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let along = inputs.get(1)?.as_integers()?.first().copied().ok_or("its axis is missing")?;
    let along = axis(along, input.shape.len())?;
    let (size, inner) = (input.shape[along], count(&input.shape[along + 1..]));
    let mut numbers = input.as_floats()?.to_vec();
    for block in numbers.chunks_exact_mut((size * inner).max(1)) {
        for first in 0..inner {
            let mut sum = 0.0;
            for step in 0..size {
                let place = first + inner * if is_reversed { size - 1 - step } else { step };
                let number = block[place];
                block[place] = if is_exclusive { sum } else { sum + number };
                sum += number;
            }
        }
    }
    Ok(Tensor::floats(input.shape.clone(), numbers))
}
