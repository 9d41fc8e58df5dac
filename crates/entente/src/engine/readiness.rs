//! What must be loaded before a search can begin, and what happens if a file cannot be loaded.

use std::sync::Arc;

use entente_constraint::Target;
use entente_network::{NetworkError, NetworkKind as _, NetworkSource as _, Policy, SatisfactionNetwork};

use super::{Engine, EngineError};
use crate::{
    generation::{NetworkWanted, Request},
    satisfaction::SatisfactionModel,
    settings::{GenerationSettings, Method, PlayerSettings, Setting, Settings},
};

/// A message from the engine while it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Information.
    Note(String),
    /// Something that could not be done as requested.
    Error(String),
}

/// The network files that settings name, as far as they could be read.
#[derive(Default)]
pub(super) struct NamedFiles {
    evaluation: NamedFile,
    policy: NamedFile,
    human: NamedFile,
}

impl NamedFiles {
    fn all(&self) -> [&NamedFile; 3] {
        [&self.evaluation, &self.policy, &self.human]
    }

    fn all_mut(&mut self) -> [&mut NamedFile; 3] {
        [&mut self.evaluation, &mut self.policy, &mut self.human]
    }
}

/// The file of one setting.
#[derive(Default)]
struct NamedFile {
    /// The last file that could be read; `None` for the default network.
    in_use: Option<String>,
    /// The name that was handled last. It is not read again until it is set again.
    answered: Option<String>,
}

impl NamedFile {
    /// True if nothing needs to be read for this name.
    fn is_settled(&self, name: Option<&String>) -> bool {
        name.is_none() || name == self.answered.as_ref()
    }

    /// The name of the network to use: `name` if it can be read, otherwise the last one that could be.
    fn settled(
        &mut self,
        option: &str,
        name: Option<&String>,
        load: impl FnOnce(&str) -> Result<(), NetworkError>,
        tell: &mut dyn FnMut(Event),
    ) -> Option<String> {
        let Some(name) = name else {
            self.in_use = None;
            return None;
        };
        if self.answered.as_ref() != Some(name) {
            self.answered = Some(name.clone());
            match load(name) {
                Ok(()) => self.in_use = Some(name.clone()),
                Err(error) => {
                    tell(Event::Error(format!("option {option}: {error}; the network in use is kept")));
                }
            }
        }
        self.in_use.clone()
    }
}

impl Engine {
    /// The settings, with each network that cannot be read replaced by the last one that could be. An event reports
    /// that once, each time the setting is set.
    pub fn settled(
        &mut self,
        settings: &GenerationSettings,
        tell: &mut dyn FnMut(Event),
    ) -> GenerationSettings {
        let (networks, backend) = (&mut self.networks, settings.backend);
        let eval_file = settings.eval_file.as_ref();
        let eval_file = self.files.evaluation.settled(
            "EvalFile",
            eval_file,
            |name| networks.network(name, backend).map(drop),
            tell,
        );
        let policy_file = settings.policy_file.as_ref();
        let policy_file = self.files.policy.settled(
            "PolicyFile",
            policy_file,
            |name| networks.policy(name, backend).map(drop),
            tell,
        );
        let human_network = self.files.human.settled(
            "HumanNetwork",
            settings.human_network.as_ref(),
            |name| match name {
                GenerationSettings::NO_NETWORK => Ok(()),
                _ => networks.policy(name, backend).map(drop),
            },
            tell,
        );
        GenerationSettings { eval_file, policy_file, human_network, ..settings.clone() }
    }

    /// Takes note that a setting was set, even to the same value: the file that it names may have changed.
    pub fn note_change_of(&mut self, setting: Setting, settings: &GenerationSettings) {
        let (file, name) = match setting {
            // Another backend may be able to run the file.
            Setting::Backend => {
                self.files.all_mut().into_iter().for_each(|file| file.answered = None);
                return;
            }
            Setting::EvalFile => (&mut self.files.evaluation, &settings.eval_file),
            Setting::PolicyFile => (&mut self.files.policy, &settings.policy_file),
            Setting::HumanNetwork => (&mut self.files.human, &settings.human_network),
            _ => return,
        };
        file.answered = None;
        name.iter().for_each(|name| self.networks.forget(name));
        let GenerationSettings { eval_file, policy_file, human_network, .. } = settings;
        let loaded = self.files.all().map(|file| &file.in_use);
        let named = [eval_file, policy_file, human_network].into_iter().chain(loaded);
        let named = named.flatten().map(String::as_str);
        let usual = [SatisfactionNetwork::DEFAULT, Policy::DEFAULT, Policy::HUMAN];
        let in_use: Vec<&str> = named.chain(usual).collect();
        self.networks.keep(&in_use);
    }

    /// True if nothing needs to be loaded before these settings can be used.
    pub fn is_ready_for(&self, settings: &Settings) -> bool {
        let GenerationSettings { eval_file, policy_file, human_network, backend, .. } = &settings.generation;
        let named = [eval_file, policy_file, human_network];
        if self.files.all().into_iter().zip(named).any(|(file, name)| !file.is_settled(name.as_ref())) {
            return false;
        }
        let are_loaded = self.wanted(settings).iter().all(|wanted| match wanted {
            NetworkWanted::Policy(name) => self.networks.has_policy(name, *backend),
            NetworkWanted::Satisfaction(name) => self.networks.has_network(name, *backend),
        });
        are_loaded && self.play_search.is_ready_for(&self.setup_at_hand(settings.player()))
    }

    /// Loads the networks for these settings, and makes the search that plays.
    pub fn prepare(&mut self, settings: &Settings, tell: &mut dyn FnMut(Event)) {
        let setup = self.setup(settings.player(), tell);
        self.play_search.prepare(setup);
        let generation = self.settled(&settings.generation, tell);
        let backend = generation.backend;
        let settings = Settings { generation, ..settings.clone() };
        for wanted in self.wanted(&settings) {
            let loaded = match wanted {
                NetworkWanted::Policy(name) => self.networks.policy(&name, backend).map(drop),
                NetworkWanted::Satisfaction(name) => self.networks.network(&name, backend).map(drop),
            };
            if let Err(error) = loaded {
                tell(Event::Error(error.to_string()));
            }
        }
    }

    /// The networks that play and generation need with these settings.
    fn wanted(&self, settings: &Settings) -> Vec<NetworkWanted> {
        let player = settings.player();
        let for_play =
            player.plays_by_policy().then(|| NetworkWanted::Policy(player.policy_name().to_owned()));
        let target = settings.session.target.as_ref();
        let request = target.map(|target| Request::new(target.clone(), settings.generation.clone()));
        for_play.into_iter().chain(request.iter().flat_map(Request::networks_wanted)).collect()
    }

    /// The policy that plays.
    ///
    /// # Errors
    /// [`EngineError`] if it cannot be loaded.
    pub(super) fn playing_policy(
        &mut self,
        settings: PlayerSettings<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Arc<Policy>, EngineError> {
        let generation = self.settled(settings.generation, tell);
        let name = PlayerSettings { generation: &generation, ..settings }.policy_name();
        Ok(self.networks.policy(name, generation.backend)?)
    }

    /// The same, if it is loaded.
    pub(super) fn loaded_playing_policy(&self, settings: PlayerSettings<'_>) -> Option<Arc<Policy>> {
        let NamedFiles { policy, human, .. } = &self.files;
        let in_use = |named: &Option<String>, file: &NamedFile| named.as_ref().and(file.in_use.clone());
        let generation = GenerationSettings {
            policy_file: in_use(&settings.generation.policy_file, policy),
            human_network: in_use(&settings.generation.human_network, human),
            ..settings.generation.clone()
        };
        self.networks.loaded_policy(PlayerSettings { generation: &generation, ..settings }.policy_name())
    }

    /// The policy that models people.
    ///
    /// # Errors
    /// [`EngineError`] if it cannot be loaded.
    pub(super) fn people_policy(
        &mut self,
        settings: &GenerationSettings,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Arc<Policy>, EngineError> {
        let settings = self.settled(settings, tell);
        Ok(self.networks.policy(settings.people_name(), settings.backend)?)
    }

    /// The evaluator that negamax would use on the way to `target`.
    ///
    /// # Errors
    /// [`EngineError`] if it needs a network that cannot be loaded.
    pub fn evaluator(
        &mut self,
        target: &Target,
        settings: &GenerationSettings,
        tell: &mut dyn FnMut(Event),
    ) -> Result<SatisfactionModel, EngineError> {
        let settings = GenerationSettings { method: Some(Method::Negamax), ..self.settled(settings, tell) };
        let job = Request::new(target.clone(), settings).resolve(&mut self.networks)?;
        Ok(job.plan.model().cloned().unwrap_or(SatisfactionModel::Men))
    }
}
