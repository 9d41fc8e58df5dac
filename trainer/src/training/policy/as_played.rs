use entente::{parallel::map_in_order, predictor::MovePredictor as _, skill::Skilled};
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
    const TOGETHER: usize = 64;
    let mut sessions: Vec<_> = (0..threads.max(1)).map(|_| Skilled::of(policy)).collect();
    let predictions = map_in_order(samples.chunks(TOGETHER), &mut sessions, |session, samples| {
        let predictions = samples.iter().map(|sample| {
            let moves = sample.position.legal_moves();
            let opinion = session.predict_one(&sample.question(&moves))?;
            Ok(prediction(sample, &moves, &opinion))
        });
        let predictions = predictions.collect::<Result<Vec<_>, NetworkError>>()?;
        done(samples.len() as u64);
        Ok(predictions)
    })?;
    Ok(predictions.concat())
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
