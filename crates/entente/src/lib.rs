#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! [`engine::Engine`] is the entry point. It takes a [`generation::Request`]: a target, a root position and
//! [`settings`](settings::GenerationSettings). These modules do the work:
//!
//! - [`generation`] resolves a request into a job and plays proof games. `generation/players/` has a file for each
//!   method.
//! - [`records`] writes generated positions and counts them.
//! - [`satisfaction`] evaluates how near positions are to a goal, with a count of men or a network.
//! - [`judge`] decides conditions that need a search, such as `quiet` or `only`.
//! - [`solution`] finds what to play in a position, how far that is forced, and what else works.
//! - [`difficulty`] predicts how hard a position is to solve.
//! - [`play`] plays against an opponent.
//! - [`parallel`] works on several threads and returns the results in order.
//! - [`predictor`] asks a policy network which moves humans play. [`skill`] corrects it by what players of a rating
//!   see.
//!
//! [`constraint`], [`search`] and [`network`] are the crates below. `docs/architecture.md` is the map of all of them.

pub mod difficulty;
pub mod engine;
pub mod generation;
pub mod judge;
pub mod parallel;
pub mod play;
pub mod predictor;
pub mod records;
pub mod satisfaction;
pub mod settings;
pub mod skill;
pub mod solution;

pub use entente_constraint as constraint;
pub use entente_network as network;
pub use entente_search as search;
pub use shakmaty;
