#![doc = include_str!("../README.md")]
//!
//! [`serve()`] accepts connections and passes requests through these layers: `guard` refuses what does not come from the
//! user's own page, `routes` finds the file or the call, `queue` says when a long call may begin, and `Running` of
//! `entente-tools` lets a tool work on a thread of its own, which is stopped when no one waits for it any more. `events` streams what
//! it tells. `export` makes files of positions, `vocabulary` and `openapi` describe what there is.
//!
//! The page itself is written in TypeScript in `page/`; `scripts/page` makes `dist/` of it, which the program contains.

mod assets;
mod body;
mod events;
mod export;
mod guard;
mod openapi;
mod queue;
mod reply;
mod routes;
mod serve;
mod server;
mod vocabulary;

pub use serve::{Options, ServeError, serve};
