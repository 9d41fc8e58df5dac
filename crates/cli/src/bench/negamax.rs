use std::sync::atomic::AtomicBool;

use entente::{
    generation::{Generation, GenerationError, Generator, Job},
    settings::{Method, Settings},
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
    let job = Job { seed, ..Job::new(target, Method::Negamax, Settings::default()) };
    let mut generator = Generator::new(job)?;
    // The games of different constraints must not share random numbers.
    let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
    (first..first + u64::from(games)).map(|index| generator.generate(index, stop)).collect()
}
