use super::{networks::Networks, options::Options, player::Player, writer::Writer};
use crate::evaluator::NetworkError;

/// What searches use, one after another, and what takes long to make: never made on the session's thread, which must
/// hear `stop` and `quit` meanwhile.
#[derive(Default)]
pub(super) struct Resources {
    pub player: Player,
    pub networks: Networks,
}

impl Resources {
    /// True if a search can begin at once.
    pub fn are_ready_for(&self, options: &Options) -> bool {
        self.player.is_ready_for(options.hash) && self.networks.are_ready_for(options)
    }

    /// Makes what `isready` promises.
    ///
    /// # Errors
    /// If no network can be loaded though one is wanted.
    pub fn prepare(&mut self, options: &Options, writer: &Writer) -> Result<(), NetworkError> {
        self.player.prepare(options.hash);
        self.networks.prepare(options, writer)
    }
}
