use std::fmt::{self, Display, Formatter};

use crate::onnx::{AttributeProto, NodeProto};

/// An attribute's name and the value that the operator runs with.
type Known = (&'static str, Value);

/// The supported values of an attribute. They include ONNX's default, except for Gemm's transB and ReduceMean's axes.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// This integer.
    Integer(i64),
    /// A list of any length with only this integer.
    Integers(i64),
    /// This number.
    Float(f32),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Equal numbers on opposite sides of the board.
    Symmetric,
    /// Any value: the operator reads it.
    Read,
}

const NO_PADDING: Known = ("auto_pad", Value::Word(&["NOTSET", "VALID"]));

/// The supported attributes of an operator; `None` if the torch backend does not support the operator.
fn attributes(operator: &str) -> Option<&'static [Known]> {
    Some(match operator {
        "Conv" => &[
            NO_PADDING,
            ("dilations", Value::Integers(1)),
            ("group", Value::Integer(1)),
            ("kernel_shape", Value::Read),
            ("pads", Value::Symmetric),
            ("strides", Value::Integers(1)),
        ],
        "MaxPool" => &[
            NO_PADDING,
            ("ceil_mode", Value::Integer(0)),
            ("dilations", Value::Integers(1)),
            ("kernel_shape", Value::Read),
            ("pads", Value::Integers(0)),
            ("storage_order", Value::Integer(0)),
            ("strides", Value::Read),
        ],
        "Flatten" => &[("axis", Value::Integer(1))],
        "Gemm" => &[
            ("alpha", Value::Float(1.0)),
            ("beta", Value::Float(1.0)),
            ("transA", Value::Integer(0)),
            ("transB", Value::Integer(1)),
        ],
        "Reshape" => &[("allowzero", Value::Integer(0))],
        "Transpose" => &[("perm", Value::Read)],
        // 7 stands for 64-bit integers.
        "Cast" => &[("to", Value::Integer(7))],
        "Concat" => &[("axis", Value::Integer(1))],
        "Gather" => &[("axis", Value::Read)],
        "ReduceMean" => &[("axes", Value::Integers(-1)), ("keepdims", Value::Integer(1))],
        "Softmax" => &[("axis", Value::Integer(-1))],
        "Add" | "Div" | "GlobalAveragePool" | "MatMul" | "Mul" | "Relu" | "Sigmoid" | "Sqrt" | "Sub" => &[],
        _ => return None,
    })
}

impl Value {
    fn is(self, attribute: &AttributeProto) -> bool {
        match self {
            Value::Integer(only) => attribute.i == only,
            Value::Integers(only) => attribute.ints.iter().all(|&integer| integer == only),
            Value::Float(only) => attribute.f == only,
            Value::Word(words) => words.iter().any(|word| word.as_bytes() == attribute.s),
            Value::Symmetric => {
                matches!(attribute.ints[..], [top, left, bottom, right] if (top, left) == (bottom, right))
                    && attribute.ints.iter().all(|&integer| integer >= 0)
            }
            Value::Read => true,
        }
    }
}

pub(super) fn unknown(operator: &str) -> String {
    format!("the torch backend does not support the operator {operator}")
}

/// Refuses nodes that the torch backend would not run as ONNX specifies: those with an unsupported operator, attribute
/// or attribute value.
pub(super) fn check(node: &NodeProto) -> Result<(), String> {
    let operator = node.op_type.as_str();
    let known = attributes(operator)
        .filter(|_| matches!(node.domain.as_str(), "" | "ai.onnx"))
        .ok_or_else(|| unknown(operator))?;
    for attribute in &node.attribute {
        let name = attribute.name.as_str();
        let Some((_, value)) = known.iter().find(|(known, _)| *known == name) else {
            return Err(format!("the torch backend does not support the attribute {name} of {operator}"));
        };
        if !value.is(attribute) {
            return Err(format!(
                "the torch backend runs {operator} only with {name} {value}, found {}",
                found(*value, attribute)
            ));
        }
    }
    // Attributes whose defaults are not supported.
    for (of, name, run, default) in [("Gemm", "transB", 1, "0"), ("ReduceMean", "axes", -1, "all")] {
        if operator == of && node.find(name).is_none() {
            return Err(format!(
                "the torch backend runs {of} only with {name} {run}, found none, which means {default}"
            ));
        }
    }
    if node.output.len() != 1 {
        return Err(format!(
            "the torch backend runs {operator} only with one output, found {}",
            node.output.len()
        ));
    }
    Ok(())
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(only) | Value::Integers(only) => write!(f, "{only}"),
            Value::Float(only) => write!(f, "{only}"),
            Value::Word(words) => f.write_str(&words.join(" or ")),
            Value::Symmetric => f.write_str("equal on opposite sides"),
            Value::Read => f.write_str("of any value"),
        }
    }
}

fn found(value: Value, attribute: &AttributeProto) -> String {
    match value {
        Value::Integer(_) => attribute.i.to_string(),
        Value::Integers(_) | Value::Symmetric | Value::Read => format!("{:?}", attribute.ints),
        Value::Float(_) => attribute.f.to_string(),
        Value::Word(_) => String::from_utf8_lossy(&attribute.s).into_owned(),
    }
}

/// The two integers of an attribute, one for each dimension of the board; `default` if the node has no such attribute.
pub(super) fn pair(node: &NodeProto, name: &str, default: Option<[i64; 2]>) -> Result<[i64; 2], String> {
    match (node.find(name), default) {
        (Some(attribute), _) => <[i64; 2]>::try_from(attribute.ints.as_slice())
            .ok()
            .filter(|pair| pair.iter().all(|&integer| integer > 0))
            .ok_or_else(|| {
                format!(
                    "{name} of {} must be two positive integers, found {:?}",
                    node.op_type, attribute.ints
                )
            }),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(format!("{} has no attribute {name}", node.op_type)),
    }
}

/// The numbers of rows and columns of zeros with which a node pads each side of the board.
pub(super) fn pads(node: &NodeProto) -> [i64; 2] {
    node.integers("pads").and_then(|pads| pads.first_chunk().copied()).unwrap_or([0, 0])
}

/// True if auto_pad turns padding off.
pub(super) fn is_valid_padding(node: &NodeProto) -> bool {
    node.find("auto_pad").is_some_and(|attribute| attribute.s == b"VALID")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(operator: &str, attributes: Vec<AttributeProto>) -> NodeProto {
        NodeProto {
            op_type: operator.to_owned(),
            attribute: attributes,
            output: vec!["y".to_owned()],
            ..Default::default()
        }
    }

    fn integer(name: &str, i: i64) -> AttributeProto {
        AttributeProto { name: name.to_owned(), i, ..Default::default() }
    }

    fn integers(name: &str, ints: &[i64]) -> AttributeProto {
        AttributeProto { name: name.to_owned(), ints: ints.to_vec(), ..Default::default() }
    }

    fn float(name: &str, f: f32) -> AttributeProto {
        AttributeProto { name: name.to_owned(), f, ..Default::default() }
    }

    fn word(name: &str, s: &str) -> AttributeProto {
        AttributeProto { name: name.to_owned(), s: s.as_bytes().to_vec(), ..Default::default() }
    }

    #[test]
    fn unsupported_nodes_are_refused() {
        let transposed = || integer("transB", 1);
        for (operator, attributes, told) in [
            ("Conv", vec![integers("dilations", &[2, 2])], "Conv only with dilations 1, found [2, 2]"),
            ("Conv", vec![integer("group", 17)], "Conv only with group 1, found 17"),
            (
                "Conv",
                vec![integers("pads", &[0, 0, 1, 1])],
                "pads equal on opposite sides, found [0, 0, 1, 1]",
            ),
            ("Conv", vec![integers("strides", &[1, 2])], "Conv only with strides 1, found [1, 2]"),
            ("Conv", vec![word("auto_pad", "SAME_UPPER")], "auto_pad NOTSET or VALID, found SAME_UPPER"),
            ("MaxPool", vec![integer("ceil_mode", 1)], "MaxPool only with ceil_mode 0, found 1"),
            ("MaxPool", vec![integers("pads", &[1; 4])], "MaxPool only with pads 0"),
            ("MaxPool", vec![integers("dilations", &[2, 1])], "MaxPool only with dilations 1"),
            ("Flatten", vec![integer("axis", 2)], "Flatten only with axis 1, found 2"),
            ("Gemm", vec![transposed(), integer("transA", 1)], "Gemm only with transA 0, found 1"),
            ("Gemm", vec![transposed(), float("alpha", 0.5)], "Gemm only with alpha 1, found 0.5"),
            ("Gemm", vec![], "Gemm only with transB 1, found none"),
            ("Relu", vec![float("alpha", 1.0)], "does not support the attribute alpha of Relu"),
            ("Conv", vec![integer("rounding", 0)], "does not support the attribute rounding of Conv"),
            ("Add", vec![integer("axis", 1)], "does not support the attribute axis of Add"),
            ("Reshape", vec![integer("allowzero", 1)], "Reshape only with allowzero 0, found 1"),
            ("LogSoftmax", vec![], "does not support the operator LogSoftmax"),
            ("Softmax", vec![integer("axis", 1)], "Softmax only with axis -1, found 1"),
            ("Concat", vec![integer("axis", 2)], "Concat only with axis 1, found 2"),
            ("Cast", vec![integer("to", 10)], "Cast only with to 7, found 10"),
            ("ReduceMean", vec![integers("axes", &[1])], "ReduceMean only with axes -1, found [1]"),
            ("ReduceMean", vec![], "ReduceMean only with axes -1, found none"),
        ] {
            let error = check(&node(operator, attributes)).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
        let foreign = NodeProto { domain: "com.example".to_owned(), ..node("Relu", vec![]) };
        assert!(check(&foreign).is_err());
    }

    #[test]
    fn attributes_with_supported_values_are_accepted() {
        for (operator, attributes) in [
            (
                "Conv",
                vec![
                    integers("dilations", &[1, 1]),
                    integer("group", 1),
                    integers("kernel_shape", &[3, 3]),
                    integers("pads", &[0; 4]),
                    integers("strides", &[1, 1]),
                    word("auto_pad", "NOTSET"),
                ],
            ),
            ("Conv", vec![integers("pads", &[1; 4])]),
            ("Reshape", vec![integer("allowzero", 0)]),
            ("Transpose", vec![integers("perm", &[0, 2, 3, 1])]),
            ("MaxPool", vec![integers("kernel_shape", &[2, 2]), integers("strides", &[2, 2])]),
            ("Gemm", vec![float("alpha", 1.0), float("beta", 1.0), integer("transB", 1)]),
            ("Flatten", vec![]),
            ("Sigmoid", vec![]),
        ] {
            assert_eq!(check(&node(operator, attributes)), Ok(()), "{operator}");
        }
    }

    #[test]
    fn a_pair_is_two_positive_integers_or_the_default() {
        let pool = node("MaxPool", vec![integers("kernel_shape", &[2, 3]), integers("strides", &[2])]);
        assert_eq!(pair(&pool, "kernel_shape", None), Ok([2, 3]));
        assert!(pair(&pool, "strides", Some([1, 1])).is_err());
        assert_eq!(pair(&node("MaxPool", vec![]), "strides", Some([1, 1])), Ok([1, 1]));
        assert!(
            pair(&node("MaxPool", vec![]), "kernel_shape", None).unwrap_err().contains("has no attribute")
        );
        assert!(pair(&node("MaxPool", vec![integers("strides", &[0, 2])]), "strides", None).is_err());
    }
}
