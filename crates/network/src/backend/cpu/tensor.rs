//! The values of a graph.

use crate::onnx::{TensorProto, tensor_proto::DataType};

/// A value: numbers of one kind, in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tensor {
    /// The size of each axis.
    pub shape: Vec<usize>,
    pub elements: Elements,
}

/// The elements of a value. Every ONNX type is one of these: halves and doubles are floats, truth values are integers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Elements {
    Floats(Vec<f32>),
    Integers(Vec<i64>),
}

impl Tensor {
    /// A value of floats.
    pub(super) fn floats(shape: Vec<usize>, numbers: Vec<f32>) -> Tensor {
        debug_assert_eq!(shape.iter().product::<usize>(), numbers.len());
        Tensor { shape, elements: Elements::Floats(numbers) }
    }

    /// A value of integers.
    pub(super) fn integers(shape: Vec<usize>, numbers: Vec<i64>) -> Tensor {
        debug_assert_eq!(shape.iter().product::<usize>(), numbers.len());
        Tensor { shape, elements: Elements::Integers(numbers) }
    }

    /// Its floats.
    ///
    /// # Errors
    /// If it has integers.
    pub(super) fn as_floats(&self) -> Result<&[f32], String> {
        match &self.elements {
            Elements::Floats(numbers) => Ok(numbers),
            Elements::Integers(_) => Err("expected floats, found integers".to_owned()),
        }
    }

    /// Its integers.
    ///
    /// # Errors
    /// If it has floats.
    pub(super) fn as_integers(&self) -> Result<&[i64], String> {
        match &self.elements {
            Elements::Integers(numbers) => Ok(numbers),
            Elements::Floats(_) => Err("expected integers, found floats".to_owned()),
        }
    }

    /// The number of its elements.
    pub(super) fn len(&self) -> usize {
        match &self.elements {
            Elements::Floats(numbers) => numbers.len(),
            Elements::Integers(numbers) => numbers.len(),
        }
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// If the shape has another number of elements.
    pub(super) fn reshaped(mut self, shape: Vec<usize>) -> Result<Tensor, String> {
        if shape.iter().product::<usize>() != self.len() {
            return Err(format!("{} elements do not fit the shape {shape:?}", self.len()));
        }
        self.shape = shape;
        Ok(self)
    }

    /// The elements at these places, in a value of this shape.
    ///
    /// # Panics
    /// If there is no such place.
    pub(super) fn chosen(&self, shape: Vec<usize>, places: impl Iterator<Item = usize>) -> Tensor {
        match &self.elements {
            Elements::Floats(numbers) => Tensor::floats(shape, places.map(|place| numbers[place]).collect()),
            Elements::Integers(numbers) => {
                Tensor::integers(shape, places.map(|place| numbers[place]).collect())
            }
        }
    }

    /// Its elements as floats.
    pub(super) fn to_floats(&self) -> Vec<f32> {
        match &self.elements {
            Elements::Floats(numbers) => numbers.clone(),
            Elements::Integers(numbers) => numbers.iter().map(|number| *number as f32).collect(),
        }
    }

    /// The value of weights in the file, whose size was checked ([`crate::memory`]).
    ///
    /// # Errors
    /// If the elements are no numbers.
    pub(super) fn read(proto: &TensorProto) -> Result<Tensor, String> {
        let shape: Vec<usize> = proto.dims.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
        let kind = DataType::try_from(proto.data_type).unwrap_or(DataType::Undefined);
        let raw = &proto.raw_data;
        let is_raw = !raw.is_empty();
        let listed = || proto.int32_data.iter().map(|number| i64::from(*number)).collect();
        Ok(match kind {
            DataType::Float if is_raw => Tensor::floats(shape, parts(raw, f32::from_le_bytes)),
            DataType::Float => Tensor::floats(shape, proto.float_data.clone()),
            DataType::Double if is_raw => {
                Tensor::floats(shape, parts(raw, |bytes| f64::from_le_bytes(bytes) as f32))
            }
            DataType::Double => {
                Tensor::floats(shape, proto.double_data.iter().map(|number| *number as f32).collect())
            }
            DataType::Float16 | DataType::Bfloat16 => {
                let halves: Vec<u16> = if is_raw {
                    parts(raw, u16::from_le_bytes)
                } else {
                    proto.int32_data.iter().map(|bits| *bits as u16).collect()
                };
                let float = if kind == DataType::Float16 { of_half } else { of_bfloat };
                Tensor::floats(shape, halves.into_iter().map(float).collect())
            }
            DataType::Int64 if is_raw => Tensor::integers(shape, parts(raw, i64::from_le_bytes)),
            DataType::Int64 => Tensor::integers(shape, proto.int64_data.clone()),
            DataType::Uint64 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| u64::from_le_bytes(bytes) as i64))
            }
            DataType::Uint32 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| u32::from_le_bytes(bytes).into()))
            }
            DataType::Uint64 | DataType::Uint32 => {
                Tensor::integers(shape, proto.uint64_data.iter().map(|number| *number as i64).collect())
            }
            DataType::Int32 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| i32::from_le_bytes(bytes).into()))
            }
            DataType::Uint16 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| u16::from_le_bytes(bytes).into()))
            }
            DataType::Int16 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| i16::from_le_bytes(bytes).into()))
            }
            DataType::Int8 if is_raw => {
                Tensor::integers(shape, parts(raw, |bytes| i8::from_le_bytes(bytes).into()))
            }
            DataType::Uint8 | DataType::Bool if is_raw => {
                Tensor::integers(shape, parts(raw, |[byte]| byte.into()))
            }
            DataType::Int32
            | DataType::Uint16
            | DataType::Int16
            | DataType::Int8
            | DataType::Uint8
            | DataType::Bool => Tensor::integers(shape, listed()),
            _ => return Err("expected elements that are numbers".to_owned()),
        })
    }
}

/// Reads elements of `SIZE` bytes.
fn parts<const SIZE: usize, T>(bytes: &[u8], read: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|bytes| read(*bytes)).collect()
}

/// The number with these 16 bits (IEEE 754, binary16).
fn of_half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, bits & 1023);
    let size = match exponent {
        0 => f32::from(fraction) / 16_777_216.0,
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        // The exponent of a 32-bit float is biased by 127 instead of 15, and its fraction has 13 more bits.
        _ => f32::from_bits((u32::from(exponent) + 112) << 23 | u32::from(fraction) << 13),
    };
    if sign == 1 { -size } else { size }
}

/// The number whose upper 16 bits are these.
fn of_bfloat(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_all_types_are_read() {
        let read = |data_type: DataType, raw_data: &[u8]| {
            let proto = TensorProto {
                dims: vec![2],
                data_type: data_type as i32,
                raw_data: raw_data.to_vec(),
                ..Default::default()
            };
            Tensor::read(&proto).unwrap()
        };
        let floats = |numbers: [f32; 2]| Tensor::floats(vec![2], numbers.to_vec());
        let integers = |numbers: [i64; 2]| Tensor::integers(vec![2], numbers.to_vec());
        assert_eq!(read(DataType::Float16, &[0x00, 0x3c, 0x00, 0xc4]), floats([1.0, -4.0]));
        assert_eq!(read(DataType::Float16, &[0x01, 0x00, 0xff, 0x7b]), floats([1.0 / 16_777_216.0, 65504.0]));
        assert_eq!(read(DataType::Bfloat16, &[0x80, 0x3f, 0x00, 0xc0]), floats([1.0, -2.0]));
        assert_eq!(
            read(DataType::Double, &[1.5f64, -2.0].map(f64::to_le_bytes).concat()),
            floats([1.5, -2.0])
        );
        assert_eq!(read(DataType::Int8, &[1, 0xff]), integers([1, -1]));
        assert_eq!(read(DataType::Bool, &[1, 0]), integers([1, 0]));
        assert_eq!(read(DataType::Int32, &[1i32, -7].map(i32::to_le_bytes).concat()), integers([1, -7]));
        let listed = TensorProto {
            dims: vec![2],
            data_type: DataType::Float16 as i32,
            int32_data: vec![0x3c00, 0xc400],
            ..Default::default()
        };
        assert_eq!(Tensor::read(&listed).unwrap(), floats([1.0, -4.0]));
    }
}
