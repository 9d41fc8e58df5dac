#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! - A [`Query`] is a position, its moves, the players and an aim. A [`Policy`] answers it with a [`Prediction`]: move
//!   probabilities and values. A [`SatisfactionNetwork`] answers with one value.
//! - [`inputs`] encode queries as the numbers that a network reads. The input of a model follows from its metadata
//!   or, if they do not name one, from its shapes. So networks with different inputs can be used side by side.
//! - A [`Backend`] runs batches of queries.
//! - A [`Skill`] says how a short search corrects a policy.
//! - [`encoding`] has the encodings themselves. The trainer uses them, too.
//!
//! To add an input, add a file in `inputs/`. To add a backend, add a file in `backend/`. To add a kind of network, one
//! that answers something else, add a file like `policy.rs`.

pub mod encoding;
mod error;
mod product;
mod query;
mod skill;

mod backend;
mod batch;
mod embedded;
mod input;
pub mod inputs;
mod kind;
mod memory;
mod model;
pub mod onnx;
mod panics;
mod policy;
mod prediction;
mod runnable;
mod satisfaction;
mod session;
mod shape;
mod source;

pub use entente_constraint as constraint;
pub use entente_search as search;
pub use error::NetworkError;
pub use query::Query;
pub use shakmaty;
pub use skill::{Calibration, Cooling, Corrector, Layer, SKILL_KEY, Skill, SkillEffort, Study};

pub use self::{
    backend::Backend,
    embedded::{embedded_digest, embedded_network},
    inputs::INPUT_KEY,
    kind::{NetworkKind, read_network},
    panics::hide_caught_panics,
    policy::{MOVES_KEY, Policy, PolicySession, READS_GOALS_KEY, VOCABULARY_KEY},
    prediction::Prediction,
    satisfaction::{SatisfactionNetwork, SatisfactionSession},
    source::NetworkSource,
};
