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
pub mod engine;
pub mod generation;
pub mod judge;
pub mod play;
pub mod settings;
pub mod skill;

/// The rules of chess: positions and moves of this library are those of shakmaty.
pub use shakmaty;
