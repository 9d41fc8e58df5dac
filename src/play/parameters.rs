use super::look_ahead::LookAhead;
use crate::search::tree::Exploration;

/// What steers a tree search of play, and what its judges think.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Which move is looked at next.
    pub exploration: Exploration,
    /// The network's logits are divided by it for the priors: above 1 they are more even.
    pub prior_temperature: f32,
    /// The alpha-beta search that corrects what the network overlooks.
    pub look_ahead: LookAhead,
}

impl Parameters {
    /// The usual ones.
    pub const USUAL: Parameters = Parameters {
        exploration: Exploration::COMPETITIVE,
        prior_temperature: 1.0,
        look_ahead: LookAhead { nodes: 2000, share: 0.7, prior: 0.25 },
    };

    /// Those that a GUI or a tuner may set, as whole numbers.
    pub const TUNABLE: [Tunable; 6] = [
        Tunable {
            name: "Exploration",
            help: "How much a move's chance by the network counts in the tree search of a plain `go` against what was \
                   found of it, in hundredths.",
            usual: percent(Parameters::USUAL.exploration.factor),
            range: (0, 1000),
            store: |parameters, value| parameters.exploration.factor = share(value),
        },
        Tunable {
            name: "FirstPlayReduction",
            help: "How much worse than its position a move counts there before it was looked at, in hundredths of a \
                   game.",
            usual: percent(Parameters::USUAL.exploration.first_play_reduction),
            range: (0, 200),
            store: |parameters, value| parameters.exploration.first_play_reduction = share(value),
        },
        Tunable {
            name: "PriorTemperature",
            help: "How even the moves' chances are there, in percent: 100 as the network says.",
            usual: percent(Parameters::USUAL.prior_temperature),
            range: (10, 1000),
            store: |parameters, value| parameters.prior_temperature = share(value),
        },
        Tunable {
            name: "LookAhead",
            help: "Nodes, in hundreds, of the alpha-beta search that corrects the network in every position of the tree \
                   search; 0 switches it off. More see deeper, at most 12 plies, and slow the search.",
            usual: Parameters::USUAL.look_ahead.nodes / 100,
            range: (0, 1000),
            store: |parameters, value| parameters.look_ahead.nodes = value * 100,
        },
        Tunable {
            name: "LookAheadShare",
            help: "Weight of that search's score against the network's value, in percent.",
            usual: percent(Parameters::USUAL.look_ahead.share),
            range: (0, 100),
            store: |parameters, value| parameters.look_ahead.share = share(value),
        },
        Tunable {
            name: "LookAheadPrior",
            help: "Share of the prior that goes to that search's best move, in percent.",
            usual: percent(Parameters::USUAL.look_ahead.prior),
            range: (0, 90),
            store: |parameters, value| parameters.look_ahead.prior = share(value),
        },
    ];
}

/// A parameter that can be set from outside.
#[derive(Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// What it does, and in which unit.
    pub help: &'static str,
    /// Its usual value.
    pub usual: u32,
    /// The least and the greatest.
    pub range: (u32, u32),
    store: fn(&mut Parameters, u32),
}

impl Tunable {
    /// Sets it.
    pub fn set(&self, parameters: &mut Parameters, value: u32) {
        (self.store)(parameters, value);
    }
}

fn share(percent: u32) -> f32 {
    percent as f32 / 100.0
}

const fn percent(share: f32) -> u32 {
    (share * 100.0 + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_values_are_those_of_play_and_each_can_be_set() {
        let exploration = Exploration { factor: 0.1, first_play_reduction: 0.1, ..Exploration::COMPETITIVE };
        let mut parameters = Parameters { exploration, prior_temperature: 2.0, look_ahead: LookAhead::NONE };
        for tunable in &Parameters::TUNABLE {
            let before = parameters;
            tunable.set(&mut parameters, tunable.range.1);
            assert_ne!(parameters, before, "{}", tunable.name);
        }
        for tunable in &Parameters::TUNABLE {
            assert!((tunable.range.0..=tunable.range.1).contains(&tunable.usual), "{}", tunable.name);
            tunable.set(&mut parameters, tunable.usual);
        }
        assert_eq!(parameters, Parameters::USUAL);
    }
}
