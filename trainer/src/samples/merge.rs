//! Collects the visits of many games and merges them by position, on several threads.

use std::convert::Infallible;

use entente::parallel::{self, map_in_order};
use entente_constraint::thesis::Counts;
use shakmaty::Move;

use super::{
    PackedBoard,
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

impl Part {
    /// No visits.
    pub(super) fn empty() -> Part {
        Part { games: 0, buckets: vec![Vec::new(); BUCKETS] }
    }

    /// Adds the visits of these games, and with `mirror` those of the same games with colours exchanged.
    pub(super) fn add(&mut self, games: &[Vec<Move>], constraints: &[Counts], mirror: bool) {
        let mut visits = Vec::new();
        for moves in games {
            self.games += 1;
            for mirrored in [false, true].into_iter().take(1 + usize::from(mirror)) {
                visits_of(moves, constraints, mirrored, &mut visits);
                for visit in &visits {
                    self.buckets[(visit.board.hash() % BUCKETS as u64) as usize].push(*visit);
                }
            }
        }
    }
}

/// Merges the visits of all parts by position, on `threads` threads. The order of the result does not depend on the
/// number of threads.
pub(super) fn merge_all(parts: Vec<Part>, constraints: usize, threads: usize) -> Vec<Merged> {
    let buckets = regroup(parts);
    let Ok(merged) = map_in_order(buckets, &mut parallel::threads(threads), |(), bucket| {
        Ok::<_, Infallible>(merge(bucket.concat(), constraints))
    });
    merged
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
