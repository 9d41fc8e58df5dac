//! Chess engines that evaluate positions: any UCI engine, or Entente's own alpha-beta search.
//!
//! [`Judgement`] says which engine to use and how long it searches. It opens one [`Valuer`] for each thread.

mod judgement;
mod own;
mod uci;
#[expect(clippy::module_inception)]
mod valuer;

pub use judgement::Judgement;
pub use valuer::Valuer;
