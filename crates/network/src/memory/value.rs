use crate::onnx::{TensorProto, tensor_proto::DataType};

/// More integers than this are never a shape.
const MAX_INTEGERS: u64 = 4096;
/// The most dimensions of a value.
const MAX_RANK: usize = 16;

/// What is known about a value before it is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Its sizes.
    pub shape: Vec<u64>,
    /// Its elements, if they are known integers. Shapes are computed from such values.
    pub integers: Option<Vec<i64>>,
    /// The bytes of an element, at most.
    pub width: u64,
    /// True if it does not depend on the position.
    pub is_constant: bool,
}

impl Value {
    /// A value of 32-bit floats that depends on the position.
    pub(super) fn computed(shape: Vec<u64>) -> Value {
        Value { shape, integers: None, width: 4, is_constant: false }
    }

    /// A list of known integers.
    pub(super) fn list(integers: Vec<i64>) -> Value {
        Value::of_integers(vec![integers.len() as u64], integers)
    }

    /// Known integers of this shape. Their number must be that of the shape.
    pub(super) fn of_integers(shape: Vec<u64>, integers: Vec<i64>) -> Value {
        Value { shape, integers: Some(integers), width: 8, is_constant: true }
    }

    /// The same elements in another shape.
    pub(super) fn reshaped(&self, shape: Vec<u64>) -> Value {
        Value { shape, ..self.clone() }
    }

    /// A value with elements as wide as these, which are not known.
    pub(super) fn unknown(&self, shape: Vec<u64>) -> Value {
        Value { shape, integers: None, ..*self }
    }

    /// The number of its elements.
    pub(super) fn elements(&self) -> u64 {
        product(&self.shape)
    }

    /// Its size in memory, at most.
    pub(super) fn bytes(&self) -> u64 {
        self.elements().saturating_mul(self.width)
    }

    /// The place of an axis, which counts from the end if it is negative. `rank` is that of the value to which the axis
    /// belongs.
    pub(super) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
        let place = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
        let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < rank);
        place.ok_or_else(|| format!("its axis {axis} does not exist, the value has {rank}"))
    }
}

/// The product of sizes; at most the largest number there is.
pub(super) fn product(sizes: &[u64]) -> u64 {
    if sizes.contains(&0) {
        0
    } else {
        sizes.iter().fold(1, |product, &size| u64::saturating_mul(product, size))
    }
}

/// A number of elements filled up to whole vectors, as the layers lay them out.
pub(super) fn filled_up(elements: u64) -> u64 {
    elements.checked_next_multiple_of(16).unwrap_or(u64::MAX)
}

/// Sizes from integers.
pub(super) fn sizes(integers: &[i64]) -> Result<Vec<u64>, String> {
    if integers.len() > MAX_RANK {
        return Err(format!("it has {} dimensions, at most {MAX_RANK} are supported", integers.len()));
    }
    let size =
        |&size: &i64| u64::try_from(size).map_err(|_| format!("a size is {size}, expected at least 0"));
    integers.iter().map(size).collect()
}

/// The value of weights in the file. Their data must lie in the file and have the size that they declare.
pub(super) fn tensor(tensor: &TensorProto) -> Result<Value, String> {
    // Some exporters write the location of data that lie in the file, too; 1 stands for another file.
    if tensor.data_location == Some(1) {
        let place = tensor.external_data.iter().find(|entry| entry.key == "location");
        let file = place.map_or("another file", |entry| entry.value.as_str());
        let file: String = file.chars().filter(|c| !c.is_control()).take(80).collect();
        return Err(format!("the data lie in another file ({file}), expected one file with all weights"));
    }
    let shape = sizes(&tensor.dims)?;
    let kind =
        DataType::try_from(tensor.data_type).map_err(|_| "the type of the elements is unknown".to_owned())?;
    let width: u64 = match kind {
        DataType::Bool | DataType::Int8 | DataType::Uint8 => 1,
        DataType::Float16 | DataType::Bfloat16 | DataType::Int16 | DataType::Uint16 => 2,
        DataType::Float | DataType::Int32 | DataType::Uint32 => 4,
        DataType::Double | DataType::Int64 | DataType::Uint64 => 8,
        _ => return Err("expected elements that are numbers".to_owned()),
    };
    let elements = product(&shape);
    let raw = tensor.raw_data.len() as u64;
    let listed = match kind {
        DataType::Float => tensor.float_data.len(),
        DataType::Int64 => tensor.int64_data.len(),
        DataType::Double => tensor.double_data.len(),
        DataType::Uint32 | DataType::Uint64 => tensor.uint64_data.len(),
        _ => tensor.int32_data.len(),
    } as u64;
    let found = if raw > 0 { raw / width } else { listed };
    if found != elements || (raw > 0 && raw != elements * width) {
        return Err(format!("expected {elements} elements according to its sizes, found {found}"));
    }
    let integers = match kind {
        DataType::Int64 if elements <= MAX_INTEGERS && raw > 0 => Some(
            tensor
                .raw_data
                .chunks_exact(8)
                .map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap_or_default()))
                .collect(),
        ),
        DataType::Int64 if elements <= MAX_INTEGERS => Some(tensor.int64_data.clone()),
        DataType::Int32 if elements <= MAX_INTEGERS && raw > 0 => Some(
            tensor
                .raw_data
                .chunks_exact(4)
                .map(|bytes| i64::from(i32::from_le_bytes(bytes.try_into().unwrap_or_default())))
                .collect(),
        ),
        DataType::Int32 if elements <= MAX_INTEGERS => {
            Some(tensor.int32_data.iter().map(|&integer| i64::from(integer)).collect())
        }
        _ => None,
    };
    // In memory, all floats have 32 bits, and all integers 64.
    let is_float =
        matches!(kind, DataType::Float | DataType::Float16 | DataType::Bfloat16 | DataType::Double);
    Ok(Value { shape, integers, width: if is_float { 4 } else { 8 }, is_constant: true })
}
