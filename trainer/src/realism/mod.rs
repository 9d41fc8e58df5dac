//! Compares generated games with human games at similar ratings that met the same constraint.
//!
//! [`human_games`] finds the human games, in splits from which no policy has learned. [`Tournaments`] has the generated
//! games. [`ReferencePolicy`] measures how surprising each move is to a policy that never generates. [`Comparison`] compares both
//! sides, and [`report`] writes the result. [`loss`] measures how good the moves are.

mod classifier;
mod compare;
mod counts;
mod estimate;
mod features;
mod game;
mod generated;
mod human_games;
pub mod loss;
mod plot;
mod reference_policy;
mod report;
mod window;

pub use classifier::{Auc, auc_of};
pub use compare::{Choice, Comparison, Figures, RANGES, Side, enough, matched};
pub use counts::counts;
pub use estimate::Estimate;
pub use features::{FEATURES, features};
pub use game::{Grid, SatisfyingGame};
pub use generated::Tournaments;
pub use human_games::human_games;
pub use plot::plot;
pub use reference_policy::ReferencePolicy;
pub use report::{Row, deliveries, positions_csv, report};
pub use window::Window;

/// The content of a table cell without a number.
const NOTHING: &str = "–";
