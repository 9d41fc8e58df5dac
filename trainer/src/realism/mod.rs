//! Compares generated games with human games at similar ratings that met the same constraint.
//!
//! [`human_games`] finds the human games, in splits from which no policy has learned. [`Tournaments`] has the generated
//! games. Each [`Judge`] is a policy that measures how surprising each move is. [`Comparison`] compares both sides, and
//! [`report`] writes the result. [`loss`] measures how good the moves are.

mod by_surprise;
mod cells;
mod classifier;
mod compare;
mod counts;
mod estimate;
mod features;
mod figures;
mod game;
mod generated;
mod human_games;
mod judge;
mod judges_table;
pub mod loss;
mod origin;
mod plot;
mod report;
mod window;

pub use by_surprise::auc_by_surprise;
pub use classifier::{Auc, auc_of};
pub use compare::{Choice, Comparison, Side, enough, matched};
pub use counts::counts;
pub use estimate::Estimate;
pub use features::{FEATURES, features};
pub use figures::{Figures, JudgedFigures, RANGES};
pub use game::{Grid, SatisfyingGame};
pub use generated::Tournaments;
pub use human_games::human_games;
pub use judge::Judge;
pub use judges_table::judges_table;
pub use origin::Origin;
pub use plot::plot;
pub use report::{Row, deliveries, positions_csv, report};
pub use window::Window;

/// The content of a table cell without a number.
const NOTHING: &str = "–";
