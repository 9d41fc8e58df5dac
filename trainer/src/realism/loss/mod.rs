//! How good the moves of games are: how many centipawns each loses, by the word of a chess engine.
//!
//! [`sampled`] draws games of either side, [`Judgement`](crate::valuer::Judgement) says which engine values their
//! positions and how long, [`measure`] has each position valued once, [`LossFigures`] sums the losses up with their
//! intervals, [`table`], [`losses_csv`] and [`loss_plot`] show them.

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
pub use value::{MOST, PlyLoss, Value, losses};
