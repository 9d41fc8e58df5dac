use std::collections::HashMap;

use tch::{Device, Kind, TchError, Tensor};

use crate::onnx::{GraphProto, TensorProto, tensor_proto::DataType};

/// The constants of a graph, by name.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// Weights.
    pub tensors: HashMap<String, Tensor>,
    /// Integers, such as the sizes for Reshape.
    pub integers: HashMap<String, Vec<i64>>,
}

impl Constants {
    /// The constants of `graph`, with the weights on `device`.
    ///
    /// # Errors
    /// If one is damaged, or has neither 32-bit floats nor 64-bit integers.
    pub(super) fn of(graph: &GraphProto, device: Device) -> Result<Constants, TchError> {
        let mut constants = Constants::default();
        for tensor in &graph.initializer {
            let name = tensor.name.clone();
            if tensor.data_type == DataType::Int64 as i32 {
                constants.integers.insert(name, integers(tensor)?);
            } else {
                constants.tensors.insert(name, weight(tensor)?.f_to_device(device)?);
            }
        }
        Ok(constants)
    }

    /// A copy that shares the weights.
    pub(super) fn shallow_clone(&self) -> Constants {
        let tensors = self.tensors.iter().map(|(name, tensor)| (name.clone(), tensor.shallow_clone()));
        Constants { tensors: tensors.collect(), integers: self.integers.clone() }
    }
}

fn refusal(tensor: &TensorProto, reason: &str) -> TchError {
    TchError::Kind(format!("weight {:?} {reason}", tensor.name))
}

/// The numbers of `tensor`: its raw little-endian bytes or, if there are none, its field of numbers, `written`.
fn numbers<T: Clone, const BYTES: usize>(
    tensor: &TensorProto,
    written: &[T],
    number: fn([u8; BYTES]) -> T,
) -> Result<Vec<T>, TchError> {
    if !tensor.external_data.is_empty() {
        return Err(refusal(tensor, "is in another file"));
    }
    match (tensor.raw_data.as_slice(), tensor.raw_data.as_chunks()) {
        ([], _) => Ok(written.to_vec()),
        (_, (numbers, [])) => Ok(numbers.iter().map(|bytes| number(*bytes)).collect()),
        _ => Err(refusal(tensor, "ends in the middle of a number")),
    }
}

fn weight(tensor: &TensorProto) -> Result<Tensor, TchError> {
    if tensor.data_type != DataType::Float as i32 {
        return Err(refusal(tensor, "does not have 32-bit floats"));
    }
    let numbers = numbers(tensor, &tensor.float_data, f32::from_le_bytes)?;
    Tensor::from_slice(&numbers).f_view(tensor.dims.as_slice())?.f_to_kind(Kind::Float)
}

fn integers(tensor: &TensorProto) -> Result<Vec<i64>, TchError> {
    numbers(tensor, &tensor.int64_data, i64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(data_type: DataType, bytes: usize) -> TensorProto {
        TensorProto {
            dims: vec![2],
            data_type: data_type as i32,
            raw_data: vec![0; bytes],
            ..Default::default()
        }
    }

    #[test]
    fn weights_that_are_not_32_bit_floats_or_are_truncated_are_refused() {
        assert!(weight(&tensor(DataType::Float, 8)).is_ok());
        for (data_type, bytes) in [(DataType::Float, 9), (DataType::Float, 12), (DataType::Double, 16)] {
            assert!(weight(&tensor(data_type, bytes)).is_err(), "{data_type:?} {bytes}");
        }
    }

    #[test]
    fn integers_are_read_from_raw_bytes_or_from_their_field() {
        let written = TensorProto { int64_data: vec![0, -1], ..tensor(DataType::Int64, 0) };
        let raw = [0i64, -1].iter().flat_map(|number| number.to_le_bytes()).collect();
        let raw = TensorProto { raw_data: raw, ..tensor(DataType::Int64, 0) };
        for tensor in [written, raw] {
            assert_eq!(integers(&tensor).unwrap(), [0, -1]);
        }
        assert!(integers(&tensor(DataType::Int64, 12)).is_err());
    }
}
