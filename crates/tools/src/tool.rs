//! A tool: what it is, what it can be given, and what it does.

use serde_json::Value;

use crate::{Refusal, arguments::Arguments, call::Call, parameter::Inputs};

/// Something that can be asked for.
#[derive(Debug)]
pub struct Tool {
    /// One word.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and when to use it, for the model or the person that chooses.
    pub help: &'static str,
    /// What it can be given.
    pub inputs: Inputs,
    /// Whether a call may take all threads for minutes, so that such calls should wait for each other.
    pub is_long: bool,
    /// The member of the answer whose elements are also reported one by one, as they are found.
    pub reported: Option<&'static str>,
    /// Whether the answer is an image.
    pub draws: bool,
    /// Does what is asked, and ends soon after the call is stopped.
    pub run: fn(&Arguments, &Call) -> Result<Answer, Refusal>,
}

/// The result of a call.
#[derive(Debug)]
pub struct Answer {
    /// An object.
    pub value: Value,
    /// The same in short, for those who read only text.
    pub text: String,
    /// The bytes of an image, and their type.
    pub image: Option<(Vec<u8>, &'static str)>,
}

impl Answer {
    pub(crate) fn new(value: Value, text: String) -> Answer {
        Answer { value, text, image: None }
    }
}
