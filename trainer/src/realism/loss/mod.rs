//! How good the moves of games are: the loss of each move in centipawns, according to a chess engine.
//!
//! [`sampled`] draws games of both sides. [`Judgement`](crate::valuer::Judgement) says which engine evaluates their
//! positions, and with how many nodes. [`measure`] evaluates each position once. [`LossFigures`] has the losses with
//! their intervals, and [`table`], [`losses_csv`] and [`loss_plot`] show them.

mod contest;
mod figures;
mod measure;
mod plot;
mod sample;
mod table;
mod value;

pub use contest::{Contest, LossGame, contests};
pub use figures::{LossFigures, STRETCHES};
pub use measure::measure;
pub use plot::loss_plot;
pub use sample::{Sample, sampled};
pub use table::{losses_csv, table};
pub use value::{MAX, PlyLoss, Value, losses};
