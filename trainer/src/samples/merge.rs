//! Collects the visits of many games and merges them by position, on several threads.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use entente_constraint::thesis::Counts;
use shakmaty::Move;

use super::{
    PackedBoard, SampleError,
    visits::{Visit, visits_of},
};

/// Set in the outcome of a position that several games visited. The other bits are then the index of a row of shares.
pub(super) const SHARED: u32 = 1 << 31;
/// Number of buckets, which are sorted independently.
const BUCKETS: usize = 256;

/// The visits of some games, in buckets by position.
pub(super) struct Part {
    pub games: u64,
    buckets: Vec<Vec<Visit>>,
}

/// Reads the blocks that no other thread has taken; `next` is the number of the next one. `done` is called after each
/// block.
pub(super) fn collect<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    constraints: &[Counts],
    blocks: usize,
    mirror: bool,
    next: &AtomicUsize,
    read: &(impl Fn(usize) -> Result<Vec<Vec<Move>>, E> + Sync),
    done: &(impl Fn() + Sync),
) -> Result<Part, SampleError> {
    let mut part = Part { games: 0, buckets: vec![Vec::new(); BUCKETS] };
    let mut visits = Vec::new();
    loop {
        let block = next.fetch_add(1, Ordering::Relaxed);
        if block >= blocks {
            return Ok(part);
        }
        let games = read(block).map_err(|error| {
            // There will be no data set, so let the other threads find no more blocks.
            next.store(blocks, Ordering::Relaxed);
            SampleError::Games(error.into())
        })?;
        for moves in games {
            part.games += 1;
            for mirrored in [false, true].into_iter().take(1 + usize::from(mirror)) {
                visits_of(&moves, constraints, mirrored, &mut visits);
                for visit in &visits {
                    part.buckets[(visit.board.hash() % BUCKETS as u64) as usize].push(*visit);
                }
            }
        }
        done();
    }
}

/// Merges the visits of all parts by position, on `threads` threads. The order of the result does not depend on the
/// number of threads.
pub(super) fn merge_all(parts: Vec<Part>, constraints: usize, threads: usize) -> Vec<Merged> {
    let slots: Vec<Mutex<(Vec<Vec<Visit>>, Merged)>> =
        regroup(parts).into_iter().map(|bucket| Mutex::new((bucket, Merged::default()))).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut slot = slot.lock().expect("no panic");
                    slot.1 = merge(std::mem::take(&mut slot.0).concat(), constraints);
                }
            });
        }
    });
    slots.into_iter().map(|slot| slot.into_inner().expect("no panic").1).collect()
}

fn regroup(parts: Vec<Part>) -> Vec<Vec<Vec<Visit>>> {
    let mut buckets: Vec<Vec<Vec<Visit>>> = (0..BUCKETS).map(|_| Vec::new()).collect();
    for part in parts {
        for (bucket, visits) in buckets.iter_mut().zip(part.buckets) {
            bucket.push(visits);
        }
    }
    buckets
}

/// Distinct positions, with the outcome of each as in [`super::SatisfactionSet`].
#[derive(Default)]
pub(super) struct Merged {
    pub boards: Vec<PackedBoard>,
    pub outcomes: Vec<u32>,
    pub shares: Vec<f32>,
}

fn merge(mut visits: Vec<Visit>, constraints: usize) -> Merged {
    visits.sort_unstable();
    let mut merged = Merged::default();
    for same in visits.chunk_by(|a, b| a.board == b.board) {
        merged.boards.push(same[0].board);
        if let [only] = same {
            merged.outcomes.push(only.satisfied);
            continue;
        }
        merged.outcomes.push(SHARED | (merged.shares.len() / constraints) as u32);
        merged.shares.extend((0..constraints).map(|index| {
            let satisfied = same.iter().filter(|visit| visit.satisfied >> index & 1 == 1).count();
            (satisfied as f64 / same.len() as f64) as f32
        }));
    }
    merged
}
