//! Play against an opponent.
//!
//! In comes a [`Turn`]: a game, the limits of its search, and the [`Manner`] of play (strength, players, seed). Out
//! come the best lines, the best first. A [`Competitor`] finds them with the search of its [`Setup`]: alpha-beta
//! by an [`Evaluation`], or a [`TreeSearch`], in which each thread has an [`Opponent`] that evaluates positions with a
//! policy network and a short alpha-beta search. A limited [`Strength`] searches fewer nodes or visits, or draws moves
//! as people of that rating do, with some [`Care`]. A [`Solver`] says what is best in a position, for those who practise.
//!
//! To add a kind of opponent, add a variant of [`Setup`] and its search in `competitor.rs`; `engine/play.rs` chooses
//! the setup.

mod care;
mod competitor;
mod fixed;
mod handicap;
mod imitation;
mod ladder;
mod look_ahead;
mod opponent;
mod parameters;
mod players;
mod setup;
mod sight;
mod solution;
mod strength;
mod tree_search;
mod turn;

pub use care::Care;
pub use competitor::{Competitor, without_network};
pub use fixed::FixedSearch;
pub use look_ahead::LookAhead;
pub use opponent::Opponent;
pub use parameters::Parameters;
pub use players::Players;
pub use setup::{Evaluation, Setup};
pub use sight::Sight;
pub use solution::{Solution, Solver};
pub use strength::{MoveChoice, Strength};
pub use tree_search::TreeSearch;
pub use turn::{Manner, Turn};
