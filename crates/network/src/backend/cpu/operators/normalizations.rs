//! Operators that relate the elements of a group to each other: softmax and normalizations.

use super::{Inputs, Operator, arrays::transposed, axis, count, one, outputs};
use crate::{backend::cpu::tensor::Tensor, onnx::NodeProto};

/// The operator set from which on softmax has a single axis. Before, it had all axes from one on.
const SINGLE_AXIS: i64 = 13;

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto, operator_set: i64) -> Option<Operator> {
    let epsilon = node.float("epsilon", 1e-5);
    Some(match node.op_type.as_str() {
        "Softmax" => groups(node, operator_set, softmax),
        "LogSoftmax" => groups(node, operator_set, |numbers| {
            let largest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = numbers.iter().map(|number| libm::expf(number - largest)).sum();
            let shift = largest + libm::logf(sum);
            numbers.iter_mut().for_each(|number| *number -= shift);
        }),
        "LpNormalization" => {
            let is_sum = node.integer("p", 2) == 1;
            groups(node, SINGLE_AXIS, move |numbers| {
                let norm = if is_sum {
                    numbers.iter().map(|number| number.abs()).sum()
                } else {
                    numbers.iter().map(|number| number * number).sum::<f32>().sqrt()
                };
                if norm > 0.0 {
                    numbers.iter_mut().for_each(|number| *number /= norm);
                }
            })
        }
        "LayerNormalization" if outputs(node) == 1 => {
            let first = node.integer("axis", -1);
            one(move |inputs| {
                normalized_layers(inputs, first, |numbers| {
                    standardize(numbers, epsilon);
                })
            })
        }
        "RMSNormalization" | "SimplifiedLayerNormalization" if outputs(node) == 1 => {
            let first = node.integer("axis", -1);
            one(move |inputs| {
                normalized_layers(inputs, first, |numbers| {
                    let mean =
                        numbers.iter().map(|number| number * number).sum::<f32>() / numbers.len() as f32;
                    let scale = 1.0 / (mean + epsilon).sqrt();
                    numbers.iter_mut().for_each(|number| *number *= scale);
                })
            })
        }
        "BatchNormalization" if node.integer("training_mode", 0) == 0 => {
            one(move |inputs| normalized_batch(inputs, epsilon))
        }
        "InstanceNormalization" => one(move |inputs| {
            let channels = *inputs.get(0)?.shape.get(1).ok_or("expected channels")?;
            normalized_groups(inputs, channels, epsilon)
        }),
        "GroupNormalization" => {
            let number = usize::try_from(node.integer("num_groups", 1)).unwrap_or(1).max(1);
            one(move |inputs| normalized_groups(inputs, number, epsilon))
        }
        _ => return None,
    })
}

/// Numbers that are positive and add up to 1.
fn softmax(numbers: &mut [f32]) {
    let largest = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    numbers.iter_mut().for_each(|number| *number = libm::expf(*number - largest));
    let sum: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
}

/// Gives the numbers a mean of 0 and a standard deviation of about 1.
fn standardize(numbers: &mut [f32], epsilon: f32) {
    let length = numbers.len() as f32;
    let mean = numbers.iter().sum::<f32>() / length;
    let variance = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f32>() / length;
    let deviation = (variance + epsilon).sqrt();
    numbers.iter_mut().for_each(|number| *number = (*number - mean) / deviation);
}

/// An operator on the numbers along an axis, or from it on in older operator sets.
fn groups(
    node: &NodeProto,
    operator_set: i64,
    change: impl Fn(&mut [f32]) + Send + Sync + 'static,
) -> Operator {
    let is_single = operator_set >= SINGLE_AXIS;
    let along = node.integer("axis", if is_single { -1 } else { 1 });
    one(move |inputs| {
        let input = inputs.get(0)?;
        let rank = input.shape.len();
        let along = axis(along, rank)?;
        let last = if is_single { along + 1 } else { rank };
        let order: Vec<usize> = (0..along).chain(last..rank).chain(along..last).collect();
        let is_sorted = order.iter().copied().eq(0..rank);
        let sorted = if is_sorted { input.clone() } else { transposed(input, &order) };
        let mut numbers = sorted.as_floats()?.to_vec();
        numbers.chunks_exact_mut(count(&input.shape[along..last]).max(1)).for_each(&change);
        let changed = Tensor::floats(sorted.shape, numbers);
        if is_sorted {
            return Ok(changed);
        }
        let mut back = vec![0; rank];
        order.iter().enumerate().for_each(|(place, axis)| back[*axis] = place);
        Ok(transposed(&changed, &back))
    })
}

/// Changes the numbers from an axis on, and applies a scale and a bias of their shape.
fn normalized_layers(inputs: Inputs<'_>, first: i64, change: impl Fn(&mut [f32])) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let first = axis(first, input.shape.len())?;
    let each = count(&input.shape[first..]).max(1);
    let scale = inputs.get(1)?.as_floats()?;
    let bias = inputs.optional(2).map(Tensor::as_floats).transpose()?;
    let mut numbers = input.as_floats()?.to_vec();
    for numbers in numbers.chunks_exact_mut(each) {
        change(numbers);
        numbers.iter_mut().zip(scale.iter().cycle()).for_each(|(number, scale)| *number *= scale);
        if let Some(bias) = bias {
            numbers.iter_mut().zip(bias.iter().cycle()).for_each(|(number, bias)| *number += bias);
        }
    }
    Ok(Tensor::floats(input.shape.clone(), numbers))
}

/// Scales each channel by what training has measured.
fn normalized_batch(inputs: Inputs<'_>, epsilon: f32) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let [scale, bias, mean, variance] =
        [1, 2, 3, 4].map(|place| inputs.get(place).and_then(Tensor::as_floats));
    let (scale, bias, mean, variance) = (scale?, bias?, mean?, variance?);
    let channels = input.shape.get(1).copied().unwrap_or(1);
    if [scale, bias, mean, variance].iter().any(|list| list.len() != channels) {
        return Err(format!("expected {channels} numbers in each input, one for each channel"));
    }
    let each = count(input.shape.get(2..).unwrap_or_default()).max(1);
    let mut numbers = input.as_floats()?.to_vec();
    for (number, block) in numbers.chunks_exact_mut(each).enumerate() {
        let channel = number % channels;
        let factor = scale[channel] / (variance[channel] + epsilon).sqrt();
        let shift = bias[channel] - mean[channel] * factor;
        block.iter_mut().for_each(|number| *number = *number * factor + shift);
    }
    Ok(Tensor::floats(input.shape.clone(), numbers))
}

/// Standardizes groups of channels. There is a scale and a bias for each channel, or for each group.
fn normalized_groups(inputs: Inputs<'_>, groups: usize, epsilon: f32) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let (scale, bias) = (inputs.get(1)?.as_floats()?, inputs.get(2)?.as_floats()?);
    let [rows, channels, squares @ ..] = input.shape.as_slice() else {
        return Err("expected an input of at least two dimensions".to_owned());
    };
    let each = count(squares).max(1);
    let is_fit = |list: &[f32]| list.len() == *channels || list.len() == groups;
    if channels % groups != 0 || !is_fit(scale) || !is_fit(bias) {
        return Err(format!("{channels} channels do not make {groups} groups"));
    }
    let mut numbers = input.as_floats()?.to_vec();
    let in_group = channels / groups;
    for group in numbers.chunks_exact_mut(in_group * each) {
        standardize(group, epsilon);
    }
    let of = |list: &[f32], channel: usize| {
        list[if list.len() == *channels { channel } else { channel / in_group }]
    };
    for (number, block) in numbers.chunks_exact_mut(each).enumerate().take(rows * channels) {
        let channel = number % channels;
        block.iter_mut().for_each(|number| *number = *number * of(scale, channel) + of(bias, channel));
    }
    Ok(Tensor::floats(input.shape.clone(), numbers))
}
