use std::{collections::BTreeMap, sync::Arc};

use entente::encoding::goal_policy::RatingScale;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};

use super::predictions::Prediction;
use crate::{
    dataset::goal::{Archive, GoalKind, Rounds, Sample, Sampler, Source, Trace},
    training::auc,
};

/// Samples of games that a policy does not learn from.
#[derive(Debug)]
pub struct HeldOut {
    samples: Vec<Sample>,
}

/// How well moves are predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct MoveScore {
    /// Samples.
    pub samples: usize,
    /// Mean −ln of the probability of the move that was played, in nats.
    pub cross_entropy: f64,
    /// The share of samples in which no move was likelier.
    pub top_1: f64,
    /// … at most two were.
    pub top_3: f64,
    /// … at most four were.
    pub top_5: f64,
}

/// How well reaching a goal is predicted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct ReachScore {
    /// Samples.
    pub samples: usize,
    /// The share that reached the goal.
    pub reached: f64,
    /// Area under the ROC curve of the satisfaction value.
    pub value_auc: Option<f64>,
    /// Of the action value of the move that was played.
    pub action_value_auc: Option<f64>,
    /// Binary cross-entropy of the satisfaction value, in nats.
    pub value_loss: f64,
    /// Of the action value.
    pub action_value_loss: f64,
    /// Samples, mean satisfaction value and share that reached, for values in [0, 0.1), [0.1, 0.2) and so on.
    pub calibration: Vec<(usize, f64, f64)>,
}

/// All measures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Measures {
    /// By group: what kind of goal, which games.
    pub moves: BTreeMap<String, MoveScore>,
    /// By kind of goal.
    pub reach: BTreeMap<String, ReachScore>,
    /// Mean −ln of the probability of the result, in nats.
    pub result_loss: f64,
}

/// The group of all goals, those among them that were taken from the game itself.
const WITH_HINDSIGHT: &str = "all and hindsight";

/// The group of online games without a goal: what the policy is judged by first.
pub const ONLINE: &str = "plain online";

impl HeldOut {
    /// `plain` positions each of online and of tournament games, every ply alike and without a goal, and about `goals`
    /// samples with goals, drawn as in training.
    pub fn new(archive: &Arc<Archive>, sampler: &Sampler, plain: usize, goals: usize, seed: u64) -> HeldOut {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut samples = Vec::new();
        for scale in [RatingScale::Online, RatingScale::Fide] {
            let games: Vec<usize> = (0..archive.len())
                .filter(|game| archive.info(*game).scale == scale && archive.game_plies(*game) > 0)
                .collect();
            // Longer games have more positions.
            let mut ends = Vec::with_capacity(games.len());
            let mut plies = 0;
            for game in &games {
                plies += archive.game_plies(*game);
                ends.push(plies);
            }
            let mut drawn: Vec<usize> = match plies {
                0 => Vec::new(),
                _ => (0..plain).map(|_| rng.random_range(0..plies)).collect(),
            };
            drawn.sort_unstable();
            let mut trace: Option<(usize, Trace)> = None;
            for place in drawn {
                let index = ends.partition_point(|end| *end <= place);
                let ply = place - if index > 0 { ends[index - 1] } else { 0 };
                let game = games[index];
                if trace.as_ref().is_none_or(|(other, _)| *other != game) {
                    trace = Some((game, Trace::new(archive, game)));
                }
                let (_, trace) = trace.as_ref().expect("made just now");
                samples.push(Sample::plain(archive.info(game), trace, ply));
            }
        }
        if goals > 0 {
            let source = Source { archive: Arc::clone(archive), online: 0.5, own: None };
            let mut rounds = Rounds::new(source, *sampler, goals, seed, 0, 1);
            samples.extend(rounds.next_round().into_iter().filter(|sample| sample.kind != GoalKind::Plain));
        }
        HeldOut { samples }
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// What `predictions`, one for each sample, are worth.
    pub fn measure(&self, predictions: &[Prediction]) -> Measures {
        let mut moves: BTreeMap<String, Vec<&Prediction>> = BTreeMap::new();
        let mut reach: BTreeMap<String, Vec<(&Prediction, bool)>> = BTreeMap::new();
        for (sample, prediction) in self.samples.iter().zip(predictions) {
            for group in groups(sample) {
                moves.entry(group).or_default().push(prediction);
            }
            if sample.kind == GoalKind::Hindsight {
                reach.entry(WITH_HINDSIGHT.to_owned()).or_default().push((prediction, true));
            }
            if let Some(reached) = sample.reached {
                reach.entry(WITH_HINDSIGHT.to_owned()).or_default().push((prediction, reached));
                let kind = if sample.kind == GoalKind::Foreign { "foreign" } else { "perturbed" };
                for group in ["all", kind] {
                    reach.entry(group.to_owned()).or_default().push((prediction, reached));
                }
            }
        }
        let result_loss: f64 = predictions.iter().map(|prediction| prediction.result_loss).sum();
        Measures {
            moves: moves.into_iter().map(|(group, seen)| (group, MoveScore::new(&seen))).collect(),
            reach: reach.into_iter().map(|(group, seen)| (group, ReachScore::new(&seen))).collect(),
            result_loss: result_loss / predictions.len().max(1) as f64,
        }
    }
}

/// The groups that a sample's move counts in.
fn groups(sample: &Sample) -> Vec<String> {
    let source = if sample.game.scale == RatingScale::Online { "online" } else { "over the board" };
    match sample.kind {
        GoalKind::Plain => {
            let band = sample.game.mean_rating() / 200 * 200;
            let phase = match sample.context.ply {
                0..10 => "plies 0-9",
                10..30 => "plies 10-29",
                _ => "plies 30+",
            };
            vec![
                format!("plain {source}"),
                format!("plain {source}, rating {band}-{}", band + 199),
                format!("plain {source}, {phase}"),
            ]
        }
        GoalKind::Hindsight => {
            let distance = match sample.distance {
                Some(1) => "1 ply",
                Some(2..=4) => "2-4 plies",
                Some(5..=10) => "5-10 plies",
                Some(11..=20) => "11-20 plies",
                _ => "over 20 plies",
            };
            vec![format!("hindsight {source}"), format!("hindsight, {distance} away")]
        }
        GoalKind::Foreign | GoalKind::Perturbed => Vec::new(),
    }
}

impl MoveScore {
    fn new(predictions: &[&Prediction]) -> MoveScore {
        let count = predictions.len().max(1) as f64;
        let top = |most: usize| predictions.iter().filter(|seen| seen.rank < most).count() as f64 / count;
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
    fn new(seen: &[(&Prediction, bool)]) -> ReachScore {
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
            value_loss: crate::training::mean_bce(&values, &labels),
            action_value_loss: crate::training::mean_bce(&actions, &labels),
            calibration: bins
                .into_iter()
                .map(|(count, values, labels)| (count, mean(values, count), mean(labels, count)))
                .collect(),
        }
    }
}
