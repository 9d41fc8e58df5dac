//! The effect of a single weight for the search's score, the simplest model of skill. It shows at which ratings the
//! search helps.

use entente_network::encoding::skill::FEATURES;
use entente_search::MAX_DEPTHS;

use super::Labelled;

/// The cross-entropy of the moves for each weight β of the expected score that a move loses, p ∝ π · exp(−β · loss)
/// (KL-regularised search: Jacob et al. 2022, "Modeling strong and human-like gameplay with KL-regularized search").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightTable {
    /// Each weight with the mean cross-entropy in nats.
    pub rows: Vec<(f32, f64)>,
}

/// The weights that are tried.
const WEIGHTS: [f32; 9] = [0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0];
/// The index of the feature with the loss at the last depth, multiplied by 4.
const LOSS: usize = 4 * MAX_DEPTHS - 5;

/// The table for the positions with these indices.
pub fn weight_table(labelled: &Labelled, numbers: &[usize]) -> WeightTable {
    let entropy = |weight: f32| {
        let sum: f64 = numbers
            .iter()
            .map(|number| {
                let (rows, logarithms, played) = labelled.position(*number);
                let logits: Vec<f32> = rows
                    .chunks_exact(FEATURES)
                    .zip(logarithms)
                    .map(|(row, logarithm)| logarithm - weight * row[LOSS] / 4.0)
                    .collect();
                let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
                f64::from(most + sum.ln() - logits[played])
            })
            .sum();
        sum / numbers.len().max(1) as f64
    };
    WeightTable { rows: WEIGHTS.iter().map(|weight| (*weight, entropy(*weight))).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_helps_if_the_better_move_was_played() {
        let mut labelled = Labelled::empty();
        for played in [0, 0, 1] {
            let mut rows = vec![0.0; 2 * FEATURES];
            rows[FEATURES + LOSS] = 1.0;
            labelled.push(&rows, &[0.5f32.ln(); 2], played);
        }
        let WeightTable { rows } = weight_table(&labelled, &[0, 1, 2]);
        assert_eq!(rows[0].0, 0.0);
        assert!((rows[0].1 - 2f64.ln()).abs() < 1e-6);
        // A loss of 1/4 with the weight 4 makes a move e times less likely.
        let (likely, rare) = ((1.0 + (-1f64).exp()).ln(), (1.0 + 1f64.exp()).ln());
        assert!((rows[3].1 - (2.0 * likely + rare) / 3.0).abs() < 1e-5);
        assert!(weight_table(&labelled, &[2]).rows[3].1 > 2f64.ln());
    }
}
