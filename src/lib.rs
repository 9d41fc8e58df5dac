//! Entente: a UCI chess engine whose two sides can cooperate.
//!
//! Given a constraint, for example "no queens, and White a rook ahead", it plays a legal game from the initial position
//! to a position that satisfies the constraint. Programs start with [`engine::Engine`]:
//!
//! ```
//! use entente::{engine::Engine, generation::Request};
//!
//! let request = Request::of("castling=none ply<=12")?;
//! for game in Engine::default().generate(&request, 1)? {
//!     println!("{} after {} plies", entente::generation::fen(&game.position), game.moves.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each module below is a room of the house. `docs/architecture.md` shows the rooms and the arrows between them.

pub mod adviser;
pub mod bench;
pub mod cli;
pub mod constraint;
pub mod dataset;
pub mod encoding;
pub mod engine;
pub mod generation;
pub mod guide;
pub mod judge;
pub mod legality;
pub mod network;
pub mod play;
pub mod proof;
pub mod render;
pub mod satisfaction;
pub mod scorer;
pub mod search;
pub mod settings;
pub mod skill;
pub mod table;
pub mod tournament;
pub mod uci;
pub mod vectors;
