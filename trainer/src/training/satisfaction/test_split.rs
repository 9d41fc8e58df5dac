use std::sync::Arc;

use entente::parallel::map_in_order;
use entente_network::{NetworkError, SatisfactionNetwork, encoding::thesis::LENGTH};

use super::{Measured, Recipe, Sampling, TestFigures, TestScore, Validation};
use crate::{progress::ProgressObserver, samples::SatisfactionSet};

/// Measures a network as the engine runs it, on `threads` threads. `observer` counts the pairs.
///
/// # Errors
///
/// If the engine cannot compute it.
pub fn measure_as_played(
    network: &SatisfactionNetwork,
    sample: &Validation,
    threads: usize,
    observer: &dyn ProgressObserver,
) -> Result<Measured, NetworkError> {
    const TOGETHER: u64 = 4096;
    let mut sessions: Vec<_> = (0..threads.max(1)).map(|_| network.session()).collect();
    let firsts = (0..sample.pairs()).step_by(TOGETHER as usize);
    let parts = map_in_order(firsts, &mut sessions, |session, first| {
        let mut probabilities = Vec::new();
        sample.for_each_batch(first..(first + TOGETHER).min(sample.pairs()), |planes, labels| {
            for planes in planes.chunks_exact(LENGTH) {
                probabilities.push(session.run(planes)?);
            }
            observer.done(labels.len() as u64);
            Ok::<_, NetworkError>(())
        })?;
        Ok(probabilities)
    })?;
    Ok(sample.score(&parts.concat()))
}

/// The figures of a model card for `test`, the data set of the games that `recipe` selects. They are measured on as
/// many pairs as in validation, drawn as in training. If that is not uniform, a second sample is drawn uniformly.
///
/// # Errors
///
/// As [`measure_as_played`].
pub fn test_figures(
    network: &SatisfactionNetwork,
    recipe: &Recipe,
    test: &Arc<SatisfactionSet>,
    threads: usize,
    observer: &dyn ProgressObserver,
) -> Result<TestFigures, NetworkError> {
    let mut samplings = vec![recipe.sampling];
    if recipe.sampling != Sampling::Uniform {
        samplings.push(Sampling::Uniform);
    }
    let total = samplings.len() as u64 * recipe.validation_pairs.min(test.pairs());
    observer.begin("measuring on the test split", total, "pairs");
    let samples = samplings.into_iter().map(|sampling| {
        let sample = Validation::new(test, sampling, recipe.validation_pairs);
        let measured = measure_as_played(network, &sample, threads, observer)?;
        Ok(TestScore { sampling, score: measured.score })
    });
    let samples = samples.collect::<Result<_, NetworkError>>()?;
    observer.end();
    Ok(TestFigures { games: test.games(), samples })
}
