//! The sizes of what each operator gives. To support another operator, add its arm here: its output must have exactly
//! this shape, since later operators are computed from it.

use super::{
    Given,
    attributes::Settings,
    einsum::einsum,
    integers::{arithmetic, elementwise},
    selection,
    value::{Value, filled_up, product, sizes, tensor},
    window,
};
use crate::onnx::NodeProto;

/// Computes what `node` gives from what it reads.
pub(super) fn given(node: &NodeProto, inputs: &[Option<&Value>]) -> Result<Given, String> {
    let settings = Settings { node, inputs };
    let output = match node.op_type.as_str() {
        "Abs"
        | "BatchNormalization"
        | "Ceil"
        | "Celu"
        | "Clip"
        | "Cos"
        | "CumSum"
        | "Dropout"
        | "Elu"
        | "Erf"
        | "Exp"
        | "Floor"
        | "Gelu"
        | "GroupNormalization"
        | "HardSigmoid"
        | "HardSwish"
        | "InstanceNormalization"
        | "LayerNormalization"
        | "LeakyRelu"
        | "Log"
        | "LogSoftmax"
        | "LpNormalization"
        | "Mish"
        | "Neg"
        | "Not"
        | "Reciprocal"
        | "Relu"
        | "Round"
        | "Selu"
        | "Sigmoid"
        | "Sign"
        | "Sin"
        | "SimplifiedLayerNormalization"
        | "RMSNormalization"
        | "Softmax"
        | "Softplus"
        | "Softsign"
        | "Sqrt"
        | "Tan"
        | "Tanh"
        | "ThresholdedRelu"
        | "Trilu" => {
            let input = settings.input(0)?;
            let outputs = vec![input.unknown(input.shape.clone()); node.output.len()];
            return Ok(Given { outputs, unfolded: 0 });
        }
        "Identity" => settings.input(0)?.clone(),
        "Cast" => cast(settings.input(0)?, settings.node.integer("to", 1)),
        operator if is_combination(operator) => combined(operator, &settings.all())?,
        "Conv" => return window::convolution(&settings),
        "MaxPool" | "AveragePool" => return window::pooling(&settings),
        "GlobalAveragePool" | "GlobalMaxPool" => window::global(settings.input(0)?),
        "MatMul" => product_of(settings.input(0)?, settings.input(1)?)?,
        "Gemm" => general_product(&settings)?,
        "Einsum" => {
            let equation = settings.node.word("equation");
            let (output, unfolded) = einsum(&equation, &settings.all())?;
            return Ok(Given { outputs: vec![output], unfolded });
        }
        "Constant" => constant(&settings)?,
        "ConstantOfShape" => filled(&settings)?,
        "Shape" => shape_of(&settings)?,
        "Size" => Value::of_integers(
            Vec::new(),
            vec![i64::try_from(settings.input(0)?.elements()).unwrap_or(i64::MAX)],
        ),
        "Reshape" => selection::reshape(&settings)?,
        "Flatten" => flattened(&settings)?,
        "Transpose" => transposed(&settings)?,
        "Squeeze" => squeezed(&settings)?,
        "Unsqueeze" => unsqueezed(&settings)?,
        "Concat" => selection::concat(&settings)?,
        "Split" => return Ok(Given { outputs: selection::split(&settings)?, unfolded: 0 }),
        "Slice" => selection::slice(&settings)?,
        "Gather" => selection::gather(&settings)?,
        "GatherND" => selection::gather_nd(&settings)?,
        "GatherElements" => settings.input(0)?.unknown(settings.input(1)?.shape.clone()),
        "Expand" => {
            let (input, wanted) = (settings.input(0)?, sizes(&settings.required(1)?)?);
            input.unknown(broadcast(&input.shape, &wanted)?)
        }
        "Tile" => selection::tile(&settings)?,
        "Pad" => selection::pad(&settings)?,
        "Range" => selection::range(&settings)?,
        "ReduceL1" | "ReduceL2" | "ReduceLogSum" | "ReduceLogSumExp" | "ReduceMax" | "ReduceMean"
        | "ReduceMin" | "ReduceProd" | "ReduceSum" | "ReduceSumSquare" => {
            reduced(&settings, settings.list("axes", 1)?)?
        }
        "ArgMax" | "ArgMin" => {
            Value { width: 8, ..reduced(&settings, Some(vec![settings.node.integer("axis", 0)]))? }
        }
        _ => {
            let known = "how much memory it takes cannot be computed in advance";
            return Err(format!(
                "this operator is not supported: {known} (docs/own-network.md lists those that are)"
            ));
        }
    };
    let unfolded = match node.op_type.as_str() {
        // Rows of the second matrix are filled up to whole vectors.
        "MatMul" | "Gemm" => settings
            .input(1)?
            .shape
            .iter()
            .rev()
            .take(2)
            .map(|size| filled_up(*size))
            .fold(1, u64::saturating_mul),
        // The places of elements take as much as two numbers, for up to three inputs.
        "Expand" | "GatherElements" | "GatherND" | "Slice" | "Transpose" => {
            output.elements().saturating_mul(2)
        }
        _ if is_combination(&node.op_type)
            && settings.all().iter().any(|input| input.shape != output.shape) =>
        {
            output.elements().saturating_mul(6)
        }
        _ => 0,
    };
    Ok(Given { outputs: vec![output], unfolded })
}

/// True for operators that combine values element by element.
fn is_combination(operator: &str) -> bool {
    matches!(
        operator,
        "Add"
            | "And"
            | "Div"
            | "Equal"
            | "Greater"
            | "GreaterOrEqual"
            | "Less"
            | "LessOrEqual"
            | "Max"
            | "Mean"
            | "Min"
            | "Mod"
            | "Mul"
            | "Or"
            | "PRelu"
            | "Pow"
            | "Sub"
            | "Sum"
            | "Where"
            | "Xor"
    )
}

/// Elements of another type, a number of `DataType`.
fn cast(input: &Value, to: i64) -> Value {
    match to {
        // Floats, which are never sizes.
        1 | 10 | 11 | 16 => Value { width: 4, ..input.unknown(input.shape.clone()) },
        // Truth values.
        9 => {
            let integers = input.integers.iter().flatten().map(|integer| i64::from(*integer != 0));
            let integers = input.integers.as_ref().map(|_| integers.collect());
            Value { width: 8, integers, ..input.clone() }
        }
        _ => Value { width: 8, ..input.clone() },
    }
}

/// The shape of values that are combined element by element.
fn broadcast(left: &[u64], right: &[u64]) -> Result<Vec<u64>, String> {
    let rank = left.len().max(right.len());
    let size =
        |shape: &[u64], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    (0..rank)
        .map(|axis| match (size(left, axis), size(right, axis)) {
            (1, size) | (size, 1) => Ok(size),
            (left, right) if left == right => Ok(left),
            (left, right) => Err(format!("sizes {left} and {right} do not fit each other")),
        })
        .collect()
}

fn combined(operator: &str, inputs: &[&Value]) -> Result<Value, String> {
    let first = *inputs.first().ok_or("it has no inputs")?;
    let expected = match operator {
        "Max" | "Mean" | "Min" | "Sum" => inputs.len(),
        "Where" => 3,
        _ => 2,
    };
    if inputs.len() != expected {
        return Err(format!("it has {} inputs, expected {expected}", inputs.len()));
    }
    let mut shape = first.shape.clone();
    for input in &inputs[1..] {
        shape = broadcast(&shape, &input.shape)?;
    }
    let integers = arithmetic(operator).and_then(|operator| elementwise(&shape, inputs, operator));
    let compares = matches!(operator, "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual");
    let width = if compares { 8 } else { inputs.iter().map(|input| input.width).max().unwrap_or(8) };
    Ok(Value { shape, integers, width, is_constant: true })
}

fn product_of(left: &Value, right: &Value) -> Result<Value, String> {
    let (a, b) = (&left.shape, &right.shape);
    let (outer_a, rows) =
        if a.len() < 2 { (&a[..0], None) } else { (&a[..a.len() - 2], Some(a[a.len() - 2])) };
    let (outer_b, columns) =
        if b.len() < 2 { (&b[..0], None) } else { (&b[..b.len() - 2], b.last().copied()) };
    let mut shape = broadcast(outer_a, outer_b)?;
    shape.extend(rows.into_iter().chain(columns));
    Ok(left.unknown(shape))
}

fn general_product(settings: &Settings<'_>) -> Result<Value, String> {
    let (left, right) = (settings.input(0)?, settings.input(1)?);
    let side = |value: &Value, name: &str, side: usize| {
        let is_turned = settings.node.integer(name, 0) != 0;
        value.shape.get(if is_turned { 1 - side } else { side }).copied().filter(|_| value.shape.len() == 2)
    };
    match (side(left, "transA", 0), side(right, "transB", 1)) {
        (Some(rows), Some(columns)) => Ok(left.unknown(vec![rows, columns])),
        _ => Err("expected two matrices".to_owned()),
    }
}

fn constant(settings: &Settings<'_>) -> Result<Value, String> {
    let floats = |shape| Value { shape, integers: None, width: 4, is_constant: true };
    if let Some(inside) = settings.node.tensor("value") {
        return tensor(inside);
    }
    if let Some(integers) = settings.node.integers("value_ints") {
        return Ok(Value::list(integers.to_vec()));
    }
    if let Some(attribute) = settings.node.find("value_floats") {
        return Ok(floats(vec![attribute.floats.len() as u64]));
    }
    match (settings.node.find("value_int"), settings.node.find("value_float")) {
        (Some(attribute), _) => Ok(Value::of_integers(Vec::new(), vec![attribute.i])),
        (_, Some(_)) => Ok(floats(Vec::new())),
        _ => Err("expected the attribute value".to_owned()),
    }
}

fn filled(settings: &Settings<'_>) -> Result<Value, String> {
    let shape = sizes(&settings.required(0)?)?;
    let element = settings.node.tensor("value").map(tensor).transpose()?;
    let integer = element.as_ref().and_then(|value| value.integers.as_ref()?.first().copied());
    let width = element.map_or(4, |value| value.width);
    let length = product(&shape);
    let integers = integer.filter(|_| length <= 4096).map(|integer| vec![integer; length as usize]);
    Ok(Value { shape, integers, width, is_constant: true })
}

fn shape_of(settings: &Settings<'_>) -> Result<Value, String> {
    let shape = &settings.input(0)?.shape;
    let rank = shape.len() as i64;
    let place =
        |place: i64| (if place < 0 { place.saturating_add(rank) } else { place }).clamp(0, rank) as usize;
    let (start, end) = (place(settings.node.integer("start", 0)), place(settings.node.integer("end", rank)));
    let part = shape.get(start..end).unwrap_or_default();
    Ok(Value::list(part.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect()))
}

fn flattened(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let (axis, rank) = (settings.node.integer("axis", 1), input.shape.len());
    let axis = if axis == rank as i64 { rank } else { Value::axis(axis, rank)? };
    let (outer, inner) = input.shape.split_at(axis);
    Ok(input.unknown(vec![product(outer), product(inner)]))
}

fn transposed(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let rank = input.shape.len();
    let order =
        settings.node.integers("perm").map_or_else(|| (0..rank as i64).rev().collect(), <[i64]>::to_vec);
    let axes = order.iter().map(|&axis| Value::axis(axis, rank)).collect::<Result<Vec<_>, _>>()?;
    if (0..rank).any(|axis| !axes.contains(&axis)) || axes.len() != rank {
        return Err(format!("its perm must have each of {rank} axes once"));
    }
    Ok(input.unknown(axes.iter().map(|&axis| input.shape[axis]).collect()))
}

fn squeezed(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let rank = input.shape.len();
    let axes = settings.list("axes", 1)?;
    let axes =
        axes.map(|axes| axes.iter().map(|&axis| Value::axis(axis, rank)).collect::<Result<Vec<_>, _>>());
    let axes = axes.transpose()?;
    let is_left = |axis: usize| match &axes {
        Some(axes) => !axes.contains(&axis),
        None => input.shape[axis] != 1,
    };
    let shape: Vec<u64> = (0..rank).filter(|&axis| is_left(axis)).map(|axis| input.shape[axis]).collect();
    if product(&shape) != input.elements() {
        return Err("an axis that it removes is not of size 1".to_owned());
    }
    Ok(input.reshaped(shape))
}

fn unsqueezed(settings: &Settings<'_>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let axes = settings.list("axes", 1)?.ok_or("its axes are missing")?;
    let rank = input.shape.len() + axes.len();
    sizes(&vec![1; rank])?;
    let axes = axes.iter().map(|&axis| Value::axis(axis, rank)).collect::<Result<Vec<_>, _>>()?;
    let mut rest = input.shape.iter();
    let size = |axis| if axes.contains(&axis) { Some(1) } else { rest.next().copied() };
    let shape = (0..rank).map(size).collect::<Option<Vec<u64>>>().ok_or("an axis is there twice")?;
    Ok(input.reshaped(shape))
}

fn reduced(settings: &Settings<'_>, axes: Option<Vec<i64>>) -> Result<Value, String> {
    let input = settings.input(0)?;
    let rank = input.shape.len();
    let axes = axes.unwrap_or_default();
    if axes.is_empty() && settings.node.integer("noop_with_empty_axes", 0) != 0 {
        return Ok(input.unknown(input.shape.clone()));
    }
    let axes = axes.iter().map(|&axis| Value::axis(axis, rank)).collect::<Result<Vec<_>, _>>()?;
    if (1..axes.len()).any(|place| axes[..place].contains(&axes[place])) {
        return Err("an axis is there twice".to_owned());
    }
    let keeps = settings.node.integer("keepdims", 1) != 0;
    let is_reduced = |axis: &usize| axes.is_empty() || axes.contains(axis);
    let shape = (0..rank).filter(|axis| keeps || !is_reduced(axis));
    Ok(input.unknown(shape.map(|axis| if is_reduced(&axis) { 1 } else { input.shape[axis] }).collect()))
}
