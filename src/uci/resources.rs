use super::{networks::Networks, options::Options, reply::Reply, writer::Writer};
use crate::{
    evaluator::NetworkError,
    play::{Player, Setup},
};

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
        let policy = self.networks.loaded_policy().filter(|_| options.plays_by_network());
        self.networks.are_ready_for(options) && self.player.is_ready_for(&options.setup(policy))
    }

    /// Makes what `isready` promises.
    ///
    /// # Errors
    /// If no network can be loaded though one is wanted.
    pub fn prepare(&mut self, options: &Options, writer: &Writer) -> Result<(), NetworkError> {
        let setup = self.setup(options, writer);
        self.player.prepare(setup);
        self.networks.prepare(options, writer)
    }

    /// What is to play. If no network can be loaded, that is reported, and the search without one will do.
    pub fn setup(&mut self, options: &Options, writer: &Writer) -> Setup {
        let policy = options.plays_by_network().then(|| self.networks.policy(options, writer)).transpose();
        let policy = policy.unwrap_or_else(|error| {
            writer.send(&Reply::Error(format!("{error}; playing without a network")));
            None
        });
        options.setup(policy)
    }
}
