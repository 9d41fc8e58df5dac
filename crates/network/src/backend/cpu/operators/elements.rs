//! Operators on single elements.
//!
//! Exponentials and their relatives are those of `libm`, which are the same on every system
//! ([`entente_search::PortableMath`]).

use super::{Inputs, Operator, one};
use crate::{
    backend::cpu::tensor::{Elements, Tensor},
    onnx::NodeProto,
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    let (alpha, beta) = (|usual| node.float("alpha", usual), |usual| node.float("beta", usual));
    Some(match node.op_type.as_str() {
        "Abs" => both(f32::abs, i64::saturating_abs),
        "Neg" => both(|x| -x, i64::saturating_neg),
        "Sign" => both(|x| if x == 0.0 { 0.0 } else { x.signum() }, i64::signum),
        "Not" => both(|x| f32::from(x == 0.0), |x| i64::from(x == 0)),
        "Ceil" => each(libm::ceilf),
        "Floor" => each(libm::floorf),
        "Round" => each(f32::round_ties_even),
        "Sqrt" => each(f32::sqrt),
        "Reciprocal" => each(|x| 1.0 / x),
        "Exp" => each(libm::expf),
        "Log" => each(libm::logf),
        "Sin" => each(libm::sinf),
        "Cos" => each(libm::cosf),
        "Tan" => each(libm::tanf),
        "Tanh" => each(libm::tanhf),
        "Erf" => each(libm::erff),
        "Sigmoid" => each(sigmoid),
        "Softplus" => each(softplus),
        "Softsign" => each(|x| x / (1.0 + x.abs())),
        "Mish" => each(|x| x * libm::tanhf(softplus(x))),
        "Gelu" if node.word("approximate") == "tanh" => each(|x| {
            // The square root of 2 / π, and the factor of the cube, as ONNX gives them.
            0.5 * x * (1.0 + libm::tanhf(0.797_884_6 * (x + 0.044_715 * x * x * x)))
        }),
        "Gelu" => each(|x| 0.5 * x * (1.0 + libm::erff(x * std::f32::consts::FRAC_1_SQRT_2))),
        "Relu" => each(|x| if x > 0.0 { x } else { 0.0 }),
        "LeakyRelu" => {
            let alpha = alpha(0.01);
            each(move |x| if x < 0.0 { alpha * x } else { x })
        }
        "ThresholdedRelu" => {
            let alpha = alpha(1.0);
            each(move |x| if x > alpha { x } else { 0.0 })
        }
        "Elu" => {
            let alpha = alpha(1.0);
            each(move |x| if x < 0.0 { alpha * libm::expm1f(x) } else { x })
        }
        "Celu" => {
            let alpha = alpha(1.0);
            each(move |x| x.max(0.0) + (alpha * libm::expm1f(x / alpha)).min(0.0))
        }
        "Selu" => {
            let (alpha, gamma) = (alpha(1.673_263_2), node.float("gamma", 1.050_701));
            each(move |x| gamma * if x > 0.0 { x } else { alpha * libm::expm1f(x) })
        }
        "HardSigmoid" => {
            let (alpha, beta) = (alpha(0.2), beta(0.5));
            each(move |x| (alpha * x + beta).clamp(0.0, 1.0))
        }
        "HardSwish" => each(|x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0)),
        "Identity" | "Dropout" => one(|inputs| Ok(inputs.get(0)?.clone())),
        "Clip" => {
            let given = ["min", "max"].map(|name| node.find(name).map(|attribute| attribute.f));
            one(move |inputs| clipped(inputs, given))
        }
        "Cast" => {
            // Numbers of `DataType`: floats of 16, 32 and 64 bits, and truth values.
            let (to_floats, to_truth) =
                (matches!(node.integer("to", 1), 1 | 10 | 11 | 16), node.integer("to", 1) == 9);
            one(move |inputs| Ok(cast(inputs.get(0)?, to_floats, to_truth)))
        }
        _ => return None,
    })
}

/// An operator on floats.
fn each(compute: impl Fn(f32) -> f32 + Send + Sync + 'static) -> Operator {
    each_by(Box::new(compute))
}

// Not generic, because the loops of all operators would take long to compile.
fn each_by(compute: Box<dyn Fn(f32) -> f32 + Send + Sync>) -> Operator {
    one(move |inputs| {
        let input = inputs.get(0)?;
        let numbers = input.as_floats()?.iter().map(|number| compute(*number)).collect();
        Ok(Tensor::floats(input.shape.clone(), numbers))
    })
}

/// An operator on floats or integers.
fn both(floats: fn(f32) -> f32, integers: fn(i64) -> i64) -> Operator {
    one(move |inputs| {
        let input = inputs.get(0)?;
        let elements = match &input.elements {
            Elements::Floats(numbers) => {
                Elements::Floats(numbers.iter().map(|number| floats(*number)).collect())
            }
            Elements::Integers(numbers) => {
                Elements::Integers(numbers.iter().map(|number| integers(*number)).collect())
            }
        };
        Ok(Tensor { shape: input.shape.clone(), elements })
    })
}

/// 1 / (1 + e^−x)
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// ln(1 + e^x)
fn softplus(x: f32) -> f32 {
    x.max(0.0) + libm::log1pf(libm::expf(-x.abs()))
}

/// The elements, none below the least and above the greatest number. These are attributes in older operator sets.
fn clipped(inputs: Inputs<'_>, given: [Option<f32>; 2]) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let bound = |place: usize| -> Result<Option<f32>, String> {
        match inputs.optional(place) {
            Some(value) => Ok(value.to_floats().first().copied()),
            None => Ok(given[place - 1]),
        }
    };
    let (least, greatest) = (bound(1)?.unwrap_or(f32::NEG_INFINITY), bound(2)?.unwrap_or(f32::INFINITY));
    let elements = match &input.elements {
        Elements::Floats(numbers) => {
            Elements::Floats(numbers.iter().map(|number| number.max(least).min(greatest)).collect())
        }
        Elements::Integers(numbers) => Elements::Integers(
            numbers.iter().map(|number| (*number).max(least as i64).min(greatest as i64)).collect(),
        ),
    };
    Ok(Tensor { shape: input.shape.clone(), elements })
}

/// The elements as floats, as truth values, or as integers.
pub(super) fn cast(input: &Tensor, to_floats: bool, to_truth: bool) -> Tensor {
    let shape = input.shape.clone();
    match &input.elements {
        _ if to_floats => Tensor::floats(shape, input.to_floats()),
        Elements::Floats(numbers) if to_truth => {
            Tensor::integers(shape, numbers.iter().map(|number| i64::from(*number != 0.0)).collect())
        }
        Elements::Integers(numbers) if to_truth => {
            Tensor::integers(shape, numbers.iter().map(|number| i64::from(*number != 0)).collect())
        }
        Elements::Floats(numbers) => {
            Tensor::integers(shape, numbers.iter().map(|number| *number as i64).collect())
        }
        Elements::Integers(numbers) => Tensor::integers(shape, numbers.clone()),
    }
}
