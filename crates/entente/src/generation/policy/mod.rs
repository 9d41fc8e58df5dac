//! The parts that players with a policy network share.
//!
//! [`Aims`] are the alternatives of a constraint as the network reads them. `PolicyView` asks the network about
//! positions, with the goal and without. [`Reach`] says which moves keep the constraint within reach. An
//! [`Inquiry`] asks which moves humans play in many positions. [`PolicyReport`]
//! records how a game was produced, for example how surprising its moves were.

mod aims;
mod inquiry;
mod reach;
mod report;
mod temperatures;
mod view;

pub use aims::Aims;
pub use inquiry::{Asked, Inquiry, MoveProbabilities};
pub use reach::Reach;
pub use report::{Delivery, PolicyReport};
pub(super) use temperatures::Temperatures;
pub(super) use view::{GoalPrediction, GoalValues, PolicyView, Ratings};
