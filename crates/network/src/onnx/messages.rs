//! The messages of an ONNX file: the parts of `onnx.proto3` that exporters of networks write, with its names and
//! numbers (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3>).
//!
//! The engine reads them and the trainer writes them. Fields that are missing here are skipped when a file is read.

use prost::{Enumeration, Message, Oneof};

/// A file: a graph and what is known about it.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// The version of the format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// The program that wrote the file.
    #[prost(string, tag = "2")]
    pub producer_name: String,
    /// The version of that program.
    #[prost(string, tag = "3")]
    pub producer_version: String,
    /// The name space of the model.
    #[prost(string, tag = "4")]
    pub domain: String,
    /// The version of the model.
    #[prost(int64, tag = "5")]
    pub model_version: i64,
    /// A description.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// The versions of the operators.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Keys with their values.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntryProto>,
}

/// A version of the operators of a name space.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    /// The name space; empty for ONNX's own operators.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// The version.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A key with its value.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    /// The key.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The value.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// A graph of operators.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The operators, in an order in which they can be computed.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// The name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// The weights and other constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    /// A description.
    #[prost(string, tag = "10")]
    pub doc_string: String,
    /// The inputs. Older exporters list the weights, too.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// The outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
    /// Values between operators.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfoProto>,
    /// Weights of which most are 0.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseTensorProto>,
}

/// An operator with its inputs, outputs and settings.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// The names of the values that it reads; empty for one that is left out.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// The names of the values that it gives.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The name.
    #[prost(string, tag = "3")]
    pub name: String,
    /// The kind of operator, such as `Conv`.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// The settings.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    /// A description.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The name space of the operator; empty for ONNX's own.
    #[prost(string, tag = "7")]
    pub domain: String,
}

/// A setting of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// A number.
    #[prost(float, tag = "2")]
    pub f: f32,
    /// An integer.
    #[prost(int64, tag = "3")]
    pub i: i64,
    /// A word.
    #[prost(bytes = "vec", tag = "4")]
    pub s: Vec<u8>,
    /// A tensor.
    #[prost(message, optional, tag = "5")]
    pub t: Option<TensorProto>,
    /// A graph.
    #[prost(message, optional, tag = "6")]
    pub g: Option<GraphProto>,
    /// Numbers.
    #[prost(float, repeated, tag = "7")]
    pub floats: Vec<f32>,
    /// Integers.
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    /// Words.
    #[prost(bytes = "vec", repeated, tag = "9")]
    pub strings: Vec<Vec<u8>>,
    /// Tensors.
    #[prost(message, repeated, tag = "10")]
    pub tensors: Vec<TensorProto>,
    /// Graphs.
    #[prost(message, repeated, tag = "11")]
    pub graphs: Vec<GraphProto>,
    /// Which of the other fields has the value.
    #[prost(enumeration = "attribute_proto::AttributeType", tag = "20")]
    pub r#type: i32,
    /// A tensor of which most elements are 0.
    #[prost(message, optional, tag = "22")]
    pub sparse_tensor: Option<SparseTensorProto>,
}

/// The types of [`AttributeProto`].
pub mod attribute_proto {
    use super::Enumeration;

    /// Which field of an attribute has its value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
    #[repr(i32)]
    pub enum AttributeType {
        /// It is not said.
        Undefined = 0,
        /// A number.
        Float = 1,
        /// An integer.
        Int = 2,
        /// A word.
        String = 3,
        /// A tensor.
        Tensor = 4,
        /// A graph.
        Graph = 5,
        /// Numbers.
        Floats = 6,
        /// Integers.
        Ints = 7,
        /// Words.
        Strings = 8,
        /// Tensors.
        Tensors = 9,
        /// Graphs.
        Graphs = 10,
        /// A sparse tensor.
        SparseTensor = 11,
        /// Sparse tensors.
        SparseTensors = 12,
        /// A type.
        TypeProto = 13,
        /// Types.
        TypeProtos = 14,
    }
}

/// The name and type of a value.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
    /// A description.
    #[prost(string, tag = "3")]
    pub doc_string: String,
}

/// A type. Those that are no tensors are skipped.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// What it is.
    #[prost(oneof = "type_proto::Value", tags = "1")]
    pub value: Option<type_proto::Value>,
}

/// The types of [`TypeProto`].
pub mod type_proto {
    use super::{Message, Oneof, TensorShapeProto};

    /// What a type is.
    #[derive(Clone, PartialEq, Oneof)]
    pub enum Value {
        /// A tensor.
        #[prost(message, tag = "1")]
        TensorType(Tensor),
    }

    /// The type of a tensor.
    #[derive(Clone, PartialEq, Message)]
    pub struct Tensor {
        /// The type of the elements, of [`DataType`](super::tensor_proto::DataType).
        #[prost(int32, tag = "1")]
        pub elem_type: i32,
        /// The sizes.
        #[prost(message, optional, tag = "2")]
        pub shape: Option<TensorShapeProto>,
    }
}

/// The sizes of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    /// One for each axis.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<tensor_shape_proto::Dimension>,
}

/// The types of [`TensorShapeProto`].
pub mod tensor_shape_proto {
    use super::Message;

    /// The size of an axis.
    #[derive(Clone, PartialEq, Message)]
    pub struct Dimension {
        /// The size, if it is said.
        #[prost(oneof = "dimension::Value", tags = "1, 2")]
        pub value: Option<dimension::Value>,
    }

    /// The types of [`Dimension`].
    pub mod dimension {
        use super::super::Oneof;

        /// A size or its name.
        #[derive(Clone, PartialEq, Oneof)]
        pub enum Value {
            /// A fixed size.
            #[prost(int64, tag = "1")]
            DimValue(i64),
            /// The name of a size that is left open.
            #[prost(string, tag = "2")]
            DimParam(String),
        }
    }
}

/// A tensor with its elements.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// The sizes.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// The type of the elements, of [`tensor_proto::DataType`].
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Elements that are 32-bit floats.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements that are integers of at most 32 bits, or the bits of 16-bit floats.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// Elements that are 64-bit integers.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The name.
    #[prost(string, tag = "8")]
    pub name: String,
    /// A description.
    #[prost(string, tag = "12")]
    pub doc_string: String,
    /// The elements as bytes, with the least significant byte first. Only one field has elements.
    #[prost(bytes = "vec", tag = "9")]
    pub raw_data: Vec<u8>,
    /// Elements that are 64-bit floats.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// Elements that are unsigned integers of 32 or 64 bits.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// Where the elements are, if they are in another file.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<StringStringEntryProto>,
    /// 1 if the elements are in another file.
    #[prost(int32, optional, tag = "14")]
    pub data_location: Option<i32>,
}

/// The types of [`TensorProto`].
pub mod tensor_proto {
    use super::Enumeration;

    /// The type of an element.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
    #[repr(i32)]
    pub enum DataType {
        /// It is not said.
        Undefined = 0,
        /// 32-bit floats.
        Float = 1,
        /// Bytes.
        Uint8 = 2,
        /// Signed bytes.
        Int8 = 3,
        /// Unsigned 16-bit integers.
        Uint16 = 4,
        /// 16-bit integers.
        Int16 = 5,
        /// 32-bit integers.
        Int32 = 6,
        /// 64-bit integers.
        Int64 = 7,
        /// Words.
        String = 8,
        /// Truth values.
        Bool = 9,
        /// 16-bit floats.
        Float16 = 10,
        /// 64-bit floats.
        Double = 11,
        /// Unsigned 32-bit integers.
        Uint32 = 12,
        /// Unsigned 64-bit integers.
        Uint64 = 13,
        /// Complex numbers.
        Complex64 = 14,
        /// Complex numbers.
        Complex128 = 15,
        /// 16-bit floats with the exponent of 32-bit floats.
        Bfloat16 = 16,
    }
}

/// A tensor of which most elements are 0. Networks with such weights are refused.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorProto {
    /// The elements that are not 0.
    #[prost(message, optional, tag = "1")]
    pub values: Option<TensorProto>,
    /// Their places.
    #[prost(message, optional, tag = "2")]
    pub indices: Option<TensorProto>,
    /// The sizes.
    #[prost(int64, repeated, tag = "3")]
    pub dims: Vec<i64>,
}
