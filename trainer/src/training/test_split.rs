use std::thread;

use entente::{
    encoding::thesis::LENGTH,
    network::{NetworkError, SatisfactionNetwork},
};

use super::{Measured, Recipe, Sampling, TestFigures, TestScore, Validation};
use crate::dataset::SatisfactionSet;

/// Measures a network as the engine runs it, in tract, on `threads` threads. `done` is called with the number of
/// pairs measured since the call before.
///
/// # Errors
///
/// If tract cannot compute it.
pub fn measure_as_played(
    network: &SatisfactionNetwork,
    sample: &Validation<'_>,
    threads: usize,
    done: impl Fn(u64) + Sync,
) -> Result<Measured, NetworkError> {
    let threads = threads.max(1) as u64;
    let share = sample.pairs().div_ceil(threads);
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|part| {
                let end = (share * (part + 1)).min(sample.pairs());
                let (pairs, done) = ((share * part).min(end)..end, &done);
                scope.spawn(move || {
                    let mut session = network.session();
                    let mut probabilities = Vec::new();
                    sample.for_each_batch(pairs, |planes, labels| {
                        for planes in planes.chunks_exact(LENGTH) {
                            probabilities.push(session.run(planes)?);
                        }
                        done(labels.len() as u64);
                        Ok::<_, NetworkError>(())
                    })?;
                    Ok(probabilities)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a network that fails is an error"))
            .collect::<Result<Vec<Vec<f32>>, NetworkError>>()
    })?;
    Ok(sample.score(&parts.concat()))
}

/// The figures of a model card on `test`, which holds the games that `recipe` selects: on as many pairs as the
/// validation has, drawn as in training and, if that is not the same, with all pairs alike. `done` is called with
/// the number of pairs in all and of those measured since the call before.
///
/// # Errors
///
/// As [`measure_as_played`].
pub fn test_figures(
    network: &SatisfactionNetwork,
    recipe: &Recipe,
    test: &SatisfactionSet,
    threads: usize,
    done: impl Fn(u64, u64) + Sync,
) -> Result<TestFigures, NetworkError> {
    let mut samplings = vec![recipe.sampling];
    if recipe.sampling != Sampling::Uniform {
        samplings.push(Sampling::Uniform);
    }
    let total = samplings.len() as u64 * recipe.validation_pairs.min(test.pairs());
    let samples = samplings.into_iter().map(|sampling| {
        let sample = Validation::new(test, sampling, recipe.validation_pairs);
        let measured = measure_as_played(network, &sample, threads, |pairs| done(total, pairs))?;
        Ok(TestScore { sampling, score: measured.score })
    });
    Ok(TestFigures { games: test.games(), samples: samples.collect::<Result<_, NetworkError>>()? })
}
