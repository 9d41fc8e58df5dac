use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{training::probability_in_top, transformer::MoveSample};

/// How well a network predicts moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Measures {
    /// The number of positions.
    pub positions: u64,
    /// The mean of −ln of the probability of the move that was played, among the legal moves, in nats.
    pub cross_entropy: f64,
    /// The same among all moves of the vocabulary, as in training.
    pub raw_cross_entropy: f64,
    /// The share of positions in which no legal move was more likely than the one that was played. Equally likely moves
    /// share a place here and below.
    pub top_1: f64,
    /// … at most two were more likely.
    pub top_3: f64,
    /// … at most four were more likely.
    pub top_5: f64,
    /// The mean of the total probability of illegal moves.
    pub illegal: f64,
}

/// The measures of the best network on the test split, as the engine runs it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Test {
    /// The measures by group.
    pub groups: Groups,
    /// The measures of the untrained network over all groups.
    pub untrained: Measures,
    /// The measures of the baseline `Habits`, counted in the training split, by group.
    pub habits: Groups,
}

impl Measures {
    /// Adds a position. `legal` has the logits of the legal moves, `log_sum` is ln Σ eˣ over the logits of all moves,
    /// and `played` is the index of the legal move that was played.
    pub fn add(&mut self, legal: &[f32], log_sum: f64, played: usize) {
        let chance = |logit: f32| (f64::from(logit) - log_sum).exp();
        let sum: f64 = legal.iter().map(|logit| chance(*logit)).sum();
        let own = f64::from(legal[played]) - log_sum;
        let better = legal.iter().filter(|logit| **logit > legal[played]).count();
        let alike = legal.iter().filter(|logit| **logit == legal[played]).count();
        let among = |places: usize| probability_in_top(places, better, alike);
        self.positions += 1;
        self.cross_entropy += sum.ln() - own;
        self.raw_cross_entropy -= own;
        self.top_1 += among(1);
        self.top_3 += among(3);
        self.top_5 += among(5);
        self.illegal += (1.0 - sum).max(0.0);
    }

    /// The means over the positions that were added.
    pub fn means(self) -> Measures {
        let mean = |sum: f64| sum / self.positions.max(1) as f64;
        Measures {
            positions: self.positions,
            cross_entropy: mean(self.cross_entropy),
            raw_cross_entropy: mean(self.raw_cross_entropy),
            top_1: mean(self.top_1),
            top_3: mean(self.top_3),
            top_5: mean(self.top_5),
            illegal: mean(self.illegal),
        }
    }
}

/// Measures by the names of groups of positions.
pub type Groups = BTreeMap<String, Measures>;

/// The groups of a sample: "all"; online or over the board, with the band of the mover's rating; the phase of the game.
pub(super) fn groups(sample: &MoveSample) -> [String; 3] {
    let rating = sample.game.ratings[sample.ply % 2];
    let band = (rating / 400) * 400;
    let kind = if sample.game.scale.is_online() { "online" } else { "over the board" };
    let players = if rating == 0 {
        "players unknown".to_owned()
    } else {
        format!("{kind} {band:04}–{:04}", band + 399)
    };
    let phase = match sample.ply {
        0..20 => "plies 0–19",
        20..60 => "plies 20–59",
        _ => "plies from 60",
    };
    ["all".to_owned(), players, phase.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_moves_affect_only_the_raw_cross_entropy() {
        let mut measures = Measures::default();
        // Legal moves with the probabilities 0.5, 0.25 and 0.15, and illegal ones with 0.1 together.
        let legal = [0.5f32, 0.25, 0.15].map(f32::ln);
        measures.add(&legal, 0.0, 1);
        measures.add(&legal, 0.0, 0);
        let means = measures.means();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        close(means.illegal, 0.1);
        close(means.raw_cross_entropy, -(0.25f64.ln() + 0.5f64.ln()) / 2.0);
        close(means.cross_entropy, means.raw_cross_entropy + 0.9f64.ln());
        assert_eq!((means.top_1, means.top_3, means.positions), (0.5, 1.0, 2));
    }

    #[test]
    fn a_network_that_knows_nothing_guesses() {
        let mut measures = Measures::default();
        measures.add(&[0.0; 20], 7.6, 4);
        let means = measures.means();
        assert_eq!((means.top_1, means.top_3, means.top_5), (0.05, 0.15, 0.25));
    }
}
