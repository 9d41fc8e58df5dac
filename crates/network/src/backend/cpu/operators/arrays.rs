//! Operators that give elements another shape or order, and those that make elements.

use super::{
    Inputs, Operator, axes, axis, count, one,
    places::{broadcast, broadcast_places, places, strides},
};
use crate::{
    backend::cpu::tensor::{Elements, Tensor},
    onnx::NodeProto,
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    let integers = |name: &str| node.integers(name).map(<[i64]>::to_vec);
    Some(match node.op_type.as_str() {
        "Reshape" => {
            let (given, keeps_zero) = (integers("shape"), node.integer("allowzero", 0) != 0);
            one(move |inputs| {
                let wanted = inputs.list(given.as_deref(), 1)?.ok_or("its shape is missing")?;
                let input = inputs.get(0)?;
                let shape = reshaped(&input.shape, &wanted, keeps_zero)?;
                input.clone().reshaped(shape)
            })
        }
        "Flatten" => {
            let first = node.integer("axis", 1);
            one(move |inputs| {
                let input = inputs.get(0)?;
                let rank = input.shape.len();
                let first = if first == rank as i64 { rank } else { axis(first, rank)? };
                let (outer, inner) = input.shape.split_at(first);
                input.clone().reshaped(vec![count(outer), count(inner)])
            })
        }
        "Squeeze" => {
            let given = integers("axes");
            one(move |inputs| {
                let input = inputs.get(0)?;
                let removed = inputs.list(given.as_deref(), 1)?;
                let removed = removed.map(|list| axes(&list, input.shape.len())).transpose()?;
                let is_left = |place: &usize| match &removed {
                    Some(removed) => !removed.contains(place),
                    None => input.shape[*place] != 1,
                };
                let left = (0..input.shape.len()).filter(is_left);
                input.clone().reshaped(left.map(|place| input.shape[place]).collect())
            })
        }
        "Unsqueeze" => {
            let given = integers("axes");
            one(move |inputs| {
                let input = inputs.get(0)?;
                let added = inputs.list(given.as_deref(), 1)?.ok_or("its axes are missing")?;
                let rank = input.shape.len() + added.len();
                let added = axes(&added, rank)?;
                let mut rest = input.shape.iter();
                let size = |place| if added.contains(&place) { Some(1) } else { rest.next().copied() };
                let shape: Option<Vec<usize>> = (0..rank).map(size).collect();
                input.clone().reshaped(shape.ok_or("an axis is there twice")?)
            })
        }
        "Transpose" => {
            let given = integers("perm");
            one(move |inputs| {
                let input = inputs.get(0)?;
                let rank = input.shape.len();
                let order = match &given {
                    Some(order) => axes(order, rank)?,
                    None => (0..rank).rev().collect(),
                };
                Ok(transposed(input, &order))
            })
        }
        "Expand" => one(|inputs| {
            let input = inputs.get(0)?;
            let wanted = sizes(inputs.get(1)?.as_integers()?)?;
            let shape = broadcast(&input.shape, &wanted)?;
            let places = broadcast_places(&input.shape, &shape);
            Ok(input.chosen(shape, places.into_iter()))
        }),
        "Concat" => {
            let along = node.integer("axis", 0);
            one(move |inputs| joined(inputs, along))
        }
        "Shape" => {
            let (start, end) = (node.integer("start", 0), node.find("end").map(|attribute| attribute.i));
            one(move |inputs| {
                let shape = &inputs.get(0)?.shape;
                let rank = shape.len() as i64;
                let place =
                    |place: i64| (if place < 0 { place + rank } else { place }).clamp(0, rank) as usize;
                let part = shape.get(place(start)..place(end.unwrap_or(rank))).unwrap_or_default();
                Ok(Tensor::integers(vec![part.len()], part.iter().map(|size| *size as i64).collect()))
            })
        }
        "Size" => one(|inputs| Ok(Tensor::integers(Vec::new(), vec![inputs.get(0)?.len() as i64]))),
        "Constant" => {
            let constant = constant(node);
            one(move |_| constant.clone())
        }
        "ConstantOfShape" => {
            let element = node.tensor("value").map(Tensor::read);
            one(move |inputs| {
                let shape = sizes(inputs.get(0)?.as_integers()?)?;
                let element = element.clone().unwrap_or_else(|| Ok(Tensor::floats(vec![1], vec![0.0])))?;
                let length = count(&shape);
                element
                    .as_integers()
                    .map(|numbers| numbers.len())
                    .or(element.as_floats().map(<[f32]>::len))?;
                Ok(element.chosen(shape, std::iter::repeat_n(0, length)))
            })
        }
        "Range" => one(|inputs| {
            let [start, limit, step] = [inputs.get(0)?, inputs.get(1)?, inputs.get(2)?];
            if let Elements::Floats(_) = start.elements {
                return Err("it counts in floats, expected integers".to_owned());
            }
            let number = |value: &Tensor| -> Result<i64, String> {
                value.as_integers()?.first().copied().ok_or_else(|| "an input is empty".to_owned())
            };
            let (start, limit, step) = (number(start)?, number(limit)?, number(step)?);
            if step == 0 {
                return Err("its step is 0".to_owned());
            }
            let is_before = |number: &i64| if step > 0 { *number < limit } else { *number > limit };
            let numbers: Vec<i64> = std::iter::successors(Some(start), |last| last.checked_add(step))
                .take_while(is_before)
                .collect();
            Ok(Tensor::integers(vec![numbers.len()], numbers))
        }),
        _ => return None,
    })
}

/// The value whose axis number `place` is axis `order[place]` of the input.
pub(super) fn transposed(input: &Tensor, order: &[usize]) -> Tensor {
    let own = strides(&input.shape);
    let shape: Vec<usize> = order.iter().map(|place| input.shape[*place]).collect();
    let strides: Vec<isize> = order.iter().map(|place| own[*place] as isize).collect();
    let places = places(&shape, &strides, 0);
    input.chosen(shape, places.into_iter())
}

/// The shape that `wanted` means for a value of shape `present`: 0 keeps a size, unless `keeps_zero`, and −1 stands for
/// the rest.
fn reshaped(present: &[usize], wanted: &[i64], keeps_zero: bool) -> Result<Vec<usize>, String> {
    let size = |(place, size): (usize, &i64)| match size {
        -1 => Ok(None),
        0 if !keeps_zero => present
            .get(place)
            .copied()
            .map(Some)
            .ok_or_else(|| format!("its input has no axis {place} to copy")),
        size => {
            usize::try_from(*size).map(Some).map_err(|_| format!("a size is {size}, expected -1, 0 or more"))
        }
    };
    let shape: Vec<Option<usize>> = wanted.iter().enumerate().map(size).collect::<Result<_, _>>()?;
    let known: usize = shape.iter().flatten().product();
    let rest = count(present).checked_div(known).unwrap_or(0);
    Ok(shape.into_iter().map(|size| size.unwrap_or(rest)).collect())
}

/// Sizes from integers.
pub(super) fn sizes(integers: &[i64]) -> Result<Vec<usize>, String> {
    let size =
        |size: &i64| usize::try_from(*size).map_err(|_| format!("a size is {size}, expected at least 0"));
    integers.iter().map(size).collect()
}

/// The inputs, one after another along an axis.
fn joined(inputs: Inputs<'_>, along: i64) -> Result<Tensor, String> {
    let all = inputs.all();
    let first = *all.first().ok_or("it has no inputs")?;
    let along = axis(along, first.shape.len())?;
    let mut shape = first.shape.clone();
    shape[along] = 0;
    for input in &all {
        let are_equal = |other: usize| other == along || input.shape[other] == first.shape[other];
        if input.shape.len() != shape.len() || !(0..shape.len()).all(are_equal) {
            return Err("its inputs have different sizes".to_owned());
        }
        shape[along] += input.shape[along];
    }
    let outer = count(&shape[..along]);
    let elements = match &first.elements {
        Elements::Floats(_) => {
            let lists = all.iter().map(|input| input.as_floats()).collect::<Result<Vec<_>, _>>()?;
            Elements::Floats(in_turn(&lists, outer))
        }
        Elements::Integers(_) => {
            let lists = all.iter().map(|input| input.as_integers()).collect::<Result<Vec<_>, _>>()?;
            Elements::Integers(in_turn(&lists, outer))
        }
    };
    Ok(Tensor { shape, elements })
}

/// The lists in turn, `rounds` times, each time the next part of each.
fn in_turn<T: Copy>(lists: &[&[T]], rounds: usize) -> Vec<T> {
    let part = |list: &&[T], round: usize| {
        let length = list.len() / rounds;
        list[round * length..][..length].to_vec()
    };
    (0..rounds).flat_map(|round| lists.iter().flat_map(move |list| part(list, round))).collect()
}

/// The value of a node `Constant`.
fn constant(node: &NodeProto) -> Result<Tensor, String> {
    if let Some(tensor) = node.tensor("value") {
        return Tensor::read(tensor);
    }
    if let Some(integers) = node.integers("value_ints") {
        return Ok(Tensor::integers(vec![integers.len()], integers.to_vec()));
    }
    if let Some(attribute) = node.find("value_floats") {
        return Ok(Tensor::floats(vec![attribute.floats.len()], attribute.floats.clone()));
    }
    if let Some(attribute) = node.find("value_int") {
        return Ok(Tensor::integers(Vec::new(), vec![attribute.i]));
    }
    let attribute = node.find("value_float").ok_or("expected the attribute value")?;
    Ok(Tensor::floats(Vec::new(), vec![attribute.f]))
}
