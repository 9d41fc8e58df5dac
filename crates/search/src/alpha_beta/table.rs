use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use shakmaty::{Move, MoveList, Role, Square, zobrist::Zobrist64};

use super::value::Value;

/// A transposition table with the best move and a bound on the value of positions searched before.
///
/// Old entries are replaced first, then shallow ones. Threads share the table without locks: if two of them write to
/// one slot at the same time, the key does not match the entry (Hyatt and Mann 2002, "A lockless transposition table
/// implementation for parallel search").
#[derive(Debug)]
pub(super) struct Table {
    /// The slots of [`Table::buckets`], and a few before and after them for the alignment.
    slots: Vec<Slot>,
    age: AtomicU8,
}

/// The slots that fit in a cache line.
type Bucket = [Slot; ENTRIES];
const ENTRIES: usize = 4;
const CACHE_LINE: usize = size_of::<Bucket>();

/// A slot for an entry: the entry as [`Entry::pack`] encodes it, or 0 if there is none, and the position's key XOR
/// these bits. Slots are plain numbers, because the operating system can provide zeroed memory without touching it.
/// That memory is not aligned to cache lines.
type Slot = [AtomicU64; 2];

/// The number of slots to allocate for a number of buckets, including those needed to align the first bucket to a cache
/// line.
fn slots(buckets: usize) -> usize {
    buckets * ENTRIES + ENTRIES - 1
}

/// Empty slots for a number of buckets.
fn zeros(buckets: usize) -> Vec<Slot> {
    let slots = bytemuck::zeroed_vec(slots(buckets));
    prefer_large_pages(&slots);
    slots
}

/// Asks for large pages of memory. A search looks up slots all over the table, and with small pages, the processor must find
/// out where almost each of them lies.
fn prefer_large_pages(slots: &[Slot]) {
    #[cfg(target_os = "linux")]
    {
        /// The size of a large page, and a multiple of every size of small pages, in bytes.
        const LARGE: usize = 2 << 20;
        const PAGE: usize = 64 << 10;
        let start = slots.as_ptr().addr().next_multiple_of(PAGE);
        let end = slots.as_ptr_range().end.addr() / PAGE * PAGE;
        if end.saturating_sub(start) >= 2 * LARGE {
            let first = slots.as_ptr().with_addr(start).cast_mut().cast();
            // SAFETY: these are whole pages of the slots, and the advice changes nothing but their size. If it is refused,
            // pages stay small.
            unsafe { libc::madvise(first, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = slots;
}

/// The packed entry in a slot, if it belongs to `key`.
fn read([bits, lock]: &Slot, key: Zobrist64) -> Option<u64> {
    let bits = bits.load(Relaxed);
    (bits != 0 && lock.load(Relaxed) ^ bits == key.0).then_some(bits)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    m: u16,
    value: i16,
    pub depth: u8,
    /// Age in the upper six bits, bound in the lower two; 0 is an empty entry.
    stamp: u8,
}

/// What the value of an entry is for the value of the position: a lower bound, an upper bound, or exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

/// The number of different ages.
const AGES: u8 = 64;
/// A table of up to this size, in bytes, fits in the processor's caches.
const IN_CACHE: usize = 1 << 20;

impl Table {
    /// A table of at most `mebibytes` MiB, at least 1, or as much as can be allocated.
    pub(super) fn new(mebibytes: usize) -> Table {
        Table::of_bytes(mebibytes.max(1) << 20)
    }

    /// A table whose buckets take at most `bytes` bytes, with at least one bucket.
    pub(super) fn of_bytes(bytes: usize) -> Table {
        let mut buckets = (bytes / CACHE_LINE).max(1);
        while buckets > 1 && Vec::<Slot>::new().try_reserve_exact(slots(buckets)).is_err() {
            buckets /= 2;
        }
        Table { slots: zeros(buckets), age: AtomicU8::new(0) }
    }

    /// Empties the table.
    pub(super) fn clear(&mut self) {
        *self.age.get_mut() = 0;
        let count = self.buckets().len();
        if size_of_val(self.buckets()) <= IN_CACHE {
            self.slots.fill_with(Slot::default);
            return;
        }
        // Freeing and allocating is much faster than filling with zeros.
        self.slots = Vec::new();
        self.slots = zeros(count);
    }

    /// Increments the age, so that entries of earlier searches are replaced first.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// All buckets, each aligned to a cache line, provided that the allocation is aligned to a slot.
    fn buckets(&self) -> &[Bucket] {
        let misalignment = self.slots.as_ptr().addr() % CACHE_LINE;
        let first = (CACHE_LINE - misalignment) % CACHE_LINE / size_of::<Slot>();
        self.slots[first..].as_chunks().0
    }

    fn bucket(&self, key: Zobrist64) -> &Bucket {
        let buckets = self.buckets();
        // The upper half of a product spreads keys evenly over any number of buckets.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Prefetches the bucket of a position that will soon be looked up.
    pub(super) fn prefetch(&self, key: Zobrist64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: every x86-64 processor has the instruction. It accepts any address and reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    pub(super) fn get(&self, key: Zobrist64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| read(slot, key)).map(Entry::unpack)
    }

    /// Stores the result of a search of `depth` plies at a node `ply` plies from the root.
    pub(super) fn insert(
        &self,
        key: Zobrist64,
        depth: u32,
        value: Value,
        bound: Bound,
        m: Option<Move>,
        ply: u32,
    ) {
        let (bucket, age) = (self.bucket(key), self.age.load(Relaxed));
        let old = bucket.iter().find_map(|slot| Some((slot, read(slot, key)?)));
        // If the search found no best move, the old one is kept.
        let known_move = old.map_or(0, |(_, bits)| Entry::unpack(bits).m);
        let priority = |slot: &&Slot| {
            let entry = Entry::unpack(slot[0].load(Relaxed));
            let older = (AGES + age - (entry.stamp >> 2)) % AGES;
            if entry.stamp == 0 { i32::MIN } else { i32::from(entry.depth) - 8 * i32::from(older) }
        };
        let slot = old.map(|(slot, _)| slot).or_else(|| bucket.iter().min_by_key(priority));
        let entry = Entry {
            m: m.map_or(known_move, pack),
            value: value.relative_to_node(ply),
            depth: depth.min(255) as u8,
            stamp: age << 2 | bound as u8,
        };
        let ([bits, lock], packed) = (slot.expect("a bucket has slots"), entry.pack());
        bits.store(packed, Relaxed);
        lock.store(key.0 ^ packed, Relaxed);
    }

    /// The share of slots with entries of this search, in thousandths, estimated from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let age = self.age.load(Relaxed);
        let used = sample.as_flattened().iter().map(|slot| Entry::unpack(slot[0].load(Relaxed)));
        let used = used.filter(|entry| entry.stamp != 0 && entry.stamp >> 2 == age);
        (used.count() * 1000 / sample.as_flattened().len()) as u32
    }
}

impl Entry {
    /// The entry in 64 bits. They are never 0, because the stamp is not 0.
    fn pack(self) -> u64 {
        u64::from(self.m)
            | u64::from(self.value as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.stamp) << 40
    }

    fn unpack(bits: u64) -> Entry {
        Entry {
            m: bits as u16,
            value: (bits >> 16) as i16,
            depth: (bits >> 32) as u8,
            stamp: (bits >> 40) as u8,
        }
    }

    /// The entry's move if it is legal. After a key collision it may be a move of another position.
    #[inline]
    pub(super) fn find_move(&self, legal: &MoveList) -> Option<Move> {
        legal.iter().copied().find(|m| pack(*m) == self.m)
    }

    /// True if a best move is known.
    pub(super) fn has_move(&self) -> bool {
        self.m != 0
    }

    pub(super) fn value(&self, ply: u32) -> Value {
        Value::from_stored(self.value, ply)
    }

    pub(super) fn bound(&self) -> Bound {
        match self.stamp & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// From, to and promotion in 15 bits. The number is different for all legal moves of a position, and never 0.
fn pack(m: Move) -> u16 {
    let from = m.from().unwrap_or(Square::A1);
    let promotion = m.promotion().map_or(0, |role: Role| role as u16);
    u16::from(u8::from(from)) | u16::from(u8::from(m.to())) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn an_entry_is_found_with_its_move() {
        let legal = Chess::default().legal_moves();
        let mut table = Table::new(1);
        let key = Zobrist64(u64::MAX - 5);
        assert!(table.get(key).is_none());
        table.insert(key, 7, Value::new(-34), Bound::Lower, Some(legal[11]), 3);
        let entry = table.get(key).unwrap();
        assert_eq!((entry.depth, entry.value(3), entry.bound()), (7, Value::new(-34), Bound::Lower));
        assert_eq!(entry.find_move(&legal), Some(legal[11]));
        table.insert(key, 8, Value::new(0), Bound::Upper, None, 3);
        assert_eq!(table.get(key).unwrap().find_move(&legal), Some(legal[11]), "the move is kept");
        assert_eq!(table.hashfull(), 0, "the sample has other buckets");
        table.clear();
        assert!(table.get(key).is_none());
    }

    #[test]
    fn mate_distances_are_stored_relative_to_the_node() {
        let table = Table::new(1);
        table.insert(Zobrist64(1), 1, Value::mate_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mate_at(7));
        table.insert(Zobrist64(1), 1, Value::mated_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mated_at(7));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced() {
        let table = Table::new(1);
        // Keys of one bucket.
        let key = |number: u64| Zobrist64(number + 1);
        for number in 0..4 {
            table.insert(key(number), 10 + number as u32, Value::new(0), Bound::Exact, None, 0);
        }
        table.insert(key(4), 1, Value::new(0), Bound::Exact, None, 0);
        assert!(table.get(key(0)).is_none() && table.get(key(1)).is_some());
        table.grow_older();
        table.grow_older();
        table.insert(key(5), 1, Value::new(0), Bound::Exact, None, 0);
        assert!(table.get(key(4)).is_none());
        assert_eq!(table.hashfull(), 1);
    }
}
