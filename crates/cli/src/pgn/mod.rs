//! Reads games in PGN as people have them: compressed or in UTF-16, with or without tags, and with the many ways to
//! write a move and a comment on it. All commands and the trainer read games here.
//!
//! [`Chunks`] cuts a stream into games, a [`GameText`] has the tags and tokens of one, and [`Games`] replays them.

mod boundary;
mod chunk;
mod game;
mod quote;
mod replay;
mod signs;
mod source;
mod tags;
mod tokens;
mod utf16;
mod written;

pub use chunk::{Chunk, Chunks, GAME_BYTES};
pub use game::GameText;
pub use quote::quote;
pub(crate) use replay::RATINGS;
pub use replay::{Found, GameFault, Games, ReadGame};
pub use source::{Counting, decoded};
pub use tags::{Tag, TagSection, decode};
pub use tokens::{Problem, Token, Tokens};
pub use written::{Unplayable, Written};
