use std::{fmt::Debug, sync::Arc};

use super::{Question, batch::Batch, opinion::Heads, shape::Shape};
use crate::encoding::goal_policy::Aim;

/// What a network reads: how a question becomes numbers.
pub(crate) trait Input: Debug + Send + Sync {
    /// The shapes of one question, in the model's order.
    fn shapes(&self) -> Vec<Shape>;

    /// True if it shows the network all that it must see of `aim`.
    fn shows(&self, aim: &Aim) -> bool;

    /// What a policy that reads it answers.
    fn heads(&self) -> Heads {
        Heads::Goal
    }

    /// The names of the outputs that are read, where a model may have others and in any order: all but the first may be
    /// missing. `None`: all outputs are read, in the model's order.
    fn outputs_by_name(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Adds a row with the question to `batch`, which has the shapes above.
    fn write(&self, question: &Question<'_>, batch: &mut Batch);
}

/// An input of some sizes or other.
pub(crate) struct InputKind {
    /// The name in models' metadata.
    pub name: &'static str,
    /// Its shapes, in words.
    pub words: fn() -> String,
    /// The input of models that declare these shapes for one question; `None` if it has no such shapes.
    pub fitting: fn(&[Shape]) -> Option<Arc<dyn Input>>,
}

impl InputKind {
    /// The name and the shapes, for messages.
    pub(crate) fn described(&self) -> String {
        format!("{} ({})", self.name, (self.words)())
    }
}
