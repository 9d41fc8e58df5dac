use tract_onnx::pb::{AttributeProto, NodeProto, TensorProto};

use super::value::Value;

/// The attributes and inputs of a node. Operators moved some of their numbers from the former to the latter.
pub(super) struct Settings<'a> {
    pub node: &'a NodeProto,
    pub inputs: &'a [Option<&'a Value>],
}

impl<'a> Settings<'a> {
    /// Input number `place`.
    ///
    /// # Errors
    /// If it is missing.
    pub(super) fn input(&self, place: usize) -> Result<&'a Value, String> {
        self.optional(place).ok_or_else(|| format!("its input {} is missing", place + 1))
    }

    /// Input number `place`, which may be missing.
    pub(super) fn optional(&self, place: usize) -> Option<&'a Value> {
        self.inputs.get(place).copied().flatten()
    }

    /// All inputs that are not missing.
    pub(super) fn all(&self) -> Vec<&'a Value> {
        self.inputs.iter().copied().flatten().collect()
    }

    fn attribute(&self, name: &str) -> Option<&'a AttributeProto> {
        self.node.attribute.iter().find(|attribute| attribute.name == name)
    }

    /// An attribute that is an integer.
    pub(super) fn integer(&self, name: &str, usual: i64) -> i64 {
        self.attribute(name).map_or(usual, |attribute| attribute.i)
    }

    /// An attribute that is a number and not an integer; true if it is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// An attribute that is a list of integers.
    pub(super) fn integers(&self, name: &str) -> Option<&'a [i64]> {
        Some(&self.attribute(name)?.ints)
    }

    /// The number of floats in an attribute.
    pub(super) fn floats(&self, name: &str) -> Option<usize> {
        Some(self.attribute(name)?.floats.len())
    }

    /// An attribute that is a word.
    pub(super) fn word(&self, name: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.attribute(name)?.s).into_owned())
    }

    /// An attribute that is a tensor.
    pub(super) fn tensor(&self, name: &str) -> Option<&'a TensorProto> {
        self.attribute(name)?.t.as_ref()
    }

    /// Integers that are the attribute `name` in older operator sets, and input `place` in newer ones.
    ///
    /// # Errors
    /// If it is an input whose elements are not known in advance.
    pub(super) fn list(&self, name: &str, place: usize) -> Result<Option<Vec<i64>>, String> {
        match self.optional(place) {
            Some(value) => self.known(value, place).map(Some),
            None => Ok(self.integers(name).map(<[i64]>::to_vec)),
        }
    }

    /// The elements of input `place`, which say how large the output is.
    ///
    /// # Errors
    /// If they are not known in advance.
    pub(super) fn required(&self, place: usize) -> Result<Vec<i64>, String> {
        self.known(self.input(place)?, place)
    }

    fn known(&self, value: &Value, place: usize) -> Result<Vec<i64>, String> {
        value.integers.clone().ok_or_else(|| {
            format!("the size of its output depends on its input {}, expected a constant", place + 1)
        })
    }
}
