//! Skill: which moves people of a rating play, once they have looked at what comes of them.
//!
//! In comes a [`Question`](entente_network::Question); out comes the [`Opinion`](entente_network::Opinion) of a policy,
//! corrected by what a short search sees of each likely move. A small network sees no tactics that it has not met, but a
//! strong player does. The policy's file says how far players of each strength look, and has a small network that
//! weighs what is seen (see [`Skill`](entente_network::Skill)); the trainer fits it to people's moves.
//!
//! [`strength`] joins the scales of ratings, [`Looker`] searches, and a [`SkilledSession`] joins policy and search. A
//! [`Reviewer`] values the positions of whole games.

mod looker;
mod reviewer;
mod session;
mod strength;

pub use looker::Looker;
pub use reviewer::{Finding, Reviewer};
pub use session::SkilledSession;
pub use strength::{strength, strength_of};
