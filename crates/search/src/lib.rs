//! Search: which move to play next.
//!
//! In come a position or a [`Game`], what to search for, and [`Limits`]; out come a choice or lines of moves.
//! [`Negamax`] is the cooperative negamax of the thesis, in which both sides maximise the same value. [`BestFirst`]
//! searches for a plan to a constraint of any kind. [`tree`] is a tree search with a policy's priors, cooperative or
//! competitive. [`AlphaBeta`] is the competitive search that needs no policy, [`MateSearch`] proves mates, and [`rollout`] plays moves out at random. No search knows
//! about UCI: each reports to a callback.
//!
//! To add a search, add a file or folder here; it takes [`Limits`] and counts its nodes. Then a player in
//! `generation/players` or a setup in `play` can use it.

mod alpha_beta;
mod best_first;
mod clock;
mod fen;
mod game;
mod keys;
mod limits;
mod mate;
mod negamax;
pub mod perft;
pub mod proof;
mod rate;
mod report;
mod request;
pub mod rollout;
pub mod satisfaction;
mod score;
pub mod scorer;
mod transposition;
pub mod tree;
mod variation;
pub mod vectors;

pub use alpha_beta::{
    AlphaBeta, Attention, Comparison, Gaze, MOST_DEPTHS, MoveScores, Profile, gives_up, is_settled,
};
pub use best_first::{BestFirst, Effort, Line};
pub use clock::{Allotment, Clock, Timer};
pub use fen::{FenError, position_from_fen};
pub use game::Game;
pub(crate) use keys::Keys;
pub use limits::Limits;
pub use mate::{MateSearch, Unproved};
pub use negamax::{Choice, Negamax, NegamaxSettings};
pub use rate::rate;
pub use report::{News, Reporter, SearchReport};
pub use request::SearchRequest;
pub use score::Score;
pub use variation::Variation;
