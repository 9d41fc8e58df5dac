//! Positions from which a diagram was not reached.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table of positions, each with the plies that were left, from which the diagram was not reached: of bounded size, and
/// shared by all threads.
///
/// Of a key 58 bits are kept, and a question looks at eight entries, so that one position passes for another about once in
/// 10¹⁶ questions to a full table.
pub(super) struct Failures {
    buckets: Vec<Bucket>,
}

/// As many entries as fit into a cache line. An entry is the upper bits of the key, and in the lower six how many plies
/// were left; 0 is no entry.
type Bucket = [AtomicU64; 8];
const PLIES: u64 = 0x3f;

impl Failures {
    /// An empty table of at most `mebibytes`, at least 1; as much as there is memory for.
    pub(super) fn new(mebibytes: usize) -> Failures {
        let mut count = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        while count > 1 && Vec::<Bucket>::new().try_reserve_exact(count).is_err() {
            count /= 2;
        }
        Failures { buckets: bytemuck::zeroed_vec(count) }
    }

    fn bucket(&self, key: u128) -> &Bucket {
        let place = (u128::from(key as u64) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }

    fn entry(key: u128, plies: u32) -> u64 {
        (key >> 64) as u64 & !PLIES | u64::from(plies).min(PLIES)
    }

    /// True if the diagram was not reached from there.
    pub(super) fn contains(&self, key: u128, plies: u32) -> bool {
        let entry = Failures::entry(key, plies);
        self.bucket(key).iter().any(|place| place.load(Relaxed) == entry)
    }

    /// Notes that the diagram is not reached from there: in the place of the entry that is the soonest made again.
    pub(super) fn add(&self, key: u128, plies: u32) {
        let bucket = self.bucket(key);
        let left = |place: &&AtomicU64| place.load(Relaxed) & PLIES;
        let place = bucket.iter().min_by_key(left).expect("a bucket has places");
        // Of equals any gives way, lest old ones stay for ever.
        if left(&place) <= u64::from(plies) {
            place.store(Failures::entry(key, plies), Relaxed);
        } else {
            bucket[(key >> 70) as usize % bucket.len()].store(Failures::entry(key, plies), Relaxed);
        }
    }

    /// How full it is, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(125)];
        let taken = sample.iter().flatten().filter(|place| place.load(Relaxed) != 0).count();
        (taken * 1000 / (sample.len() * 8)) as u32
    }
}
