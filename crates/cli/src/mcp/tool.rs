//! A tool: what it is, what it can be given, and what it does.

use serde_json::Value;

use super::{arguments::Arguments, call::Call, parameter::Inputs};

/// Something that a model can ask for.
#[derive(Debug)]
pub(super) struct Tool {
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and when to use it, for the model that chooses.
    pub help: &'static str,
    pub inputs: Inputs,
    /// Does what is asked, and ends soon after the call is stopped. Errors are sentences for the model.
    pub run: fn(&Arguments, &Call) -> Result<Answer, String>,
}

/// The result of a call.
#[derive(Debug)]
pub(super) struct Answer {
    /// An object.
    pub value: Value,
    /// The same in short, for models that read only text.
    pub text: String,
    /// The bytes of an image, and their type.
    pub image: Option<(Vec<u8>, &'static str)>,
}

impl Answer {
    pub(super) fn new(value: Value, text: String) -> Answer {
        Answer { value, text, image: None }
    }
}
