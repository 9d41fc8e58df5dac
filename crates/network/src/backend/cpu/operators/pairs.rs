//! Operators that combine values element by element.

use super::{
    Inputs, Operator, one,
    places::{broadcast, broadcast_places},
};
use crate::{
    backend::cpu::tensor::{Elements, Tensor},
    onnx::NodeProto,
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    Some(match node.op_type.as_str() {
        "Add" => numbers(|a, b| a + b, i64::wrapping_add),
        "Sum" => numbers(|a, b| a + b, i64::wrapping_add),
        "Sub" => numbers(|a, b| a - b, i64::wrapping_sub),
        "Mul" => numbers(|a, b| a * b, i64::wrapping_mul),
        // Division by 0 has no result among integers.
        "Div" => numbers(|a, b| a / b, |a, b| a.checked_div(b).unwrap_or(0)),
        "Mod" if node.integer("fmod", 0) != 0 => numbers(|a, b| a % b, |a, b| a.checked_rem(b).unwrap_or(0)),
        "Mod" => numbers(|a, b| a - libm::floorf(a / b) * b, floored_rest),
        "Pow" => one(|inputs| {
            // The exponent may have another type.
            let (base, exponent) = (inputs.get(0)?, inputs.get(1)?);
            let exponent =
                super::elements::cast(exponent, matches!(base.elements, Elements::Floats(_)), false);
            let power = |a: i64, b: i64| u32::try_from(b).map_or(0, |b| a.wrapping_pow(b));
            folded(Inputs(&[Some(base), Some(&exponent)]), libm::powf, power)
        }),
        "Max" => numbers(f32::max, i64::max),
        "Min" => numbers(f32::min, i64::min),
        "PRelu" => numbers(
            |x, slope| if x < 0.0 { slope * x } else { x },
            |x, slope| if x < 0 { slope * x } else { x },
        ),
        "And" => numbers(|a, b| f32::from(a != 0.0 && b != 0.0), |a, b| i64::from(a != 0 && b != 0)),
        "Or" => numbers(|a, b| f32::from(a != 0.0 || b != 0.0), |a, b| i64::from(a != 0 || b != 0)),
        "Xor" => numbers(|a, b| f32::from((a != 0.0) != (b != 0.0)), |a, b| i64::from((a != 0) != (b != 0))),
        "Equal" => truth(|a, b| a == b, |a, b| a == b),
        "Greater" => truth(|a, b| a > b, |a, b| a > b),
        "GreaterOrEqual" => truth(|a, b| a >= b, |a, b| a >= b),
        "Less" => truth(|a, b| a < b, |a, b| a < b),
        "LessOrEqual" => truth(|a, b| a <= b, |a, b| a <= b),
        "Mean" => one(|inputs| {
            let all = inputs.all();
            let sum = folded(inputs, |a, b| a + b, i64::wrapping_add)?;
            let numbers = sum.to_floats().into_iter().map(|sum| sum / all.len() as f32).collect();
            Ok(Tensor::floats(sum.shape, numbers))
        }),
        "Where" => one(chosen),
        _ => return None,
    })
}

/// The rest of a division whose quotient is rounded down. It has the sign of the divisor.
fn floored_rest(a: i64, b: i64) -> i64 {
    let rest = a.checked_rem(b).unwrap_or(0);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// An operator that combines its inputs, the first two first.
fn numbers(floats: fn(f32, f32) -> f32, integers: fn(i64, i64) -> i64) -> Operator {
    one(move |inputs| folded(inputs, floats, integers))
}

fn folded(
    inputs: Inputs<'_>,
    floats: fn(f32, f32) -> f32,
    integers: fn(i64, i64) -> i64,
) -> Result<Tensor, String> {
    let all = inputs.all();
    let (first, others) = all.split_first().ok_or("it has no inputs")?;
    let mut result = (*first).clone();
    for other in others {
        let shape = broadcast(&result.shape, &other.shape)?;
        let elements = match (&result.elements, &other.elements) {
            (Elements::Floats(a), Elements::Floats(b)) => {
                Elements::Floats(combined(&shape, (&result.shape, a), (&other.shape, b), floats))
            }
            (Elements::Integers(a), Elements::Integers(b)) => {
                Elements::Integers(combined(&shape, (&result.shape, a), (&other.shape, b), integers))
            }
            _ => return Err("it combines floats with integers".to_owned()),
        };
        result = Tensor { shape, elements };
    }
    Ok(result)
}

/// Combines two values, each with its shape, which are broadcast to `shape`.
fn combined<T: Copy, U>(
    shape: &[usize],
    (left_shape, left): (&[usize], &[T]),
    (right_shape, right): (&[usize], &[T]),
    combine: fn(T, T) -> U,
) -> Vec<U> {
    if left_shape == right_shape {
        return left.iter().zip(right).map(|(a, b)| combine(*a, *b)).collect();
    }
    let lefts = broadcast_places(left_shape, shape).into_iter();
    lefts.zip(broadcast_places(right_shape, shape)).map(|(a, b)| combine(left[a], right[b])).collect()
}

/// An operator that compares two values.
fn truth(floats: fn(f32, f32) -> bool, integers: fn(i64, i64) -> bool) -> Operator {
    one(move |inputs| {
        let (left, right) = (inputs.get(0)?, inputs.get(1)?);
        let shape = broadcast(&left.shape, &right.shape)?;
        let shapes = (left.shape.as_slice(), right.shape.as_slice());
        let truths = match (&left.elements, &right.elements) {
            (Elements::Floats(a), Elements::Floats(b)) => {
                combined(&shape, (shapes.0, a), (shapes.1, b), floats)
            }
            (Elements::Integers(a), Elements::Integers(b)) => {
                combined(&shape, (shapes.0, a), (shapes.1, b), integers)
            }
            _ => return Err("it compares floats with integers".to_owned()),
        };
        Ok(Tensor::integers(shape, truths.into_iter().map(i64::from).collect()))
    })
}

/// The elements of the second input where the first is true, and of the third elsewhere.
fn chosen(inputs: Inputs<'_>) -> Result<Tensor, String> {
    let (truth, yes, no) = (inputs.get(0)?, inputs.get(1)?, inputs.get(2)?);
    let shape = broadcast(&broadcast(&truth.shape, &yes.shape)?, &no.shape)?;
    let [truths, lefts, rights] =
        [truth, yes, no].map(|value| broadcast_places(&value.shape, &shape).into_iter());
    let truth = truth.as_integers()?;
    let all = truths.zip(lefts.zip(rights));
    let elements = match (&yes.elements, &no.elements) {
        (Elements::Floats(yes), Elements::Floats(no)) => Elements::Floats(
            all.map(|(truth_at, (a, b))| if truth[truth_at] != 0 { yes[a] } else { no[b] }).collect(),
        ),
        (Elements::Integers(yes), Elements::Integers(no)) => Elements::Integers(
            all.map(|(truth_at, (a, b))| if truth[truth_at] != 0 { yes[a] } else { no[b] }).collect(),
        ),
        _ => return Err("it chooses between floats and integers".to_owned()),
    };
    Ok(Tensor { shape, elements })
}
