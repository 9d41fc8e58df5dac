//! Training of the goal-conditioned policy.

mod as_played;
mod card;
mod held_out;
mod ladder;
mod loss;
mod measures;
mod optimizer;
mod output;
mod predictions;
mod progress;
mod rating_matrix;
mod recipe;
mod run;
mod tables;
mod workers;

pub use as_played::predict_as_played;
pub use card::{PolicyCard, policy_card};
pub use held_out::{HeldOut, ONLINE};
pub use ladder::{Match, Points};
pub use loss::{Losses, log_policy};
pub use measures::{Measures, MoveScore, ReachScore};
pub use optimizer::Optimization;
pub use output::{PolicyOutput, test_measures};
pub use predictions::{Prediction, predict};
pub use progress::{PolicyProgress, PolicyRecord};
pub use rating_matrix::{RatingMatrix, RatingSamples};
pub use recipe::{Learner, PolicyName, PolicyRecipe};
pub use run::{PolicyEnd, PolicyEvent, PolicyTrainer};
pub use tables::tables;
