#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! - [`proof`] searches for shortest proof games.
//! - [`Negamax`] is the cooperative negamax of the thesis, in which both sides maximise the same value.
//!   [`satisfaction`] defines that value.
//! - [`BestFirst`] searches for a game that satisfies a constraint of any kind.
//! - [`tree`] is a tree search with the priors of a policy (PUCT), cooperative or competitive.
//! - [`AlphaBeta`] is a competitive search without a policy. [`scorer`] evaluates positions for it. [`MateSearch`]
//!   proves mates.
//! - [`rollout`] evaluates moves by random playouts.
//!
//! A search takes a position or a [`Game`], a goal, and [`Limits`]. It returns a move or lines of moves. No search
//! knows about UCI: each reports to a callback. Evaluators are type parameters with their own error types.
//!
//! To add a search, add a file or folder here. It takes [`Limits`] and counts its nodes. A player in
//! `generation/players` or a setup in `play`, both in the crate `entente`, then uses it.

mod alpha_beta;
mod best_first;
mod chess960;
mod clock;
mod fen;
mod game;
mod keys;
mod limits;
mod mate;
mod negamax;
pub mod perft;
mod portable_math;
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
    AlphaBeta, Comparison, MAX_DEPTHS, MoveScores, Profile, ProfileLimits, SearchEffort, gives_up,
    is_settled, loses_by_see,
};
pub use best_first::{BestFirst, BestFirstParameters, Line};
pub use chess960::Chess960;
pub use clock::{Clock, TimeBudget, Timer};
pub use entente_constraint as constraint;
pub use fen::{FenError, fen_of_epd, position_from_fen, position_from_fen_in, searchable_position_from_fen};
pub use game::Game;
pub(crate) use keys::Keys;
pub use limits::Limits;
pub use mate::{MateSearch, Unproved};
pub use negamax::{Choice, Negamax, NegamaxSettings};
pub use portable_math::PortableMath;
pub use rate::rate;
pub use report::{Reporter, SearchEvent, SearchReport};
pub use request::SearchRequest;
pub use score::Score;
pub use shakmaty;
pub use variation::Variation;
