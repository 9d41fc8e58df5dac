//! The table of positions from which the diagram was not reached.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A table of positions, each with the number of plies left, from which the diagram was not reached. It has a bounded
/// size, and all threads share it.
///
/// An entry has 58 bits of the key, and a lookup compares eight entries, so a full table confuses two positions about
/// once in 10¹⁶ lookups.
pub(super) struct Failures {
    buckets: Vec<Bucket>,
}

/// The entries that fit in a cache line. An entry has the upper bits of the key, and the number of plies left in the
/// lower six bits; 0 is an empty entry.
type Bucket = [AtomicU64; 8];
/// The bits of an entry that hold the number of plies.
const PLIES: u64 = 0x3f;

impl Failures {
    /// An empty table of at most `mebibytes` MiB, at least 1, or as much as can be allocated.
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

    /// True if the table says that the diagram cannot be reached from the position in exactly `plies` plies.
    pub(super) fn contains(&self, key: u128, plies: u32) -> bool {
        let entry = Failures::entry(key, plies);
        self.bucket(key).iter().any(|slot| slot.load(Relaxed) == entry)
    }

    /// Stores that the diagram cannot be reached from the position in exactly `plies` plies. It replaces the entry that
    /// is cheapest to compute again.
    pub(super) fn add(&self, key: u128, plies: u32) {
        let bucket = self.bucket(key);
        let left = |slot: &&AtomicU64| slot.load(Relaxed) & PLIES;
        let slot = bucket.iter().min_by_key(left).expect("a bucket has slots");
        // If all entries have more plies left, a random one is replaced, so that old entries do not stay for ever.
        if left(&slot) <= u64::from(plies) {
            slot.store(Failures::entry(key, plies), Relaxed);
        } else {
            bucket[(key >> 70) as usize % bucket.len()].store(Failures::entry(key, plies), Relaxed);
        }
    }

    /// The share of used entries in thousandths, estimated from a sample.
    pub(super) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(125)];
        let taken = sample.iter().flatten().filter(|slot| slot.load(Relaxed) != 0).count();
        (taken * 1000 / (sample.len() * 8)) as u32
    }
}
