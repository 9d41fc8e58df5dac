//! Fitting of the skill of a policy: what people of each rating make of what a short search sees.
//!
//! Positions of games that the policy has not learnt from are [labelled](Labelled) with the policy's probabilities and
//! the search's scores, as in the engine. A small network is then [fitted](fit) by maximum likelihood to the moves that
//! were played, the policy staying as it is. The file of the policy gets it as metadata ([`with_skill`]).

mod card;
mod file;
mod fit;
mod labelled;
mod recipe;
mod weight_table;

pub use card::{Band, card};
pub use file::with_skill;
pub use fit::{Fitted, fit};
pub use labelled::Labelled;
pub use recipe::SkillRecipe;
pub use weight_table::{WeightTable, weight_table};
