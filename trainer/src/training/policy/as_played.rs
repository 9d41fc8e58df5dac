use std::thread;

use entente::{predictor::MovePredictor as _, skill::Skilled};
use entente_network::{NetworkError, Opinion, Policy, encoding::Distribution};
use shakmaty::{Move, Position};

use super::Prediction;
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
) -> Result<Vec<Prediction>, NetworkError> {
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
                            let opinion = session.predict_one(&sample.question(&moves))?;
                            predictions.push(prediction(sample, &moves, &opinion));
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

fn prediction(sample: &Sample, legal: &[Move], opinion: &Opinion) -> Prediction {
    let played = legal.iter().position(|m| *m == sample.played).expect("games are legal");
    let logs = Distribution::new(opinion.logits.clone());
    let own = logs.logarithms()[played];
    let chance = sample.result.map_or(1.0, |result| opinion.result[usize::from(result)]);
    Prediction {
        surprise: -f64::from(own),
        rank: logs.logarithms().iter().filter(|other| **other > own).count(),
        alike: logs.logarithms().iter().filter(|other| **other == own).count(),
        value: opinion.value,
        action_value: opinion.action_values[played],
        result_loss: -f64::from(chance.max(f32::MIN_POSITIVE).ln()),
    }
}
