//! Training of policies.

mod as_played;
mod card;
mod exported;
mod held_out;
mod ladder;
mod loss;
mod measures;
mod objective;
mod predictions;
mod rating_matrix;
mod recipe;
mod record;
mod tables;
mod task;
mod taught;
mod test_split;

pub use as_played::predict_as_played;
pub use card::{Store, policy_card};
pub use exported::policy_of;
pub use held_out::HeldOut;
pub use ladder::{Match, Points};
pub use loss::Losses;
pub use measures::{Measures, MoveScore, ONLINE, ReachScore};
pub use predictions::{SamplePrediction, predict};
pub use rating_matrix::{RatingMatrix, RatingSamples};
pub use recipe::{Learner, Optimization, PolicyName, PolicyRecipe};
pub use record::{Record, RecordedMeasures};
pub use tables::tables;
pub use task::{Place, Policy};
pub use test_split::{Test, measured};
