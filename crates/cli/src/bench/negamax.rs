use std::sync::atomic::AtomicBool;

use entente::{
    engine::Engine,
    generation::{Generation, GenerationError, Job, NegamaxPlan, Plan},
    satisfaction::SatisfactionModel,
};
use entente_constraint::{Target, thesis};

use super::Bench;

/// Generates `games` positions for one of the thesis's constraints.
///
/// # Errors
/// [`GenerationError`] if an evaluator fails, which the evaluator `men` never does.
pub(super) fn generate(
    Bench { games, seed, .. }: Bench,
    counts: thesis::Counts,
    stop: &AtomicBool,
) -> Result<Vec<Generation>, GenerationError> {
    let target = Target::new(thesis::constraint(counts)).expect("the thesis's constraints are valid");
    let mut job = Job::new(target, Plan::Negamax(NegamaxPlan::new(SatisfactionModel::Men)));
    job.seed = seed;
    let mut generator = Engine::generator(&job)?;
    // The games of different constraints must not share random numbers.
    let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
    (first..first + u64::from(games)).map(|index| generator.generate(index, stop)).collect()
}
