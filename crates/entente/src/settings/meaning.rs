//! Meanings that depend on several settings.

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

impl PlayerSettings<'_> {
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
}

impl GenerationSettings {
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
}
