use std::sync::Arc;

use entente_network::Policy;
use serde::{Deserialize, Serialize};

use super::{HeldOut, Measures, RatingMatrix, RatingSamples, predict_as_played};
use crate::{
    progress::ProgressObserver,
    samples::goal::{Archive, Sampler},
};

/// Numbers of samples: plain positions for each kind of games, and samples with goals.
const TEST: (usize, usize) = (20_000, 20_000);
/// Number of positions for each rating band.
const MATRIX: usize = 2000;

/// The measures of a policy on the test split.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Test {
    /// The number of games.
    pub games: usize,
    /// The measures on positions of these games.
    pub measures: Measures,
    /// The cross-entropy by given rating.
    pub matrix: RatingMatrix,
}

/// Measures a policy on games from which it did not learn, as the engine runs it. A policy that does not read goals and
/// ratings is measured only on plain positions.
///
/// # Errors
///
/// If the policy cannot be run.
pub fn measured(
    policy: &Policy,
    sampler: &Sampler,
    archive: &Arc<Archive>,
    threads: usize,
    observer: &dyn ProgressObserver,
) -> anyhow::Result<(Measures, RatingMatrix)> {
    let (goals, by_rating) = if policy.reads_goals() { (TEST.1, MATRIX) } else { (0, 0) };
    let held_out = HeldOut::new(archive, sampler, TEST.0, goals, 2);
    let ratings = RatingSamples::new(archive, by_rating, 3);
    let told = ratings.told();
    observer.begin("measuring", (held_out.samples().len() + told.len()) as u64, "positions");
    let done = |some| observer.done(some);
    let measures = held_out.measure(&predict_as_played(policy, held_out.samples(), threads, done)?);
    let matrix = ratings.matrix(&predict_as_played(policy, &told, threads, done)?);
    observer.end();
    Ok((measures, matrix))
}
