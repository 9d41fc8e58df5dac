use std::{fmt::Debug, sync::Arc};

use super::{Question, batch::Batch, shape::Shape};
use crate::encoding::goal_policy::Aim;

/// What a network reads: how a question becomes numbers.
pub(crate) trait Input: Debug + Send + Sync {
    /// The shapes of one question, in the model's order.
    fn shapes(&self) -> Vec<Shape>;

    /// True if it shows the network all that it must see of `aim`.
    fn shows(&self, aim: &Aim) -> bool;

    /// True if it shows any aim at all: only then can the network speak of aims.
    fn heeds_aims(&self) -> bool {
        true
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
