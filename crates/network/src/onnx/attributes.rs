//! The settings of operators.

use super::{AttributeProto, NodeProto, TensorProto};

impl NodeProto {
    /// The attribute with this name.
    pub fn find(&self, name: &str) -> Option<&AttributeProto> {
        self.attribute.iter().find(|attribute| attribute.name == name)
    }

    /// The integer of an attribute; `usual` if there is none.
    pub fn integer(&self, name: &str, usual: i64) -> i64 {
        self.find(name).map_or(usual, |attribute| attribute.i)
    }

    /// The number of an attribute; `usual` if there is none.
    pub fn float(&self, name: &str, usual: f32) -> f32 {
        self.find(name).map_or(usual, |attribute| attribute.f)
    }

    /// The integers of an attribute.
    pub fn integers(&self, name: &str) -> Option<&[i64]> {
        Some(&self.find(name)?.ints)
    }

    /// The word of an attribute; empty if there is none.
    pub fn word(&self, name: &str) -> String {
        self.find(name)
            .map(|attribute| String::from_utf8_lossy(&attribute.s).into_owned())
            .unwrap_or_default()
    }

    /// The tensor of an attribute.
    pub fn tensor(&self, name: &str) -> Option<&TensorProto> {
        self.find(name)?.t.as_ref()
    }
}
