//! Samples for the goal-conditioned policy: moves of human games with goals that the game reached later (hindsight), or
//! with goals of other games, labelled with whether this game reached them.

mod archive;
mod balance;
mod batch;
mod goals;
mod own;
mod packed_move;
mod plies;
mod replayed_game;
mod rounds;
mod sample;

pub use archive::{Archive, GameInfo};
pub use balance::Shares;
pub use batch::{Batch, NO_RESULT};
pub use goals::Mixture;
pub use own::own_games;
pub use plies::Plies;
pub use replayed_game::ReplayedGame;
pub use rounds::{Rounds, SAMPLES_PER_GAME, Source};
pub use sample::{GoalKind, MAX_MOVES, Sample, Sampler};

#[cfg(test)]
pub(crate) mod tests;
