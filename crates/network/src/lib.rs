//! Networks, and the one way to ask them.
//!
//! In comes a [`Question`]: a position, its moves, the players and an aim. Out comes an [`Opinion`] of a [`Policy`]
//! (move probabilities, values), or the value of a [`SatisfactionNetwork`]. A network is an ONNX model. Its metadata,
//! or else its shapes, tell which of the [`inputs`] it reads, so networks with different inputs can be used side by
//! side. A `backend` runs batches of questions.
//!
//! To add an input, add a file in `inputs/`. To add a backend, add a file in `backend/`. To add a kind of network,
//! which answers something else, add a file like `policy.rs`.

mod backend;
mod batch;
mod embedded;
pub mod encoding;
mod error;
mod input;
pub mod inputs;
mod kind;
mod model;
mod openings;
mod opinion;
mod panics;
mod policy;
mod product;
mod question;
mod runnable;
mod satisfaction;
mod session;
mod shape;
mod skill;
mod source;

pub use backend::Backend;
pub use embedded::{embedded_digest, embedded_network};
pub use error::NetworkError;
pub use inputs::INPUT_KEY;
pub use kind::{NetworkKind, read_network};
pub use opinion::Opinion;
pub use panics::hide_caught_panics;
pub use policy::{Policy, PolicySession, VOCABULARY_KEY};
pub use question::Question;
pub use satisfaction::{SatisfactionNetwork, SatisfactionSession};
pub use skill::{Calibration, Cooling, Corrector, Effort, Layer, SKILL_KEY, Skill, Study};
pub use source::NetworkSource;
