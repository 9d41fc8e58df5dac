use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use shakmaty::Position;

use super::{Generation, GenerationError, Generator, Job, Outcome, placements::Placements};

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

/// How far ahead of the oldest unfinished position the threads may work: bounds the memory.
const WINDOW: u64 = 1024;
/// With [`Quota::distinct`], positions tried for every one wanted before giving up.
const TRIES_FOR_A_DISTINCT_ONE: u64 = 20;

/// Generates positions on several threads and hands them to `deliver` in order of their index.
///
/// Returns early, with fewer positions, when `stop` is set (those under way are delivered as far as they came), or when no more distinct ones are found.
///
/// # Errors
/// [`GenerationError`] if there is no generator, or its network cannot value a position that the search met; what stands
/// before the position that it failed at is delivered all the same.
pub(crate) fn generate_many(
    job: &Job,
    quota: Quota,
    stop: &AtomicBool,
    mut deliver: impl FnMut(Generation),
) -> Result<(), GenerationError> {
    let generators: Vec<Generator> =
        (0..quota.threads.clamp(1, usize::try_from(quota.count).unwrap_or(usize::MAX).max(1)))
            .map(|_| Generator::new(job.clone()))
            .collect::<Result<_, _>>()?;
    let tries =
        if quota.distinct { quota.count.saturating_mul(TRIES_FOR_A_DISTINCT_ONE) } else { quota.count };
    let end = quota.first.saturating_add(tries);
    let next = AtomicU64::new(quota.first);
    let enough = AtomicBool::new(false);
    let window = Window { oldest: Mutex::new(quota.first), moved: Condvar::new() };

    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for mut generator in generators {
            let (sender, next, enough, window) = (sender.clone(), &next, &enough, &window);
            scope.spawn(move || {
                let _guard = OpensOnDrop { window, enough };
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= end {
                        break;
                    }
                    window.wait_for(index);
                    if enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if sender.send((index, generator.generate(index, stop))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);

        let mut waiting = BTreeMap::new();
        let mut expected = quota.first;
        let mut delivered = 0;
        let mut seen = Placements::default();
        let mut failure = None;
        for (index, generation) in receiver {
            enough.fetch_or(generation.is_err(), Ordering::Relaxed);
            waiting.insert(index, generation);
            while let Some(generation) = waiting.remove(&expected) {
                expected += 1;
                if delivered >= quota.count || failure.is_some() {
                    continue;
                }
                match generation {
                    Ok(generation) if !quota.distinct || is_new(&generation, &mut seen) => {
                        delivered += 1;
                        deliver(generation);
                    }
                    Ok(_) => {}
                    Err(error) => failure = Some(error),
                }
            }
            window.advance_to(if delivered < quota.count { expected } else { u64::MAX - WINDOW });
            enough.fetch_or(delivered >= quota.count, Ordering::Relaxed);
        }
        if delivered < quota.count && failure.is_none() {
            // A position in front of the failure may have been given up for it.
            failure = waiting.into_values().find_map(Result::err);
        }
        failure.map_or(Ok(()), Err)
    })
}

/// True if nothing like it was delivered before; one not found is never a duplicate.
fn is_new(generation: &Generation, seen: &mut Placements) -> bool {
    generation.outcome == Outcome::Undetermined || seen.insert(generation.position.board())
}

/// Keeps no thread waiting for one that has ended, by a panic above all: the scope then passes the panic on.
struct OpensOnDrop<'a> {
    window: &'a Window,
    enough: &'a AtomicBool,
}

impl Drop for OpensOnDrop<'_> {
    fn drop(&mut self) {
        self.enough.fetch_or(thread::panicking(), Ordering::Relaxed);
        self.window.advance_to(u64::MAX - WINDOW);
    }
}

/// Lets threads wait until their index is near enough to the oldest unfinished one.
struct Window {
    oldest: Mutex<u64>,
    moved: Condvar,
}

impl Window {
    fn wait_for(&self, index: u64) {
        let oldest = self.oldest.lock().expect("no thread panics with the lock held");
        drop(self.moved.wait_while(oldest, |oldest| index >= oldest.saturating_add(WINDOW)));
    }

    fn advance_to(&self, oldest: u64) {
        let mut current = self.oldest.lock().expect("no thread panics with the lock held");
        *current = oldest.max(*current);
        drop(current);
        self.moved.notify_all();
    }
}
