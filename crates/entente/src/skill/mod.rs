//! Skill: which moves people of a rating play, once they have looked at what comes of them.
//!
//! In comes a [`PredictionRequest`](crate::predictor::PredictionRequest); out comes the [`Answer`](crate::predictor::Answer) of a policy, corrected by
//! what a short search sees of each likely move. A small network sees no tactics that it has not met, but a
//! strong player does. The policy's file says how far players of each strength look, and has a small network that
//! weighs what is seen (see [`Skill`](entente_network::Skill)); the trainer fits it to people's moves.
//!
//! [`strength`] joins the scales of ratings, [`ShallowSearch`] searches, and [`Skilled`] corrects a predictor by the search. A
//! [`Reviewer`] values the positions of whole games.

mod reviewer;
mod shallow_search;
mod skilled;
mod strength;

pub use reviewer::{Finding, Reviewer};
pub use shallow_search::ShallowSearch;
pub use skilled::Skilled;
pub use strength::{strength, strength_of};
