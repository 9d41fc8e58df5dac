//! Skill: which moves humans of a rating play after looking ahead.
//!
//! A [`PredictionRequest`](crate::predictor::PredictionRequest) goes in. The [`Answer`](crate::predictor::Answer) of a
//! policy comes out, corrected by a short search of each likely move. A small network misses tactics that were not in
//! its training data, but a strong player sees them. The policy's file says how far players of each strength look, and
//! has a small network that weighs what they see (see [`Skill`](entente_network::Skill)). The trainer fits it to human
//! moves.
//!
//! [`strength`] unites the rating scales, [`ShallowSearch`] searches, and [`Skilled`] corrects a predictor with the
//! search. A [`Reviewer`] evaluates the positions of whole games.

mod reviewer;
mod shallow_search;
mod skilled;
mod strength;

pub use reviewer::{Finding, Reviewer};
pub use shallow_search::ShallowSearch;
pub use skilled::Skilled;
pub use strength::{strength, strength_of};
