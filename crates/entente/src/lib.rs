#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! [`engine::Engine`] is the entrance. It takes a [`generation::Request`]: a target, a root position and
//! [`settings`](settings::GenerationSettings). The other modules are what it is made of:
//!
//! - [`generation`] resolves a request into a job and plays proof games; `generation/players/` has a file for each method.
//! - [`satisfaction`] evaluates how near positions are to a goal, by a count of men or by a network.
//! - [`judge`] decides conditions that need a search, such as `quiet` or `only`.
//! - [`play`] plays against an opponent.
//! - [`parallel`] works on several threads and hands out the results in order.
//! - [`predictor`] asks a policy network which moves people play, and [`skill`] corrects it by what players of a rating see.
//!
//! [`constraint`], [`search`] and [`network`] are the crates below. `docs/architecture.md` is the map of all of them.

pub mod engine;
pub mod generation;
pub mod judge;
pub mod parallel;
pub mod play;
pub mod predictor;
pub mod satisfaction;
pub mod settings;
pub mod skill;

pub use entente_constraint as constraint;
pub use entente_network as network;
pub use entente_search as search;
pub use shakmaty;
