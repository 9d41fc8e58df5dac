//! Checks the size of a file before it is decoded. A message of two bytes takes a hundred in memory, so a file within the
//! limit on its size could still ask for more memory than there is.

/// The most fields of all messages. Each takes up to two hundred bytes in memory.
const MAX_FIELDS: usize = 2_000_000;
/// The most bytes of names, and of numbers that take more in memory than in the file.
const MAX_PACKED: usize = 32 << 20;

/// A kind of message with messages inside.
#[derive(Clone, Copy)]
enum Kind {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    Other,
}

impl Kind {
    /// The kind of the message in a field; `None` for text and numbers.
    fn inside(self, field: u64) -> Option<Kind> {
        match (self, field) {
            (Kind::Model, 7) | (Kind::Attribute, 6 | 11) => Some(Kind::Graph),
            (Kind::Graph, 1) => Some(Kind::Node),
            (Kind::Graph, 5) | (Kind::Attribute, 5 | 10) => Some(Kind::Tensor),
            (Kind::Node, 5) => Some(Kind::Attribute),
            (Kind::Model, 8 | 14) | (Kind::Graph, 11..=15) | (Kind::Attribute, 22) | (Kind::Tensor, 13) => {
                Some(Kind::Other)
            }
            _ => None,
        }
    }

    /// True for numbers that take no more in memory than in the file: floats, and raw bytes.
    fn is_plain(self, field: u64) -> bool {
        matches!((self, field), (Kind::Tensor, 4 | 9 | 10) | (Kind::Attribute, 7))
    }
}

/// How much of each limit is left.
struct Left {
    fields: usize,
    packed: usize,
}

/// Checks that a file can be decoded within the limits. What is no message is left to the decoder.
///
/// # Errors
/// The limit.
pub(crate) fn check(file: &[u8]) -> Result<(), String> {
    let mut left = Left { fields: MAX_FIELDS, packed: MAX_PACKED };
    message(file, Kind::Model, 0, &mut left)
}

fn message(mut bytes: &[u8], kind: Kind, depth: u32, left: &mut Left) -> Result<(), String> {
    while let Some(key) = varint(&mut bytes) {
        left.fields =
            left.fields.checked_sub(1).ok_or_else(|| format!("it has more than {MAX_FIELDS} fields"))?;
        let length = match key & 7 {
            0 => {
                varint(&mut bytes);
                continue;
            }
            1 => 8,
            5 => 4,
            2 => match varint(&mut bytes).and_then(|length| usize::try_from(length).ok()) {
                Some(length) => length,
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Some((field, rest)) = bytes.split_at_checked(length) else { return Ok(()) };
        bytes = rest;
        if key & 7 != 2 || kind.is_plain(key >> 3) {
            continue;
        }
        match kind.inside(key >> 3) {
            // The decoder refuses deeper messages.
            Some(inside) if depth < 100 => message(field, inside, depth + 1, left)?,
            _ => {
                let reason = || format!("its names and integers take more than {} MiB", MAX_PACKED >> 20);
                left.packed = left.packed.checked_sub(length).ok_or_else(reason)?;
            }
        }
    }
    Ok(())
}

/// The next number of variable length; `None` at the end.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if *byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::*;
    use crate::onnx::{GraphProto, ModelProto, NodeProto, TensorProto};

    fn model(graph: GraphProto) -> Vec<u8> {
        ModelProto { graph: Some(graph), ..Default::default() }.encode_to_vec()
    }

    #[test]
    fn files_that_would_take_much_more_memory_than_bytes_are_refused() {
        assert_eq!(check(include_bytes!("../../models/goal-policy.onnx")), Ok(()));
        let nodes = GraphProto { node: vec![NodeProto::default(); MAX_FIELDS], ..Default::default() };
        assert!(check(&model(nodes)).unwrap_err().contains("fields"));
        let integers = TensorProto { int64_data: vec![1; MAX_PACKED + 1], ..Default::default() };
        let integers = GraphProto { initializer: vec![integers], ..Default::default() };
        assert!(check(&model(integers)).unwrap_err().contains("names and integers"));
        let raw = TensorProto { raw_data: vec![1; MAX_PACKED + 1], ..Default::default() };
        assert_eq!(check(&model(GraphProto { initializer: vec![raw], ..Default::default() })), Ok(()));
        assert_eq!(check(&[0xff; 30]), Ok(()), "no message at all");
    }
}
