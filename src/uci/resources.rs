use super::{
    player::{Eyes, Player, Setup},
    reply::Reply,
    writer::Writer,
};
use crate::{
    engine::{Engine, Event},
    generation::Plan,
    search::puct::Parameters,
    settings::{Setting, Settings},
};

/// What searches use, one after another, and what takes long to make: never made on the session's thread, which must
/// hear `stop` and `quit` meanwhile.
#[derive(Default)]
pub(super) struct Resources {
    pub player: Player,
    pub engine: Engine,
}

impl Resources {
    /// True if a search can begin at once.
    pub fn are_ready_for(&self, settings: &Settings) -> bool {
        self.engine.is_ready_for(settings) && self.player.is_ready_for(&self.setup_at_hand(settings))
    }

    /// Makes what `isready` promises.
    pub fn prepare(&mut self, settings: &Settings, writer: &Writer) {
        self.engine.prepare(settings, &mut |event| tell(event, writer));
        let setup = self.setup(settings, writer);
        self.player.prepare(setup);
    }

    /// Hears that a setting was set, to whatever: the file that it names may be another one by now.
    pub fn note_change_of(&mut self, setting: &Setting, settings: &Settings) {
        self.engine.note_change_of(setting, settings);
    }

    /// What is to play. If no network can be loaded, that is reported, and the search without one will do.
    pub fn setup(&mut self, settings: &Settings, writer: &Writer) -> Setup {
        if plays_by_network(settings) {
            let policy = self.engine.policy(settings, &mut |event| tell(event, writer));
            if let Err(error) = policy {
                writer.send(&Reply::Error(error.to_string()));
            }
        }
        self.setup_at_hand(settings)
    }

    /// What would play with what is loaded.
    fn setup_at_hand(&self, settings: &Settings) -> Setup {
        let policy = plays_by_network(settings).then(|| self.engine.loaded_policy(settings)).flatten();
        // More threads than cores would only keep the session from being heard.
        let threads = settings.threads.min(Plan::cores() as u32);
        let parameters = parameters(settings);
        let eyes = policy.map_or(Eyes::Material, |policy| Eyes::Network { policy, threads, parameters });
        Setup { mebibytes: settings.hash, eyes }
    }
}

/// True if a policy network plays.
pub(super) fn plays_by_network(settings: &Settings) -> bool {
    settings.evaluator.plays_by_network(settings.limit_strength)
}

/// The parameters of the tree search of play.
pub(super) fn parameters(settings: &Settings) -> Parameters {
    let mut parameters = Parameters::COMPETITIVE;
    parameters.exploration = settings.exploration;
    parameters.first_play_reduction = settings.first_play_reduction;
    parameters.prior_temperature = settings.prior_temperature;
    parameters.look_ahead.nodes = settings.look_ahead * 100;
    parameters.look_ahead.share = settings.look_ahead_share;
    parameters.look_ahead.prior = settings.look_ahead_prior;
    parameters
}

/// Passes on what the engine has to say.
pub(super) fn tell(event: Event, writer: &Writer) {
    writer.send(&match event {
        Event::Note(note) => Reply::Note(note),
        Event::Error(error) => Reply::Error(error),
    });
}
