//! Training of the goal-conditioned policy.

mod held_out;
mod loss;
mod predictions;
mod recipe;
mod run;
mod workers;

pub use held_out::{HeldOut, Measures, MoveScore, ONLINE, ReachScore};
pub use loss::{Losses, log_policy};
pub use predictions::{Prediction, predict};
pub use recipe::{Learner, PolicyName, PolicyRecipe};
pub use run::{PolicyEnd, PolicyEvent, PolicyProgress, PolicyRecord, PolicyTrainer};
