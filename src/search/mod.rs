//! Search: which move to play next.
//!
//! [`Negamax`] is the cooperative negamax of the thesis: both sides maximise the same value. [`BestFirst`] makes a plan
//! toward anything. [`tree`] is a tree search with a policy's priors, cooperative or competitive, and [`AlphaBeta`] the
//! competitive search that needs no network.

mod alpha_beta;
mod best_first;
mod clock;
mod fen;
mod game;
mod limits;
mod negamax;
pub mod perft;
mod rate;
mod report;
mod request;
mod score;
mod transposition;
pub mod tree;
mod variation;

pub use alpha_beta::AlphaBeta;
pub use best_first::{BestFirst, Effort, Line};
pub use clock::{Allotment, Clock, Timer};
pub use fen::{FenError, position_from_fen};
pub use game::Game;
pub use limits::Limits;
pub use negamax::{Choice, Negamax, NegamaxSettings};
pub use rate::rate;
pub use report::{News, Reporter, SearchReport};
pub use request::SearchRequest;
pub use score::Score;
pub use variation::Variation;
