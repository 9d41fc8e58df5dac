//! The scales of ratings as the words of flags.

use clap::ValueEnum;
use entente_network::encoding::goal_policy::RatingScale;

/// Who measured the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    /// Ratings of Lichess
    Online,
    /// Ratings of the world chess federation or a national one, from games over the board
    Fide,
    /// Ratings of chess.com, at 1000 some 300 lower than those of Lichess
    #[value(name = "chess.com")]
    ChessCom,
}

impl From<Scale> for RatingScale {
    fn from(scale: Scale) -> RatingScale {
        match scale {
            Scale::Online => RatingScale::Online,
            Scale::Fide => RatingScale::Fide,
            Scale::ChessCom => RatingScale::ChessCom,
        }
    }
}
