//! The rating scales as values of flags.

use clap::ValueEnum;
use entente_network::encoding::goal_policy::RatingScale;

/// The scale of ratings, which depends on who computed them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    /// Lichess ratings
    Online,
    /// Ratings of FIDE or a national federation, from games over the board
    Fide,
    /// chess.com ratings, which are about 300 points lower than Lichess ratings at 1000
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
