//! Arithmetic with the integers from which models compute shapes.

use super::value::{Value, product};

/// Applies `operator` to the elements of values that fit each other; `None` if they are not all known, or the result
/// is out of range.
pub(super) fn elementwise(
    shape: &[u64],
    values: &[&Value],
    operator: impl Fn(&[i64]) -> Option<i64>,
) -> Option<Vec<i64>> {
    let lists: Vec<&Vec<i64>> = values.iter().map(|value| value.integers.as_ref()).collect::<Option<_>>()?;
    let length = product(shape);
    // Lists of one rank are all that models compute shapes from.
    let fits = |list: &&Vec<i64>| list.len() == 1 || list.len() as u64 == length;
    if shape.len() > 1 || !lists.iter().all(fits) {
        return None;
    }
    let element = |list: &Vec<i64>, place: usize| if list.len() == 1 { list[0] } else { list[place] };
    (0..length as usize)
        .map(|place| operator(&lists.iter().map(|list| element(list, place)).collect::<Vec<_>>()))
        .collect()
}

/// Computes an element of the output from those of the inputs; `None` if it is out of range.
type Arithmetic = fn(&[i64]) -> Option<i64>;

/// The arithmetic of an operator on integers; `None` for one that models do not compute shapes with.
pub(super) fn arithmetic(operator: &str) -> Option<Arithmetic> {
    Some(match operator {
        "Add" => |n| n.first()?.checked_add(*n.get(1)?),
        "Sub" => |n| n.first()?.checked_sub(*n.get(1)?),
        "Mul" => |n| n.first()?.checked_mul(*n.get(1)?),
        // ONNX truncates toward zero, as Rust does.
        "Div" => |n| n.first()?.checked_div(*n.get(1)?),
        "Equal" => |n| Some(i64::from(n.first()? == n.get(1)?)),
        "Where" => |n| if *n.first()? != 0 { n.get(1).copied() } else { n.get(2).copied() },
        "Max" => |n| n.iter().copied().max(),
        "Min" => |n| n.iter().copied().min(),
        _ => return None,
    })
}
