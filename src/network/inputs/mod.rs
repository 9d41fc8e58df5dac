//! What networks read, one input a file; the encodings themselves are in [`crate::encoding`], for the trainer shares them.

mod goal_policy;
mod thesis;

pub use goal_policy::NAME as GOAL_POLICY;
pub use thesis::{NAME as THESIS, aim_of_counts};

use super::input::InputKind;

/// All inputs. A model that names none reads the first one that has its shapes.
pub(super) const ALL: [InputKind; 2] = [goal_policy::KIND, thesis::KIND];
