//! Meanings that depend on several settings.

use entente_network::{NetworkKind as _, Policy};
use entente_search::rollout::RolloutSettings;

use super::{Evaluator, GenerationSettings, Method, PlaySettings, Settings};

/// The settings that play reads: its own, and some that it shares with generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerSettings<'a> {
    /// The settings of play alone.
    pub play: &'a PlaySettings,
    /// Those shared with generation: the network and its evaluator, ratings, skill, playouts, seed and threads.
    pub generation: &'a GenerationSettings,
}

impl Settings {
    /// The settings that play reads.
    pub fn player(&self) -> PlayerSettings<'_> {
        PlayerSettings { play: &self.play, generation: &self.generation }
    }
}

impl<'a> PlayerSettings<'a> {
    /// True if a policy network plays: if it is asked for, or if strength is limited, because then the engine imitates
    /// humans. Without a policy network, play is stronger.
    pub fn plays_by_policy(self) -> bool {
        match self.generation.evaluator {
            _ if self.generation.method == Some(Method::Rollout) => false,
            Evaluator::Auto => self.play.limit_strength,
            Evaluator::Network => true,
            Evaluator::Men | Evaluator::HandWritten | Evaluator::Article => false,
        }
    }

    /// The name of the policy that plays, if one does: at a limited strength the one that models people, otherwise
    /// `policy_file`.
    pub(crate) fn policy_name(self) -> &'a str {
        if self.play.limit_strength { self.generation.people_name() } else { self.generation.policy_name() }
    }
}

impl GenerationSettings {
    /// The value of `human_network` that names no network.
    pub(crate) const NO_NETWORK: &'static str = "none";

    /// The name of the policy that knows goals.
    pub fn policy_name(&self) -> &str {
        self.network.as_ref().or(self.policy_file.as_ref()).map_or(Policy::DEFAULT, String::as_str)
    }

    /// The name of the policy that models people, if it is another one. The embedded one joins the embedded policy
    /// only: another policy may know other players.
    pub fn human_name(&self) -> Option<&str> {
        match self.human_network.as_deref() {
            Some(GenerationSettings::NO_NETWORK) => None,
            Some(name) => Some(name),
            None => (self.policy_name() == Policy::DEFAULT).then_some(Policy::HUMAN),
        }
    }

    /// The name of the policy that says what people play where no goal matters.
    pub(crate) fn people_name(&self) -> &str {
        self.human_name().unwrap_or_else(|| self.policy_name())
    }

    /// The settings of playouts, with `usual` playouts for each move of the game unless their number is set.
    pub fn rollout(&self, usual: u32) -> RolloutSettings {
        RolloutSettings {
            depth: self.playout_depth,
            playouts: self.playouts.unwrap_or(usual).into(),
            allotment: self.allotment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_plays_if_asked_for_or_if_strength_is_limited() {
        let plays = |evaluator, limit_strength, method| {
            let play = PlaySettings { limit_strength, ..PlaySettings::default() };
            let generation = GenerationSettings { evaluator, method, ..GenerationSettings::default() };
            PlayerSettings { play: &play, generation: &generation }.plays_by_policy()
        };
        assert!(plays(Evaluator::Auto, true, None) && plays(Evaluator::Network, false, None));
        assert!(!plays(Evaluator::Auto, false, None) && !plays(Evaluator::HandWritten, true, None));
        assert!(!plays(Evaluator::Network, true, Some(Method::Rollout)));
    }

    #[test]
    fn people_of_a_rating_are_played_by_the_network_that_models_people() {
        let named = |limit_strength, policy_file: Option<&str>, human_network: Option<&str>| {
            let [policy_file, human_network] =
                [policy_file, human_network].map(|name| name.map(str::to_owned));
            let generation =
                GenerationSettings { policy_file, human_network, ..GenerationSettings::default() };
            let play = PlaySettings { limit_strength, ..PlaySettings::default() };
            PlayerSettings { play: &play, generation: &generation }.policy_name().to_owned()
        };
        assert_eq!(named(true, None, None), Policy::HUMAN);
        assert_eq!(named(false, None, None), Policy::DEFAULT);
        assert_eq!(named(true, None, Some("maia.onnx")), "maia.onnx");
        assert_eq!(named(false, None, Some("maia.onnx")), Policy::DEFAULT);
        // Another policy may know other players than the embedded network for people.
        assert_eq!(named(true, Some("own.onnx"), None), "own.onnx");
        assert_eq!(named(true, None, Some("none")), Policy::DEFAULT);
    }
}
