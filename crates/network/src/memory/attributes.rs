use super::value::Value;
use crate::onnx::NodeProto;

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

    /// Integers that are the attribute `name` in older operator sets, and input `place` in newer ones.
    ///
    /// # Errors
    /// If it is an input whose elements are not known in advance.
    pub(super) fn list(&self, name: &str, place: usize) -> Result<Option<Vec<i64>>, String> {
        match self.optional(place) {
            Some(value) => self.known(value, place).map(Some),
            None => Ok(self.node.integers(name).map(<[i64]>::to_vec)),
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
