//! Compares generated games with human games at similar ratings that met the same constraint.
//!
//! [`human_games`] finds the human games, in splits from which no policy has learned. [`Tournaments`] has the generated
//! games. Each [`Judge`] is a policy that measures how surprising each move is. [`loss`] measures how good the moves
//! are. [`Comparison`] has the games of both sides, and [`Figures`] their measures. [`auc_of`] and [`auc_by_surprise`]
//! say how well they are told apart. [`report()`] and [`judges_table()`] write the result.

mod by_surprise;
mod cells;
mod classifier;
mod compare;
mod counts;
mod estimate;
mod features;
mod figures;
mod game;
mod games_csv;
mod generated;
mod human_games;
mod judge;
mod judges_table;
pub mod loss;
mod numbers;
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
pub use games_csv::games_csv;
pub use generated::Tournaments;
pub use human_games::human_games;
pub use judge::Judge;
pub use judges_table::{JudgeEntry, judges_table};
pub use numbers::{number_names, numbers};
pub use origin::Origin;
pub use plot::plot;
pub use report::{Row, deliveries, positions_csv, report};
pub use window::Window;

/// The content of a table cell without a number.
const NOTHING: &str = "–";
