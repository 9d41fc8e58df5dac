use std::sync::atomic::AtomicBool;

use super::Bench;
use crate::{
    constraint::{Target, thesis},
    evaluator::Recipe,
    generation::{Generation, GenerationError, Generator, Method, Settings},
    search::NegamaxSettings,
};

/// Generates so many positions for one of the thesis's constraints.
///
/// # Errors
/// [`GenerationError`] if an evaluator fails, which that of men does not.
pub(super) fn generate(
    Bench { games, seed, .. }: Bench,
    counts: thesis::Counts,
    stop: &AtomicBool,
) -> Result<Vec<Generation>, GenerationError> {
    let method = Method::Negamax(NegamaxSettings {
        depth: Recipe::Material.default_depth(),
        criterion: NegamaxSettings::DEFAULT_CRITERION,
        faithful: false,
    });
    let target = Target::new(thesis::constraint(counts)).expect("the thesis's constraints are sound");
    let settings = Settings { seed, ..Settings::new(target, method) };
    let mut generator = Generator::new(settings, &Recipe::Material)?;
    // Constraints of one run must not share their games' random choices.
    let first = counts.iter().fold(0, |index, count| index * 16 + u64::from(*count)) << 32;
    (first..first + u64::from(games)).map(|index| generator.generate(index, stop)).collect()
}
