use std::thread;

use entente::{predictor::MovePredictor as _, skill::Skilled};
use entente_network::{NetworkError, Policy, Prediction, encoding::Distribution};
use shakmaty::{Move, Position};

use super::SamplePrediction;
use crate::samples::goal::Sample;

/// The predictions of `policy` for the samples, as the engine runs it, on `threads` threads. `done` is called with the
/// number of further samples that are done.
///
/// # Errors
///
/// If the policy cannot be run.
pub fn predict_as_played(
    policy: &Policy,
    samples: &[Sample],
    threads: usize,
    done: impl Fn(u64) + Sync,
) -> Result<Vec<SamplePrediction>, NetworkError> {
    const BETWEEN_LOOKS: usize = 64;
    let part = samples.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = samples
            .chunks(part)
            .map(|samples| {
                let (mut session, done) = (Skilled::of(policy), &done);
                scope.spawn(move || {
                    let mut predictions = Vec::with_capacity(samples.len());
                    for samples in samples.chunks(BETWEEN_LOOKS) {
                        for sample in samples {
                            let moves = sample.position.legal_moves();
                            let prediction = session.predict_one(&sample.query(&moves))?;
                            predictions.push(scored(sample, &moves, &prediction));
                        }
                        done(samples.len() as u64);
                    }
                    Ok(predictions)
                })
            })
            .collect();
        let mut all = Vec::with_capacity(samples.len());
        for worker in workers {
            all.extend(worker.join().expect("no panic")?);
        }
        Ok(all)
    })
}

fn scored(sample: &Sample, legal: &[Move], prediction: &Prediction) -> SamplePrediction {
    let played = legal.iter().position(|m| *m == sample.played).expect("games are legal");
    let logs = Distribution::new(prediction.logits.clone());
    let own = logs.logarithms()[played];
    let chance = sample.result.map_or(1.0, |result| prediction.result[usize::from(result)]);
    SamplePrediction {
        surprise: -f64::from(own),
        rank: logs.logarithms().iter().filter(|other| **other > own).count(),
        alike: logs.logarithms().iter().filter(|other| **other == own).count(),
        value: prediction.value,
        action_value: prediction.action_values[played],
        result_loss: -f64::from(chance.max(f32::MIN_POSITIVE).ln()),
    }
}
