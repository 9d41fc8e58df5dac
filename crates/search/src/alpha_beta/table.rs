use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use shakmaty::{Move, MoveList, Role, Square, zobrist::Zobrist64};

use super::value::Value;

/// A transposition table: for positions searched before the best move and a bound of the value.
///
/// Old entries give way first, then shallow ones. Threads may share it without waiting for each other: what two of them
/// write to one place at once is told from an entry by its key (Hyatt and Mann 2002, "A lockless transposition table
/// implementation for parallel search").
#[derive(Debug)]
pub(super) struct Table {
    /// The places of [`Table::buckets`], and a few before and after them.
    places: Vec<Place>,
    age: AtomicU8,
}

/// As many entries as fit into a cache line.
type Bucket = [Place; ENTRIES];
const ENTRIES: usize = 4;
const CACHE_LINE: usize = size_of::<Bucket>();

/// Where an entry may be: what [`Entry::pack`] makes of it, 0 if there is none, and the position's key, of which the
/// entry's bits are switched. Plain numbers: of these the system gives as many zeros as are wanted without touching the
/// memory, though not at the beginning of a cache line.
type Place = [AtomicU64; 2];

/// The places of so many buckets, and some more, so that the first one can begin with a cache line.
fn places(buckets: usize) -> usize {
    buckets * ENTRIES + ENTRIES - 1
}

/// The empty places of so many buckets.
fn zeros(buckets: usize) -> Vec<Place> {
    bytemuck::zeroed_vec(places(buckets))
}

/// The entry for this key in a place, packed, if that is there.
fn read([bits, lock]: &Place, key: Zobrist64) -> Option<u64> {
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

/// What the value of an entry says of the position's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

const AGES: u8 = 64;
/// A table of so many bytes lies in the caches of the processor.
const IN_CACHE: usize = 1 << 20;

impl Table {
    /// A table of at most `mebibytes`, at least 1; as much as there is memory for.
    pub(super) fn new(mebibytes: usize) -> Table {
        Table::of_bytes(mebibytes.max(1) << 20)
    }

    /// A table whose buckets take at most so many bytes, or of one bucket.
    pub(super) fn of_bytes(bytes: usize) -> Table {
        let mut buckets = (bytes / CACHE_LINE).max(1);
        while buckets > 1 && Vec::<Place>::new().try_reserve_exact(places(buckets)).is_err() {
            buckets /= 2;
        }
        Table { places: zeros(buckets), age: AtomicU8::new(0) }
    }

    /// Empties the table.
    pub(super) fn clear(&mut self) {
        *self.age.get_mut() = 0;
        let count = self.buckets().len();
        if size_of_val(self.buckets()) <= IN_CACHE {
            self.places.fill_with(Place::default);
            return;
        }
        // Given back and taken again, which is much sooner done than filling it.
        self.places = Vec::new();
        self.places = zeros(count);
    }

    /// Lets the entries of earlier searches give way.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// All buckets, each in a cache line of its own where memory is given in steps of a place.
    fn buckets(&self) -> &[Bucket] {
        let misplaced = self.places.as_ptr().addr() % CACHE_LINE;
        let first = (CACHE_LINE - misplaced) % CACHE_LINE / size_of::<Place>();
        self.places[first..].as_chunks().0
    }

    fn bucket(&self, key: Zobrist64) -> &Bucket {
        let buckets = self.buckets();
        // The upper half of a product spreads keys evenly over any number of buckets.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Lets the processor fetch what is kept of a position that will soon be looked up.
    pub(super) fn prefetch(&self, key: Zobrist64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let place: *const Bucket = self.bucket(key);
            // SAFETY: every such processor has the instruction, which reads nothing and may be given any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    pub(super) fn get(&self, key: Zobrist64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|place| read(place, key)).map(Entry::unpack)
    }

    /// Keeps what a search of `depth` plies found `ply` plies from the root.
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
        let old = bucket.iter().find_map(|place| Some((place, read(place, key)?)));
        // A search that found no move keeps the one that is known.
        let known_move = old.map_or(0, |(_, bits)| Entry::unpack(bits).m);
        let worth = |place: &&Place| {
            let entry = Entry::unpack(place[0].load(Relaxed));
            let older = (AGES + age - (entry.stamp >> 2)) % AGES;
            if entry.stamp == 0 { i32::MIN } else { i32::from(entry.depth) - 8 * i32::from(older) }
        };
        let place = old.map(|(place, _)| place).or_else(|| bucket.iter().min_by_key(worth));
        let entry = Entry {
            m: m.map_or(known_move, pack),
            value: value.seen_from_node(ply),
            depth: depth.min(255) as u8,
            stamp: age << 2 | bound as u8,
        };
        let ([bits, lock], packed) = (place.expect("a bucket has places"), entry.pack());
        bits.store(packed, Relaxed);
        lock.store(key.0 ^ packed, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let age = self.age.load(Relaxed);
        let used = sample.as_flattened().iter().map(|place| Entry::unpack(place[0].load(Relaxed)));
        let used = used.filter(|entry| entry.stamp != 0 && entry.stamp >> 2 == age);
        (used.count() * 1000 / sample.as_flattened().len()) as u32
    }
}

impl Entry {
    /// All of it in 64 bits; never 0, for the stamp of an entry is not.
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

    /// The move among the legal ones; a key of another position may have brought another one here.
    pub(super) fn find_move(&self, legal: &MoveList) -> Option<Move> {
        legal.iter().copied().find(|m| pack(*m) == self.m)
    }

    pub(super) fn value(&self, ply: u32) -> Value {
        Value::at_node(self.value, ply)
    }

    pub(super) fn bound(&self) -> Bound {
        match self.stamp & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// From, to and promotion in 15 bits; different for different legal moves of a position, and never 0.
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
    fn an_entry_comes_back_with_its_move() {
        let legal = Chess::default().legal_moves();
        let mut table = Table::new(1);
        let key = Zobrist64(u64::MAX - 5);
        assert!(table.get(key).is_none());
        table.insert(key, 7, Value::new(-34), Bound::Lower, Some(legal[11]), 3);
        let entry = table.get(key).unwrap();
        assert_eq!((entry.depth, entry.value(3), entry.bound()), (7, Value::new(-34), Bound::Lower));
        assert_eq!(entry.find_move(&legal), Some(legal[11]));
        table.insert(key, 8, Value::new(0), Bound::Upper, None, 3);
        assert_eq!(table.get(key).unwrap().find_move(&legal), Some(legal[11]), "the move stays");
        assert_eq!(table.hashfull(), 0, "the sample is of other buckets");
        table.clear();
        assert!(table.get(key).is_none());
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = Table::new(1);
        table.insert(Zobrist64(1), 1, Value::mate_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mate_at(7));
        table.insert(Zobrist64(1), 1, Value::mated_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mated_at(7));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
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
