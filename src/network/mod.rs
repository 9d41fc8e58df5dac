//! Networks, and the one way to ask them: a [`Question`] goes in, and an [`Opinion`] or a satisfaction value comes out.
//!
//! A network is an ONNX `model`; its metadata, or else its shapes, say which of the [`inputs`] it reads, so that networks with
//! different inputs live side by side. A `backend` runs batches of such inputs. [`Policy`] and [`SatisfactionNetwork`] are
//! the kinds of network, by what they say.

mod backend;
mod batch;
mod error;
mod input;
pub mod inputs;
mod kind;
mod model;
mod opinion;
mod panics;
mod policy;
mod question;
mod runnable;
mod satisfaction;
mod session;
mod shape;
mod source;

pub use backend::Backend;
pub use error::NetworkError;
pub use inputs::INPUT_KEY;
pub use kind::{NetworkKind, read_network};
pub use opinion::Opinion;
pub use panics::hide_caught_panics;
pub use policy::{Policy, PolicySession};
pub use question::Question;
pub use satisfaction::{SatisfactionNetwork, SatisfactionSession};
pub use source::NetworkSource;
