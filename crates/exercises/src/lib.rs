#![doc = include_str!("../README.md")]
//!
//! A position with the game that led to it goes in. [`Annotator`] solves and rates it, [`Annotated::exercise`] is the
//! result, and [`problem`] and [`anki`] make a board of a worksheet and a flash card of it; a chapter of a study is
//! [`Exercise::study`](entente::records::Exercise::study). [`recipes`] has the exercises by name.

mod anki;
mod annotator;
mod problem;
pub mod recipes;

pub use anki::anki;
pub use annotator::{Annotated, Annotator, AnnotatorError};
pub use problem::{heading, problem};
