//! Fits the skill of a policy: how much of a short search players of each rating see.
//!
//! Positions of games from which the policy has not learned are [labelled](Labelled) with the policy's probabilities
//! and the search's scores, as in the engine. A small network is then [fitted](fit) by maximum likelihood to the moves
//! that were played. The policy does not change. The network is stored in the metadata of the policy's file
//! ([`with_skill`]).

mod calibrate;
mod card;
mod file;
mod fit;
mod labelled;
mod recipe;
mod weight_table;

pub use calibrate::{CalibrationPlan, Rung};
pub use card::{Band, card, play_card};
pub use file::with_skill;
pub use fit::{Fitted, fit};
pub use labelled::Labelled;
pub use recipe::SkillRecipe;
pub use weight_table::{WeightTable, weight_table};
