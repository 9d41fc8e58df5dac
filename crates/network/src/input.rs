use std::{fmt::Debug, sync::Arc};

use super::{
    Query,
    batch::Batch,
    prediction::{Heads, Numbering},
    shape::Shape,
};
use crate::encoding::goal_policy::Aim;

/// The input of a network: how a query is encoded as numbers.
pub(crate) trait Input: Debug + Send + Sync {
    /// The shapes of one query, in the model's order.
    fn shapes(&self) -> Vec<Shape>;

    /// True if the encoding represents `aim` completely.
    fn shows(&self, aim: &Aim) -> bool;

    /// The outputs of a policy with this input.
    fn heads(&self) -> Heads {
        Heads::Goal(Numbering::AlphaZero)
    }

    /// The names of the outputs to read, for models that may have other outputs, too, and in any order. All but the
    /// first may be missing. `None`: all outputs are read, in the model's order.
    fn outputs_by_name(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Adds the encoded query to `batch`, which has the shapes of [`Input::shapes`].
    fn write(&self, query: &Query<'_>, batch: &mut Batch);
}

/// A kind of input, whose sizes may vary from model to model.
pub(crate) struct InputKind {
    /// The name in models' metadata.
    pub name: &'static str,
    /// A description of its shapes.
    pub words: fn() -> String,
    /// The input of a model that declares these shapes for one query; `None` if this kind cannot have them.
    pub fitting: fn(&[Shape]) -> Option<Arc<dyn Input>>,
}

impl InputKind {
    /// The name and the shapes, for messages.
    pub(crate) fn described(&self) -> String {
        format!("{} ({})", self.name, (self.words)())
    }
}
