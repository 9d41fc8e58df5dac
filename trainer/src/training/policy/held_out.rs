use std::{collections::BTreeMap, sync::Arc};

use entente_network::encoding::goal_policy::RatingScale;
use rand::{SeedableRng, rngs::ChaCha8Rng};

use super::{Measures, MoveScore, ReachScore, SamplePrediction, measures::TIMED};
use crate::samples::goal::{Archive, GoalKind, Plies, Rounds, Sample, Sampler, Shares, Source};

/// Samples from games from which the policy does not learn.
#[derive(Debug)]
pub struct HeldOut {
    samples: Vec<Sample>,
    /// The index of the first position with clocks. Each of these occurs twice.
    timed: usize,
}

/// The group of all goals, including those from the game itself.
const WITH_HINDSIGHT: &str = "all and hindsight";

/// The number of games that one player's moves count as, at most. It is less than in training, because the validation
/// and test splits have fewer games.
const PLAYER_GAMES: u32 = 20;

impl HeldOut {
    /// Draws `plain` positions without a goal from online games, and as many from tournament games, with all plies
    /// equally likely; about `goals` samples with goals, drawn as in training; and `plain / 2` positions from games
    /// with clocks, each once with hidden and once with shown clocks.
    pub fn new(archive: &Arc<Archive>, sampler: &Sampler, plain: usize, goals: usize, seed: u64) -> HeldOut {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let shares = Shares::new(archive, PLAYER_GAMES);
        let mut samples = Vec::new();
        for is_online in [true, false] {
            let plies = Plies::new(archive, |game| archive.info(game).scale.is_online() == is_online);
            plies.draw(plain, &shares, &mut rng, |info, trace, ply| {
                samples.push(Sample::plain(info, trace, ply).with_moves(trace, ply));
            });
        }
        if goals > 0 {
            let source =
                Source { archive: Arc::clone(archive), online: 0.5, player_games: PLAYER_GAMES, own: None };
            // The engine plays toward goals without clocks.
            let sampler = Sampler { clocks: 0.0, ..*sampler };
            let mut rounds = Rounds::new(source, sampler, goals, seed, 0, 1);
            samples.extend(rounds.next_round().into_iter().filter(|sample| sample.kind != GoalKind::Plain));
        }
        let timed = samples.len();
        let plies = Plies::new(archive, |game| archive.clocks(game).len() > 0);
        plies.draw(plain / 2, &shares, &mut rng, |info, trace, ply| {
            let sample = Sample::plain(info, trace, ply).with_moves(trace, ply);
            samples.push(sample.clone());
            samples.push(sample.with_clock(info, trace, ply));
        });
        HeldOut { samples, timed }
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Measures `predictions`, one for each sample.
    pub fn measure(&self, predictions: &[SamplePrediction]) -> Measures {
        let mut moves: BTreeMap<String, Vec<&SamplePrediction>> = BTreeMap::new();
        let mut reach: BTreeMap<String, Vec<(&SamplePrediction, bool)>> = BTreeMap::new();
        for (index, (sample, prediction)) in self.samples.iter().zip(predictions).enumerate() {
            if let Some(index) = index.checked_sub(self.timed) {
                moves.entry(TIMED[index % 2].to_owned()).or_default().push(prediction);
                continue;
            }
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
        let predictions = &predictions[..self.timed];
        let result_loss: f64 = predictions.iter().map(|prediction| prediction.result_loss).sum();
        Measures {
            moves: moves.into_iter().map(|(group, seen)| (group, MoveScore::new(&seen))).collect(),
            reach: reach.into_iter().map(|(group, seen)| (group, ReachScore::new(&seen))).collect(),
            result_loss: result_loss / predictions.len().max(1) as f64,
        }
    }
}

/// Where games on a rating scale are played.
pub(super) fn source(scale: RatingScale) -> &'static str {
    match scale {
        RatingScale::Online => "online",
        RatingScale::ChessCom => "at chess.com",
        RatingScale::Fide => "over the board",
    }
}

/// The groups in which a sample's move counts.
fn groups(sample: &Sample) -> Vec<String> {
    let kind = if sample.game.scale.is_online() { "online" } else { "over the board" };
    match sample.kind {
        GoalKind::Plain => {
            let source = source(sample.game.scale);
            let band = sample.game.mean_rating() / 200 * 200;
            let phase = match sample.context.ply {
                0..10 => "plies 0-9",
                10..30 => "plies 10-29",
                _ => "plies 30+",
            };
            vec![
                format!("plain {kind}"),
                format!("plain {source}, rating {band}-{}", band + 199),
                format!("plain {kind}, {phase}"),
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
            vec![format!("hindsight {kind}"), format!("hindsight, {distance} away")]
        }
        GoalKind::Foreign | GoalKind::Perturbed => Vec::new(),
    }
}
