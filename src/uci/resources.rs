use super::{
    networks::Networks,
    options::Options,
    player::{Eyes, Player, Setup},
    writer::Writer,
};
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
        let policy = self.networks.loaded_policy();
        let eyes = match policy.filter(|_| options.plays_by_network()) {
            Some(policy) => options.eyes(policy),
            None => Eyes::Material,
        };
        self.networks.are_ready_for(options)
            && self.player.is_ready_for(&Setup { mebibytes: options.hash, eyes })
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
        if !options.plays_by_network() {
            return Setup::material(options.hash);
        }
        match self.networks.policy(options, writer) {
            Ok(policy) => Setup { mebibytes: options.hash, eyes: options.eyes(policy) },
            Err(error) => {
                writer.send(&super::reply::Reply::Error(format!("{error}; playing without a network")));
                Setup::material(options.hash)
            }
        }
    }
}
