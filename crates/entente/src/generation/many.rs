use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use shakmaty::Position;

use super::{Generation, GenerationError, Generator, Job, Outcome, placements::Placements};
use crate::parallel::in_order;

/// How many positions, over how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quota {
    /// Positions wanted.
    pub count: u64,
    /// The index of the first one.
    pub first: u64,
    /// Drop positions whose men stand as in an earlier one, and generate others instead.
    pub distinct: bool,
    /// Threads, at least 1; the results do not depend on it.
    pub threads: usize,
}

impl Quota {
    /// The most threads that may be asked for.
    pub const MAX_THREADS: u32 = 256;

    /// So many positions from the first one on, different or not.
    pub fn new(count: u64, threads: usize) -> Quota {
        Quota { count, first: 0, distinct: false, threads }
    }

    /// The threads that this machine runs at the same time.
    pub fn cores() -> usize {
        thread::available_parallelism().map_or(1, NonZeroUsize::get)
    }
}

/// How far ahead of the oldest unfinished position the threads may work, which bounds the memory.
const WINDOW: usize = 1024;
/// With [`Quota::distinct`], the number of positions tried for each one wanted.
const TRIES_FOR_A_DISTINCT_ONE: u64 = 20;

/// Generates positions on several threads and passes them to `deliver` in the order of their indices.
///
/// It returns early, with fewer positions, when `stop` is set or no more distinct positions are found. If `stop` is set,
/// the positions under way are delivered as they are.
///
/// # Errors
///
/// [`GenerationError`] if no generator can be made, or a network cannot evaluate a position that the search reached. The
/// positions before the failed one are delivered.
pub(crate) fn generate_many(
    job: &Job,
    quota: Quota,
    stop: &AtomicBool,
    mut deliver: impl FnMut(Generation),
) -> Result<(), GenerationError> {
    let most = usize::try_from(quota.count).unwrap_or(usize::MAX).max(1);
    let generators = (0..quota.threads.clamp(1, most)).map(|_| Generator::new(job.clone()));
    let mut generators = generators.collect::<Result<Vec<_>, _>>()?;
    let tries =
        if quota.distinct { quota.count.saturating_mul(TRIES_FOR_A_DISTINCT_ONE) } else { quota.count };
    let indices = quota.first..quota.first.saturating_add(tries);
    let indices = indices.take_while(|_| !stop.load(Ordering::Relaxed));
    let (mut delivered, mut seen) = (0, Placements::default());
    let generate = |generator: &mut Generator, index| generator.generate(index, stop);
    in_order(indices, &mut generators, WINDOW, generate, |generation| {
        if !quota.distinct || is_new(&generation, &mut seen) {
            delivered += 1;
            deliver(generation);
        }
        Ok(if delivered < quota.count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })
}

/// True if no earlier position has the same placement of men. A position that was not found counts as new.
fn is_new(generation: &Generation, seen: &mut Placements) -> bool {
    generation.outcome == Outcome::Undetermined || seen.insert(generation.position.board())
}
