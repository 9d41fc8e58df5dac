use std::sync::Arc;

use entente_network::Policy;

use super::{HeldOut, Measures, RatingMatrix, RatingSamples, predict_as_played};
use crate::{
    dataset::goal::{Archive, Sampler},
    training::Watch,
};

/// Plain positions of either kind, and samples with goals.
const TEST: (usize, usize) = (20_000, 20_000);
/// Positions of each band of ratings.
const MATRIX: usize = 2000;

/// What a policy says of games that it did not learn from, as the engine runs it. One that is told of no goals and no ratings
/// is asked about plain positions alone.
///
/// # Errors
///
/// If it cannot be run.
pub fn measured(
    policy: &Policy,
    sampler: &Sampler,
    archive: &Arc<Archive>,
    threads: usize,
    watch: &dyn Watch,
) -> anyhow::Result<(Measures, RatingMatrix)> {
    let (goals, by_rating) = if policy.heeds_aims() { (TEST.1, MATRIX) } else { (0, 0) };
    let held_out = HeldOut::new(archive, sampler, TEST.0, goals, 2);
    let ratings = RatingSamples::new(archive, by_rating, 3);
    let told = ratings.told();
    watch.begin("measuring", (held_out.samples().len() + told.len()) as u64, "positions");
    let done = |some| watch.done(some);
    let measures = held_out.measure(&predict_as_played(policy, held_out.samples(), threads, done)?);
    let matrix = ratings.matrix(&predict_as_played(policy, &told, threads, done)?);
    watch.end();
    Ok((measures, matrix))
}
