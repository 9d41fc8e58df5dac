use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SamplePrediction;
use crate::training::{auc, mean_bce, probability_in_top};

/// The group of online games without a goal, the most important group.
pub const ONLINE: &str = "plain online";
/// The group of tournament games without a goal.
pub(super) const OVER_THE_BOARD: &str = "plain over the board";
/// The groups of positions from games with clocks, which are hidden or shown.
pub(super) const TIMED: [&str; 2] = ["timed, clocks hidden", "timed, clocks told"];

/// How well a policy predicts moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct MoveScore {
    /// The number of samples.
    pub samples: usize,
    /// The mean of −ln of the probability of the move that was played, in nats.
    pub cross_entropy: f64,
    /// The share of samples in which no move was more likely than the one that was played. Equally likely moves share a
    /// place here and below.
    pub top_1: f64,
    /// … at most two were more likely.
    pub top_3: f64,
    /// … at most four were more likely.
    pub top_5: f64,
}

/// How well a policy predicts whether a goal is reached.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ReachScore {
    /// The number of samples.
    pub samples: usize,
    /// The share of samples that reached the goal.
    pub reached: f64,
    /// Area under the ROC curve of the satisfaction value.
    pub value_auc: Option<f64>,
    /// Area under the ROC curve of the action value of the move that was played.
    pub action_value_auc: Option<f64>,
    /// Binary cross-entropy of the satisfaction value, in nats.
    pub value_loss: f64,
    /// Binary cross-entropy of the action value, in nats.
    pub action_value_loss: f64,
    /// For satisfaction values in [0, 0.1), [0.1, 0.2) and so on: the number of samples, their mean value, and the
    /// share that reached the goal.
    pub calibration: Vec<(usize, f64, f64)>,
}

/// All measures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Measures {
    /// The scores of moves by group, that is by the kind of goal and of game.
    pub moves: BTreeMap<String, MoveScore>,
    /// The scores of reaching goals, by kind of goal.
    pub reach: BTreeMap<String, ReachScore>,
    /// The mean of −ln of the probability of the result, in nats.
    pub result_loss: f64,
}

impl Measures {
    /// The mean cross-entropy of the moves in positions without a goal, in nats; 0 if there are none.
    pub fn plain_cross_entropy(&self) -> f64 {
        let scores = || [ONLINE, OVER_THE_BOARD].into_iter().filter_map(|group| self.moves.get(group));
        let sum: f64 = scores().map(|score| score.samples as f64 * score.cross_entropy).sum();
        sum / scores().map(|score| score.samples).sum::<usize>().max(1) as f64
    }
}

impl MoveScore {
    pub(super) fn new(predictions: &[&SamplePrediction]) -> MoveScore {
        let count = predictions.len().max(1) as f64;
        let among =
            |places: usize, seen: &SamplePrediction| probability_in_top(places, seen.rank, seen.alike);
        let top = |places: usize| predictions.iter().map(|seen| among(places, seen)).sum::<f64>() / count;
        MoveScore {
            samples: predictions.len(),
            cross_entropy: predictions.iter().map(|seen| seen.surprise).sum::<f64>() / count,
            top_1: top(1),
            top_3: top(3),
            top_5: top(5),
        }
    }
}

impl ReachScore {
    pub(super) fn new(seen: &[(&SamplePrediction, bool)]) -> ReachScore {
        let labels: Vec<f32> = seen.iter().map(|(_, reached)| f32::from(u8::from(*reached))).collect();
        let values: Vec<f32> = seen.iter().map(|(prediction, _)| prediction.value).collect();
        let actions: Vec<f32> = seen.iter().map(|(prediction, _)| prediction.action_value).collect();
        let mut bins = vec![(0, 0.0, 0.0); 10];
        for (value, label) in values.iter().zip(&labels) {
            let bin: &mut (usize, f64, f64) = &mut bins[((value * 10.0) as usize).min(9)];
            bin.0 += 1;
            bin.1 += f64::from(*value);
            bin.2 += f64::from(*label);
        }
        let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
        ReachScore {
            samples: seen.len(),
            reached: f64::from(labels.iter().sum::<f32>()) / seen.len().max(1) as f64,
            value_auc: auc(&values, &labels),
            action_value_auc: auc(&actions, &labels),
            value_loss: mean_bce(&values, &labels),
            action_value_loss: mean_bce(&actions, &labels),
            calibration: bins
                .into_iter()
                .map(|(count, values, labels)| (count, mean(values, count), mean(labels, count)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_that_finds_all_moves_equally_likely_guesses() {
        let prediction = |rank, alike| SamplePrediction {
            surprise: 1.0,
            rank,
            alike,
            value: 0.5,
            action_value: 0.5,
            result_loss: 1.0,
        };
        let score = MoveScore::new(&[&prediction(0, 20)]);
        assert_eq!([score.top_1, score.top_3, score.top_5], [0.05, 0.15, 0.25]);
        let score = MoveScore::new(&[&prediction(0, 2), &prediction(4, 1)]);
        assert_eq!([score.top_1, score.top_3, score.top_5], [0.25, 0.5, 1.0]);
    }
}
