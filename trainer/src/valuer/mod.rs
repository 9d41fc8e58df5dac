//! Chess engines that say what positions are worth: any that speaks UCI, or Entente's own alpha-beta search.
//!
//! [`Judgement`] says which engine and how long it searches; it opens one [`Valuer`] for each thread that asks.

mod judgement;
mod own;
mod uci;
#[expect(clippy::module_inception)]
mod valuer;

pub use judgement::Judgement;
pub use valuer::Valuer;
