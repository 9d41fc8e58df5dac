use std::collections::HashMap;

use tch::{Kind, TchError, Tensor};

use super::{
    constants::Constants,
    operators::{is_valid_padding, pads, pair, unknown},
};
use crate::onnx::NodeProto;

/// Computes the value of `node` from earlier `values` and the graph's constants. [`check`](super::operators::check) has
/// accepted the node.
///
/// # Errors
/// If the node uses an undefined value, or libtorch rejects the shapes.
pub(super) fn apply(
    node: &NodeProto,
    values: &HashMap<&str, Tensor>,
    constants: &Constants,
) -> Result<Tensor, TchError> {
    let name = |index: usize| node.input.get(index).map(String::as_str).unwrap_or_default();
    let operand = |index: usize| -> Result<&Tensor, TchError> {
        let name = name(index);
        values.get(name).or_else(|| constants.tensors.get(name)).ok_or_else(|| missing(name))
    };
    let bias = || (node.input.len() > 2).then(|| operand(2)).transpose();
    let x = operand(0)?;
    match node.op_type.as_str() {
        "Conv" => {
            let weight = operand(1)?;
            let size = weight.size();
            let kernel = pair(node, "kernel_shape", size.last_chunk().copied()).map_err(TchError::Kind)?;
            if size.len() != 4 || size[2..] != kernel {
                return Err(TchError::Kind(format!(
                    "Conv with kernel_shape {kernel:?} has weights of shape {size:?}"
                )));
            }
            let padding = if is_valid_padding(node) { [0, 0] } else { pads(node) };
            // By default a GPU would round factors to ten bits (TF32) and might choose another algorithm each time.
            let (is_deterministic, rounds) = (true, false);
            x.f_internal_convolution(
                weight,
                bias()?,
                [1, 1],
                padding,
                [1, 1],
                false,
                [0, 0],
                1,
                false,
                is_deterministic,
                true,
                rounds,
            )
        }
        "Relu" => x.f_relu(),
        "Sigmoid" => x.f_sigmoid(),
        "Add" => x.f_add(operand(1)?),
        "Mul" => x.f_mul(operand(1)?),
        "Sub" => x.f_sub(operand(1)?),
        "Div" => x.f_div(operand(1)?),
        "Sqrt" => x.f_sqrt(),
        "MatMul" => x.f_matmul(operand(1)?),
        "Softmax" => x.f_softmax(-1, Kind::Float),
        "ReduceMean" => x.f_mean_dim([-1i64].as_slice(), true, Kind::Float),
        "Cast" => x.f_to_kind(Kind::Int64),
        "Concat" => {
            let all: Vec<&Tensor> = (0..node.input.len()).map(operand).collect::<Result<_, _>>()?;
            Tensor::f_cat(&all, 1)
        }
        "Gather" => {
            let axis = node.integer("axis", 0);
            match constants.integers.get(name(1)) {
                Some(places) => x.f_index_select(axis, &Tensor::from_slice(places).to_device(x.device())),
                None => {
                    // The dimensions of the indices replace the axis.
                    let indices = operand(1)?;
                    let rows = x.f_index_select(axis, &indices.f_flatten(0, -1)?)?;
                    if axis != 0 {
                        return Err(TchError::Kind(
                            "the torch backend runs Gather by computed indices only with axis 0".to_owned(),
                        ));
                    }
                    let sizes = [&indices.size()[..], &x.size()[1..]].concat();
                    rows.f_view(sizes.as_slice())
                }
            }
        }
        "MaxPool" => {
            let size = pair(node, "kernel_shape", None).map_err(TchError::Kind)?;
            let strides = pair(node, "strides", Some([1, 1])).map_err(TchError::Kind)?;
            x.f_max_pool2d(size, strides, [0, 0], [1, 1], false)
        }
        "GlobalAveragePool" => x.f_adaptive_avg_pool2d([1, 1]),
        "Flatten" => x.f_flatten(1, -1),
        "Reshape" => {
            let sizes = constants.integers.get(name(1)).ok_or_else(|| missing(name(1)))?;
            x.f_reshape(reshaped(&x.size(), sizes).as_slice())
        }
        "Transpose" => {
            let dimensions = x.dim() as i64;
            let order =
                node.integers("perm").map_or_else(|| (0..dimensions).rev().collect(), <[i64]>::to_vec);
            x.f_permute(order.as_slice())
        }
        "Gemm" => x.f_linear(operand(1)?, bias()?),
        other => Err(TchError::Kind(unknown(other))),
    }
}

pub(super) fn missing(name: &str) -> TchError {
    TchError::Kind(format!("the graph uses an undefined value: {name:?}"))
}

/// The shape that Reshape passes to libtorch: 0 in `wanted` keeps the size of `present`, and libtorch infers −1.
fn reshaped(present: &[i64], wanted: &[i64]) -> Vec<i64> {
    let kept = |(index, size): (usize, &i64)| match size {
        0 => present.get(index).copied().unwrap_or(0),
        size => *size,
    };
    wanted.iter().enumerate().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use crate::onnx::AttributeProto;
    use tch::Device;

    use super::*;

    fn node(operator: &str, inputs: &[&str], attributes: &[(&str, &[i64])]) -> NodeProto {
        let attributes = attributes.iter().map(|(name, integers)| AttributeProto {
            name: (*name).to_owned(),
            ints: integers.to_vec(),
            ..Default::default()
        });
        NodeProto {
            op_type: operator.to_owned(),
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec!["y".to_owned()],
            attribute: attributes.collect(),
            ..Default::default()
        }
    }

    /// The shape of a node's value for x, two positions of 17 planes; w has weights of this shape.
    fn sizes(node: &NodeProto, weight: &[i64]) -> Result<Vec<i64>, TchError> {
        let zeros = |sizes: &[i64]| Tensor::zeros(sizes, (Kind::Float, Device::Cpu));
        let mut constants = Constants::default();
        constants.tensors.insert("w".to_owned(), zeros(weight));
        constants.integers.insert("sizes".to_owned(), vec![0, -1, 1, 1]);
        let values = HashMap::from([("x", zeros(&[2, 17, 8, 8]))]);
        apply(node, &values, &constants).map(|value| value.size())
    }

    #[test]
    fn the_stride_of_pooling_is_1_by_default() {
        let pool = |attributes: &[(&str, &[i64])]| sizes(&node("MaxPool", &["x"], attributes), &[1]);
        assert_eq!(pool(&[("kernel_shape", &[2, 2])]).unwrap(), [2, 17, 7, 7]);
        assert_eq!(pool(&[("kernel_shape", &[2, 2]), ("strides", &[2, 2])]).unwrap(), [2, 17, 4, 4]);
        assert!(pool(&[]).is_err());
    }

    #[test]
    fn a_padded_convolution_keeps_the_size_of_the_board() {
        let conv = |size: i64, pads: &[i64]| {
            let attributes: &[(&str, &[i64])] = &[("kernel_shape", &[size, size]), ("pads", pads)];
            sizes(&node("Conv", &["x", "w"], attributes), &[1, 17, 3, 3])
        };
        assert_eq!(conv(3, &[0; 4]).unwrap(), [2, 1, 6, 6]);
        assert_eq!(conv(3, &[1; 4]).unwrap(), [2, 1, 8, 8]);
        assert!(conv(5, &[0; 4]).is_err(), "the shape of the weights differs");
    }

    #[test]
    fn operators_give_values_of_the_right_shape() {
        let of = |operator: &str, inputs: &[&str], attributes: &[(&str, &[i64])]| {
            sizes(&node(operator, inputs, attributes), &[1]).unwrap()
        };
        assert_eq!(of("Reshape", &["x", "sizes"], &[]), [2, 17 * 64, 1, 1]);
        assert_eq!(of("Transpose", &["x"], &[("perm", &[0, 2, 3, 1])]), [2, 8, 8, 17]);
        assert_eq!(of("Transpose", &["x"], &[]), [8, 8, 17, 2]);
        assert_eq!(of("Flatten", &["x"], &[]), [2, 17 * 64]);
        assert_eq!(of("GlobalAveragePool", &["x"], &[]), [2, 17, 1, 1]);
        assert!(sizes(&node("Reshape", &["x", "nothing"], &[]), &[1]).is_err());
        assert_eq!(of("ReduceMean", &["x"], &[("axes", &[-1])]), [2, 17, 8, 1]);
        assert_eq!(of("Concat", &["x", "x"], &[]), [2, 34, 8, 8]);
        assert_eq!(of("MatMul", &["x", "x"], &[]), [2, 17, 8, 8]);
    }

    #[test]
    fn rows_are_gathered_by_computed_and_by_constant_indices() {
        let table = Tensor::arange(6, (Kind::Float, Device::Cpu)).view([3, 2]);
        let tokens = Tensor::from_slice(&[2.0f32, 0.0, 1.0, 1.0]).view([2, 2]);
        let mut constants = Constants::default();
        constants.tensors.insert("table".to_owned(), table);
        constants.integers.insert("last".to_owned(), vec![1]);
        let run = |operator: &str, inputs: &[&str], values: &HashMap<&str, Tensor>, axis: i64| {
            let mut node = node(operator, inputs, &[]);
            node.attribute.push(AttributeProto { name: "axis".to_owned(), i: axis, ..Default::default() });
            apply(&node, values, &constants)
        };
        let mut values = HashMap::from([("x", tokens)]);
        values.insert("indices", run("Cast", &["x"], &values, 0).unwrap());
        let rows = run("Gather", &["table", "indices"], &values, 0).unwrap();
        assert_eq!(rows.size(), [2, 2, 2]);
        values.insert("rows", rows);
        let last = run("Gather", &["rows", "last"], &values, 1).unwrap();
        assert_eq!(last.size(), [2, 1, 2]);
        assert_eq!(Vec::<f32>::try_from(last.view(-1)).unwrap(), [0.0, 1.0, 2.0, 3.0]);
        assert!(run("Gather", &["table", "indices"], &values, 1).is_err());
    }
}
