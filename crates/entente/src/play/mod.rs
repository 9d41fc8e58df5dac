//! Play against an opponent.
//!
//! A `Turn` goes in: a game, the limits of its search, and the `PlayStyle` (strength, players, seed). The best lines
//! come out, the best first. A `PlaySearch` finds them with the search that its `Setup` describes: alpha-beta with an
//! `Evaluation`, or a [`TreeSearch`], in which each thread has a `PolicyEvaluator` that evaluates positions with a
//! policy network and a short alpha-beta search. A limited [`Strength`] searches fewer nodes or visits, or draws moves
//! as humans of that rating do: the best of several, with `BestOfDraws`.
//!
//! To add a kind of opponent, add a variant of `Setup` and its search in `play_search.rs`. `engine/play.rs` chooses the
//! setup.

mod best_of_draws;
mod fixed;
mod handicap;
mod human_model;
mod imitation;
mod ladder;
mod look_ahead;
mod parameters;
mod play_search;
mod players;
mod policy_evaluator;
mod setup;
mod strength;
mod tree_search;
mod turn;

pub(crate) use fixed::FixedSearch;
pub(crate) use human_model::HumanModel;
pub use look_ahead::LookAhead;
pub use parameters::Parameters;
pub(crate) use play_search::{PlaySearch, without_network};
pub use players::Players;
pub(crate) use setup::{Evaluation, Setup};
pub use strength::Strength;
pub use tree_search::TreeSearch;
pub(crate) use turn::{PlayStyle, Turn};
