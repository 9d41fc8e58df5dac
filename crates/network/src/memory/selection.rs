//! Operators that choose, repeat or move elements.

use super::{
    attributes::Settings,
    value::{Value, product, sizes},
};

pub(super) fn reshape(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let wanted = settings.list("shape", 1)?.ok_or("its shape is missing")?;
    let keeps_zero = settings.node.integer("allowzero", 0) != 0;
    let mut shape: Vec<Option<u64>> = Vec::new();
    for (axis, &size) in wanted.iter().enumerate() {
        shape.push(match size {
            -1 => None,
            0 if !keeps_zero => {
                Some(*input.shape.get(axis).ok_or_else(|| format!("its input has no axis {axis} to copy"))?)
            }
            size => {
                Some(u64::try_from(size).map_err(|_| format!("a size is {size}, expected -1, 0 or more"))?)
            }
        });
    }
    let known: Vec<u64> = shape.iter().flatten().copied().collect();
    let rest = input.elements().checked_div(product(&known)).unwrap_or(0);
    if shape.iter().filter(|size| size.is_none()).count() > 1 {
        return Err("only one size of its shape may be -1".to_owned());
    }
    let shape: Vec<u64> = shape.into_iter().map(|size| size.unwrap_or(rest)).collect();
    if product(&shape) != input.elements() {
        return Err(format!("its shape has {} elements, its input {}", product(&shape), input.elements()));
    }
    sizes(&wanted.iter().map(|size| size.max(&0)).copied().collect::<Vec<_>>())?;
    Ok(input.reshaped(shape))
}

pub(super) fn gather(settings: &Settings<'_>) -> Result<Value, String> {
    let (data, indices) = (settings.input(0)?, settings.input(1)?);
    let axis = Value::axis(settings.node.integer("axis", 0), data.shape.len())?;
    let shape = [&data.shape[..axis], &indices.shape, &data.shape[axis + 1..]].concat();
    if let (Some(list), Some(places), 1) = (&data.integers, &indices.integers, data.shape.len()) {
        let element = |place: &i64| {
            let place = if *place < 0 { place.checked_add(list.len() as i64)? } else { *place };
            list.get(usize::try_from(place).ok()?).copied()
        };
        if let Some(chosen) = places.iter().map(element).collect() {
            return Ok(Value::of_integers(shape, chosen));
        }
    }
    Ok(data.unknown(shape))
}

pub(super) fn gather_nd(settings: &Settings<'_>) -> Result<Value, String> {
    let (data, indices) = (settings.input(0)?, settings.input(1)?);
    let batch = usize::try_from(settings.node.integer("batch_dims", 0)).unwrap_or(0);
    let (&depth, outer) = indices.shape.split_last().ok_or("expected indices of at least one dimension")?;
    let begin = usize::try_from(depth).ok().and_then(|depth| depth.checked_add(batch));
    let rest = begin.and_then(|begin| data.shape.get(begin..)).ok_or("its indices have too many numbers")?;
    Ok(data.unknown([outer, rest].concat()))
}

/// The part of its input between `starts` and `ends`, in steps.
pub(super) fn slice(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let rank = input.shape.len();
    let starts = settings.list("starts", 1)?.ok_or("its starts are missing")?;
    let ends = settings.list("ends", 2)?.ok_or("its ends are missing")?;
    let axes = settings.list("axes", 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = settings.list("steps", 4)?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err("its starts, ends, axes and steps must have the same length".to_owned());
    }
    let mut output = input.clone();
    for (((&start, &end), &axis), &step) in starts.iter().zip(&ends).zip(&axes).zip(&steps) {
        let axis = Value::axis(axis, rank)?;
        let size = i128::from(output.shape[axis]);
        let place = |place: i64| if place < 0 { i128::from(place) + size } else { i128::from(place) };
        let (first, past, step) = (place(start), place(end), i128::from(step));
        let (first, past) = match step {
            0 => return Err("a step is 0".to_owned()),
            1.. => (first.clamp(0, size), past.clamp(0, size)),
            _ => (first.clamp(-1, size - 1), past.clamp(-1, size - 1)),
        };
        let count = ((past - first) * step.signum()).max(0).div_euclid(step.abs());
        let is_rounded = ((past - first) * step.signum()).max(0) % step.abs() != 0;
        let count = (count + i128::from(is_rounded)) as u64;
        if rank == 1
            && let Some(list) = &output.integers
        {
            let chosen = (0..i128::from(count)).map(|n| list.get((first + n * step) as usize).copied());
            output.integers = chosen.collect();
        } else {
            output.integers = None;
        }
        output.shape[axis] = count;
    }
    Ok(output)
}

pub(super) fn concat(settings: &Settings<'_>) -> Result<Value, String> {
    let inputs = settings.all();
    let first = *inputs.first().ok_or("it has no inputs")?;
    let axis = Value::axis(settings.node.integer("axis", 0), first.shape.len())?;
    let mut output =
        Value { width: inputs.iter().map(|input| input.width).max().unwrap_or(8), ..first.clone() };
    output.shape[axis] = 0;
    output.integers = (first.shape.len() == 1).then(Vec::new);
    for input in inputs {
        let size = input.shape.get(axis).filter(|_| input.shape.len() == output.shape.len());
        let size = size.ok_or("its inputs have different numbers of dimensions")?;
        let are_equal = |other: usize| other == axis || input.shape[other] == output.shape[other];
        if !(0..output.shape.len()).all(are_equal) {
            return Err("its inputs have different sizes".to_owned());
        }
        output.shape[axis] = output.shape[axis].saturating_add(*size);
        output.integers = output.integers.zip(input.integers.as_ref()).map(|(mut all, more)| {
            all.extend(more);
            all
        });
    }
    Ok(output)
}

pub(super) fn split(settings: &Settings<'_>) -> Result<Vec<Value>, String> {
    let input = settings.input(0)?;
    let axis = Value::axis(settings.node.integer("axis", 0), input.shape.len())?;
    let parts = settings.node.output.len().max(1);
    let each = match settings.list("split", 1)? {
        Some(each) if each.len() == parts => sizes_of_parts(&each)?,
        Some(each) => return Err(format!("it has {} sizes for {parts} outputs", each.len())),
        None => {
            let (size, parts) = (input.shape[axis], parts as u64);
            let whole = size.div_ceil(parts);
            (0..parts).map(|part| whole.min(size.saturating_sub(part * whole))).collect()
        }
    };
    let part = |size| {
        let mut shape = input.shape.clone();
        shape[axis] = size;
        input.unknown(shape)
    };
    Ok(each.into_iter().map(part).collect())
}

fn sizes_of_parts(integers: &[i64]) -> Result<Vec<u64>, String> {
    integers
        .iter()
        .map(|&size| u64::try_from(size).map_err(|_| format!("the size of a part is {size}")))
        .collect()
}

/// Its input with elements added at each end of each axis, or taken away.
pub(super) fn pad(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let pads = settings.list("pads", 1)?.ok_or("its pads are missing")?;
    let rank = input.shape.len();
    let axes = settings.list("axes", 3)?.unwrap_or_else(|| (0..rank as i64).collect());
    if pads.len() != 2 * axes.len() {
        return Err(format!("it has {} pads, expected {}", pads.len(), 2 * axes.len()));
    }
    let mut shape = input.shape.clone();
    for (place, &axis) in axes.iter().enumerate() {
        let axis = Value::axis(axis, rank)?;
        let sides = i128::from(pads[place]) + i128::from(pads[axes.len() + place]);
        let size = i128::from(shape[axis]) + sides;
        shape[axis] = u64::try_from(size.max(0)).unwrap_or(u64::MAX);
    }
    Ok(input.unknown(shape))
}

pub(super) fn tile(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let times = sizes(&settings.required(1)?)?;
    if times.len() != input.shape.len() {
        return Err(format!("it has {} numbers of copies, expected {}", times.len(), input.shape.len()));
    }
    let shape = input.shape.iter().zip(&times).map(|(size, times)| size.saturating_mul(*times)).collect();
    Ok(input.unknown(shape))
}

/// Integers from a start to a limit, which is left out.
pub(super) fn range(settings: &Settings<'_>) -> Result<Value, String> {
    let number = |place| {
        settings
            .required(place)?
            .first()
            .copied()
            .map(i128::from)
            .ok_or_else(|| "an input is empty".to_owned())
    };
    let (start, limit, step) = (number(0)?, number(1)?, number(2)?);
    if step == 0 {
        return Err("its step is 0".to_owned());
    }
    let distance = ((limit - start) * step.signum()).max(0);
    let count = (distance + step.abs() - 1) / step.abs();
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    if count > 4096 {
        return Ok(Value { shape: vec![count], integers: None, width: 8, is_constant: true });
    }
    Ok(Value::list((0..i128::from(count)).map(|n| (start + n * step) as i64).collect()))
}
