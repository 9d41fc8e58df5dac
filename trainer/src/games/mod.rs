//! Human games: imports PGN files into a packed store, and reads blocks of replayed games from it.

pub mod block;
mod comments;
pub mod fault;
pub mod filter;
pub mod game;
pub mod import;
mod input;
mod legal;
mod parse;
mod player;
pub mod rank;
pub mod report;
pub mod split;
pub mod store;
mod tags;
pub mod time_control;
mod tournament;
mod writer;

pub use block::MAX_GAMES;
pub use game::{Evaluation, GameResult, RatingScale};
pub use import::{ImportError, ImportOptions, import};
pub use input::{open as open_text, same_file};
pub use player::Player;
pub use split::Split;
pub use store::{GameStore, StoreError, StoredGame};
pub use time_control::{TimeClass, TimeControl};
pub use tournament::read_tournament;
