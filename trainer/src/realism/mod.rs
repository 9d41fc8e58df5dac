//! How much generated games look like games of people of like ratings who met the same constraint.
//!
//! [`people`] finds those in a split that no policy has learnt from, [`Tournaments`] have generated ones,
//! [`Judge`] says how surprising a policy that generates nothing finds each move, [`Comparison`] sets both sides against
//! each other, [`report`] writes it down. [`loss`] measures how good the moves are.

mod classifier;
mod compare;
mod counts;
mod estimate;
mod features;
mod game;
mod generated;
mod judge;
pub mod loss;
mod people;
mod plot;
mod report;
mod window;

pub use classifier::{Auc, auc_of};
pub use compare::{Choice, Comparison, Figures, RANGES, Side, enough, matched};
pub use counts::counts;
pub use estimate::Estimate;
pub use features::{FEATURES, features};
pub use game::{Grid, MetGame};
pub use generated::Tournaments;
pub use judge::Judge;
pub use people::people;
pub use plot::plot;
pub use report::{Row, deliveries, positions_csv, report};
pub use window::Window;

/// What a cell of a table says that has no number.
const NOTHING: &str = "–";
