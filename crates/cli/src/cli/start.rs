//! Where games begin: in the initial position, or in another one.

use anyhow::Context as _;
use clap::Args;
use entente_search::Chess960;
use shakmaty::Chess;

use super::{position, words::number};

/// The position in which games begin.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct StartFlags {
    /// Start from this position instead of the initial one
    #[arg(long, value_name = "FEN", display_order = 7)]
    from: Option<String>,
    /// Start from this initial position of Chess960, by its number: 518 is standard chess
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, display_order = 8, hide_short_help = true, conflicts_with = "from",
        value_parser = number::<u32>(0..=u64::from(Chess960::COUNT - 1)))]
    start: Option<u32>,
}

impl StartFlags {
    /// The initial position of Chess960 with this number, if there is one; otherwise the initial position.
    pub(super) fn of_number(start: Option<u32>) -> StartFlags {
        StartFlags { from: None, start }
    }

    /// The position.
    ///
    /// # Errors
    /// If --from is not the FEN of a legal position.
    pub(super) fn root(&self) -> anyhow::Result<Chess> {
        match (&self.from, self.start) {
            (Some(fen), _) => position("--from", fen),
            (None, Some(number)) => Chess960::start(number).context("--start: expected a number below 960"),
            (None, None) => Ok(Chess::default()),
        }
    }
}
