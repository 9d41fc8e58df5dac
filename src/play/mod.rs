//! Play against an opponent: what plays, how well, and as whom.
//!
//! A [`Competitor`] finds the best lines of a [`Turn`] by one of two searches, whichever its [`Setup`] asks for: alpha-beta
//! without a network, or a [`TreeSearch`], in which each thread has an [`Opponent`] judge positions by a policy network and
//! a short alpha-beta search. A [`Strength`] below the best is played by fewer nodes or visits, or by [`Care`]: moves drawn
//! as people of a rating draw them.

mod care;
mod competitor;
mod handicap;
mod imitation;
mod ladder;
mod look_ahead;
mod opponent;
mod parameters;
mod players;
mod setup;
mod sight;
mod strength;
mod tree_search;
mod turn;

pub use care::Care;
pub use competitor::{Competitor, without_network};
pub use look_ahead::LookAhead;
pub use opponent::Opponent;
pub use parameters::Parameters;
pub use players::Players;
pub use setup::Setup;
pub use sight::Sight;
pub use strength::{MoveChoice, Strength};
pub use tree_search::TreeSearch;
pub use turn::{Manner, Turn};
