//! Operators that choose, repeat or move elements.

use super::{
    Inputs, Operator,
    arrays::sizes,
    axes, axis, count, one,
    places::{places, strides},
};
use crate::{
    backend::cpu::tensor::{Elements, Tensor},
    onnx::NodeProto,
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    let along = node.integer("axis", 0);
    Some(match node.op_type.as_str() {
        "Gather" => one(move |inputs| gathered(inputs, along)),
        "GatherElements" => one(move |inputs| gathered_elements(inputs, along)),
        "GatherND" => {
            let batch = usize::try_from(node.integer("batch_dims", 0)).unwrap_or(0);
            one(move |inputs| gathered_parts(inputs, batch))
        }
        "Slice" => {
            let given = ["starts", "ends", "axes"].map(|name| node.integers(name).map(<[i64]>::to_vec));
            one(move |inputs| slice(inputs, &given))
        }
        "Split" => {
            let (given, parts) = (node.integers("split").map(<[i64]>::to_vec), node.output.len().max(1));
            Box::new(move |inputs| split(inputs, along, given.as_deref(), parts))
        }
        "Tile" => one(|inputs| {
            let (input, times) = (inputs.get(0)?, sizes(inputs.get(1)?.as_integers()?)?);
            if times.len() != input.shape.len() {
                return Err(format!(
                    "it has {} numbers of copies, expected {}",
                    times.len(),
                    input.shape.len()
                ));
            }
            let shape: Vec<usize> =
                input.shape.iter().zip(&times).map(|(size, times)| size * times).collect();
            Ok(moved(input, shape, |_, place, size| Some(place % size)))
        }),
        "Pad" => {
            let given = node.integers("pads").map(<[i64]>::to_vec);
            let (mode, value) = (node.word("mode"), node.float("value", 0.0));
            one(move |inputs| with_pads(inputs, given.as_deref(), &mode, value))
        }
        "Trilu" => {
            let is_upper = node.integer("upper", 1) != 0;
            one(move |inputs| triangle(inputs, is_upper))
        }
        _ => return None,
    })
}

/// The place of an index, which counts from the end if it is negative.
fn at(index: i64, size: usize) -> Result<usize, String> {
    let place = if index < 0 { index + size as i64 } else { index };
    usize::try_from(place)
        .ok()
        .filter(|place| *place < size)
        .ok_or_else(|| format!("its index {index} is out of range, the axis has {size}"))
}

fn gathered(inputs: Inputs<'_>, along: i64) -> Result<Tensor, String> {
    let (data, indices) = (inputs.get(0)?, inputs.get(1)?);
    let along = axis(along, data.shape.len())?;
    let size = data.shape[along];
    let (outer, inner) = (count(&data.shape[..along]), count(&data.shape[along + 1..]));
    let rows: Vec<usize> =
        indices.as_integers()?.iter().map(|index| at(*index, size)).collect::<Result<_, _>>()?;
    let shape = [&data.shape[..along], &indices.shape, &data.shape[along + 1..]].concat();
    let first = |outer: usize, row: usize| (outer * size + row) * inner;
    let places = (0..outer)
        .flat_map(|outer| rows.iter().flat_map(move |row| (0..inner).map(move |n| first(outer, *row) + n)));
    Ok(data.chosen(shape, places))
}

fn gathered_elements(inputs: Inputs<'_>, along: i64) -> Result<Tensor, String> {
    let (data, indices) = (inputs.get(0)?, inputs.get(1)?);
    let along = axis(along, data.shape.len())?;
    let own = strides(&data.shape);
    if indices.shape.len() != own.len() {
        return Err("its indices have another number of dimensions".to_owned());
    }
    let mut others: Vec<isize> = own.iter().map(|stride| *stride as isize).collect();
    others[along] = 0;
    let bases = places(&indices.shape, &others, 0).into_iter();
    let rows = indices.as_integers()?.iter().map(|index| at(*index, data.shape[along]));
    let found = bases
        .zip(rows)
        .map(|(base, row)| Ok(base + row? * own[along]))
        .collect::<Result<Vec<_>, String>>()?;
    if found.iter().any(|place| *place >= data.len()) {
        return Err("its indices are larger than its input".to_owned());
    }
    Ok(data.chosen(indices.shape.clone(), found.into_iter()))
}

fn gathered_parts(inputs: Inputs<'_>, batch: usize) -> Result<Tensor, String> {
    let (data, indices) = (inputs.get(0)?, inputs.get(1)?);
    let (depth, outer) = indices.shape.split_last().ok_or("expected indices of at least one dimension")?;
    let rest = data.shape.get(batch + depth..).ok_or("its indices have too many numbers")?;
    let (own, part) = (strides(&data.shape), count(rest));
    let each = outer.get(batch..).ok_or("its batch has too many axes")?.iter().product::<usize>().max(1);
    let of_batch = count(data.shape.get(batch..).unwrap_or_default());
    let mut found = Vec::new();
    for (number, index) in indices.as_integers()?.chunks_exact((*depth).max(1)).enumerate() {
        let mut first = number / each * of_batch;
        for (place, index) in index.iter().enumerate().take(*depth) {
            first += at(*index, data.shape[batch + place])? * own[batch + place];
        }
        found.extend(first..first + part);
    }
    if found.iter().any(|place| *place >= data.len()) {
        return Err("its indices are larger than its input".to_owned());
    }
    Ok(data.chosen([outer, rest].concat(), found.into_iter()))
}

/// The part between starts and ends, in steps.
fn slice(inputs: Inputs<'_>, given: &[Option<Vec<i64>>; 3]) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let rank = input.shape.len();
    let [starts, ends, along] = given;
    let starts = inputs.list(starts.as_deref(), 1)?.ok_or("its starts are missing")?;
    let ends = inputs.list(ends.as_deref(), 2)?.ok_or("its ends are missing")?;
    let along = inputs.list(along.as_deref(), 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = inputs.list(None, 4)?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), along.len(), steps.len()] != [starts.len(); 3] {
        return Err("its starts, ends, axes and steps must have the same length".to_owned());
    }
    let mut shape = input.shape.clone();
    let mut strides: Vec<isize> = strides(&shape).into_iter().map(|stride| stride as isize).collect();
    let mut first = 0;
    for (((start, end), one), step) in starts.iter().zip(&ends).zip(&along).zip(&steps) {
        let place = axis(*one, rank)?;
        let size = shape[place] as i128;
        let at = |place: i64| if place < 0 { i128::from(place) + size } else { i128::from(place) };
        let (start, end, step) = (at(*start), at(*end), i128::from(*step));
        let (start, end) = match step {
            0 => return Err("a step is 0".to_owned()),
            1.. => (start.clamp(0, size), end.clamp(0, size)),
            _ => (start.clamp(-1, size - 1), end.clamp(-1, size - 1)),
        };
        let distance = ((end - start) * step.signum()).max(0);
        shape[place] = ((distance + step.abs() - 1) / step.abs()) as usize;
        first += start as isize * strides[place];
        // With at most one element, the step does not matter, and may be huge.
        strides[place] *= if shape[place] > 1 { step as isize } else { 1 };
    }
    let places = places(&shape, &strides, first);
    Ok(input.chosen(shape, places.into_iter()))
}

fn split(inputs: Inputs<'_>, along: i64, given: Option<&[i64]>, parts: usize) -> Result<Vec<Tensor>, String> {
    let input = inputs.get(0)?;
    let along = axis(along, input.shape.len())?;
    let size = input.shape[along];
    let each = match inputs.list(given, 1)? {
        Some(each) => sizes(&each)?,
        None => {
            let whole = size.div_ceil(parts);
            (0..parts).map(|part| whole.min(size.saturating_sub(part * whole))).collect()
        }
    };
    if each.iter().sum::<usize>() != size {
        return Err(format!("its parts do not add up to {size}"));
    }
    let own: Vec<isize> = strides(&input.shape).into_iter().map(|stride| stride as isize).collect();
    let mut before = 0;
    let parts = each.into_iter().map(|each| {
        let mut shape = input.shape.clone();
        shape[along] = each;
        let places = places(&shape, &own, before * own[along]);
        before += each as isize;
        input.chosen(shape, places.into_iter())
    });
    Ok(parts.collect())
}

/// A value of another shape, in which `from` says, for each axis, where a place of the output is in the input: the
/// axis, the place, and the size of the input. Elements that are in no place are 0.
fn moved(input: &Tensor, shape: Vec<usize>, from: impl Fn(usize, usize, usize) -> Option<usize>) -> Tensor {
    let (own, wanted) = (strides(&input.shape), strides(&shape));
    let origin = |number: usize| -> Option<usize> {
        (0..shape.len()).try_fold(0, |sum, axis| {
            let place = number / wanted[axis] % shape[axis];
            Some(sum + from(axis, place, input.shape[axis])? * own[axis])
        })
    };
    let origins = (0..count(&shape)).map(origin);
    let elements = match &input.elements {
        Elements::Floats(numbers) => {
            Elements::Floats(origins.map(|origin| origin.map_or(0.0, |origin| numbers[origin])).collect())
        }
        Elements::Integers(numbers) => {
            Elements::Integers(origins.map(|origin| origin.map_or(0, |origin| numbers[origin])).collect())
        }
    };
    Tensor { shape, elements }
}

/// The input with elements added at each end of each axis, or taken away.
fn with_pads(inputs: Inputs<'_>, given: Option<&[i64]>, mode: &str, value: f32) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let rank = input.shape.len();
    let pads = inputs.list(given, 1)?.ok_or("its pads are missing")?;
    let along = match inputs.list(None, 3)? {
        Some(list) => axes(&list, rank)?,
        None => (0..rank).collect(),
    };
    if pads.len() != 2 * along.len() {
        return Err(format!("it has {} pads, expected {}", pads.len(), 2 * along.len()));
    }
    let mut before = vec![0; rank];
    let mut shape = input.shape.clone();
    for (place, axis) in along.iter().enumerate() {
        before[*axis] = pads[place];
        let size = shape[*axis] as i64 + pads[place] + pads[along.len() + place];
        shape[*axis] = usize::try_from(size).map_err(|_| "a size would be negative")?;
    }
    let fill = inputs.optional(2).and_then(|value| value.to_floats().first().copied()).unwrap_or(value);
    let of = |axis: usize, place: usize, size: usize| {
        let (place, size) = (place as i64 - before[axis], size as i64);
        let found = match mode {
            "edge" => place.clamp(0, (size - 1).max(0)),
            "reflect" if place < 0 => -place,
            "reflect" if place >= size => 2 * (size - 1) - place,
            "wrap" => place.rem_euclid(size.max(1)),
            _ => place,
        };
        (0..size).contains(&found).then_some(found as usize)
    };
    if fill == 0.0 || !matches!(mode, "" | "constant") {
        return Ok(moved(input, shape, of));
    }
    // Of a value of ones, padding is where 0 comes out.
    let ones = Tensor::floats(input.shape.clone(), vec![1.0; input.len()]);
    let inside = moved(&ones, shape.clone(), of);
    let mut padded = moved(input, shape, of);
    let places = inside.as_floats()?.iter().enumerate().filter(|(_, inside)| **inside == 0.0);
    match &mut padded.elements {
        Elements::Floats(numbers) => places.for_each(|(place, _)| numbers[place] = fill),
        Elements::Integers(numbers) => places.for_each(|(place, _)| numbers[place] = fill as i64),
    }
    Ok(padded)
}

/// The upper or lower triangle of matrices, and 0 elsewhere.
fn triangle(inputs: Inputs<'_>, is_upper: bool) -> Result<Tensor, String> {
    let input = inputs.get(0)?;
    let shift = match inputs.optional(1) {
        Some(value) => value.as_integers()?.first().copied().unwrap_or(0),
        None => 0,
    };
    let [.., _, columns] = input.shape[..] else { return Err("expected matrices".to_owned()) };
    let rows = input.shape[input.shape.len() - 2];
    let is_kept = |place: usize| {
        let (row, column) = ((place / columns % rows) as i64, (place % columns) as i64);
        if is_upper { column - row >= shift } else { column - row <= shift }
    };
    let mut triangle = input.clone();
    match &mut triangle.elements {
        Elements::Floats(numbers) => {
            numbers
                .iter_mut()
                .enumerate()
                .filter(|(place, _)| !is_kept(*place))
                .for_each(|(_, number)| *number = 0.0);
        }
        Elements::Integers(numbers) => {
            numbers
                .iter_mut()
                .enumerate()
                .filter(|(place, _)| !is_kept(*place))
                .for_each(|(_, number)| *number = 0);
        }
    }
    Ok(triangle)
}
