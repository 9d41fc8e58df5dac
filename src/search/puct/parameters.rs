use super::LookAhead;

/// What steers the choice of the next move to look at, and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How much the priors count against the values found so far: the factor of exploration at few visits,
    pub exploration: f32,
    /// … which grows by the logarithm of the visits over this number (Silver et al. 2018, "A general reinforcement
    /// learning algorithm that masters chess, shogi, and Go through self-play", supplement).
    pub exploration_base: f32,
    /// A move that was never visited counts as its node's value less this much, times the root of the sum of the visited
    /// ones' priors.
    pub first_play_reduction: f32,
    /// The network's logits are divided by it for the priors: above 1 they are more even.
    pub prior_temperature: f32,
    /// The alpha-beta search that corrects what the network overlooks.
    pub look_ahead: LookAhead,
}

impl Parameters {
    /// For play against an opponent, where values lie between −1 and 1.
    pub const COMPETITIVE: Parameters = Parameters {
        exploration: 1.5,
        exploration_base: 18_368.0,
        first_play_reduction: 0.3,
        prior_temperature: 1.0,
        look_ahead: LookAhead { nodes: 2000, share: 0.7, prior: 0.25 },
    };

    /// For cooperation, where values lie between 0 and 1.
    pub const COOPERATIVE: Parameters = Parameters {
        exploration: 1.0,
        exploration_base: 18_368.0,
        first_play_reduction: 0.1,
        prior_temperature: 1.0,
        look_ahead: LookAhead::NONE,
    };

    /// Those of play, as whole numbers that a GUI or a tuner may set.
    pub const TUNABLE: [Tunable; 6] = [
        Tunable {
            name: "Exploration",
            help: "How much a move's chance by the network counts in the tree search of a plain `go` against what was \
                   found of it, in hundredths.",
            usual: percent(Parameters::COMPETITIVE.exploration),
            range: (0, 1000),
            store: |parameters, value| parameters.exploration = share(value),
        },
        Tunable {
            name: "FirstPlayReduction",
            help: "How much worse than its position a move counts there before it was looked at, in hundredths of a \
                   game.",
            usual: percent(Parameters::COMPETITIVE.first_play_reduction),
            range: (0, 200),
            store: |parameters, value| parameters.first_play_reduction = share(value),
        },
        Tunable {
            name: "PriorTemperature",
            help: "How even the moves' chances are there, in percent: 100 as the network says.",
            usual: percent(Parameters::COMPETITIVE.prior_temperature),
            range: (10, 1000),
            store: |parameters, value| parameters.prior_temperature = share(value),
        },
        Tunable {
            name: "LookAhead",
            help: "Nodes, in hundreds, of the alpha-beta search that corrects the network in every position of the tree \
                   search; 0 switches it off. More see deeper, at most 12 plies, and slow the search.",
            usual: Parameters::COMPETITIVE.look_ahead.nodes / 100,
            range: (0, 1000),
            store: |parameters, value| parameters.look_ahead.nodes = value * 100,
        },
        Tunable {
            name: "LookAheadShare",
            help: "Weight of that search's score against the network's value, in percent.",
            usual: percent(Parameters::COMPETITIVE.look_ahead.share),
            range: (0, 100),
            store: |parameters, value| parameters.look_ahead.share = share(value),
        },
        Tunable {
            name: "LookAheadPrior",
            help: "Share of the prior that goes to that search's best move, in percent.",
            usual: percent(Parameters::COMPETITIVE.look_ahead.prior),
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
        let mut parameters = Parameters::COOPERATIVE;
        for tunable in &Parameters::TUNABLE {
            let before = parameters;
            tunable.set(&mut parameters, tunable.range.1);
            assert_ne!(parameters, before, "{}", tunable.name);
        }
        for tunable in &Parameters::TUNABLE {
            assert!((tunable.range.0..=tunable.range.1).contains(&tunable.usual), "{}", tunable.name);
            tunable.set(&mut parameters, tunable.usual);
        }
        assert_eq!(parameters, Parameters::COMPETITIVE);
    }
}
