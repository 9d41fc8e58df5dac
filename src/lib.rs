//! Entente: a UCI chess engine whose two sides can cooperate.
//!
//! Given a constraint it finds a legal game from the start position to a position that satisfies
//! it. The rooms, and the arrows between them, are described in `docs/architecture.md`.

pub mod bench;
pub mod cli;
pub mod constraint;
pub mod encoding;
pub mod engine;
pub mod generation;
pub mod guide;
pub mod network;
pub mod play;
pub mod render;
pub mod satisfaction;
pub mod scorer;
pub mod search;
pub mod settings;
pub mod tournament;
pub mod uci;
