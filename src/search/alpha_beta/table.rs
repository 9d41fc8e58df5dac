use shakmaty::{Move, MoveList, Role, Square, zobrist::Zobrist64};

use super::value::Value;

/// A transposition table: for positions searched before the best move and a bound of the value.
///
/// Old entries give way first, then shallow ones.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    age: u8,
}

/// As many entries as fit into a cache line, each a key and what [`Entry::pack`] makes of the rest. Plain numbers: of
/// these the system gives as many zeros as are wanted without touching the memory.
type Bucket = [u64; 2 * ENTRIES];
const ENTRIES: usize = 4;

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
    pub fn new(mebibytes: usize) -> Table {
        Table::of_bytes(mebibytes.max(1) << 20)
    }

    /// A table of at most so many bytes, or of one bucket.
    pub fn of_bytes(bytes: usize) -> Table {
        let mut count = (bytes / size_of::<Bucket>()).max(1);
        while count > 1 && Vec::<Bucket>::new().try_reserve_exact(count).is_err() {
            count /= 2;
        }
        Table { buckets: vec![[0; 2 * ENTRIES]; count], age: 0 }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        let count = self.buckets.len();
        if size_of_val(&*self.buckets) <= IN_CACHE {
            self.buckets.fill([0; 2 * ENTRIES]);
            self.age = 0;
            return;
        }
        // Given back and taken again, which is much sooner done than filling it.
        self.buckets = Vec::new();
        *self = Table { buckets: vec![[0; 2 * ENTRIES]; count], age: 0 };
    }

    /// Lets the entries of earlier searches give way.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket(&self, key: u64) -> usize {
        // The upper half of a product spreads keys evenly over any number of buckets.
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    pub fn get(&self, key: Zobrist64) -> Option<Entry> {
        let (pairs, _) = self.buckets[self.bucket(key.0)].as_chunks::<2>();
        pairs.iter().find(|[known, rest]| *known == key.0 && *rest != 0).map(|[_, rest]| Entry::unpack(*rest))
    }

    /// Keeps what a search of `depth` plies found `ply` plies from the root.
    pub fn insert(
        &mut self,
        key: Zobrist64,
        depth: u32,
        value: Value,
        bound: Bound,
        m: Option<Move>,
        ply: u32,
    ) {
        let (index, age) = (self.bucket(key.0), self.age);
        let (pairs, _) = self.buckets[index].as_chunks_mut::<2>();
        let old = pairs.iter().position(|[known, rest]| *known == key.0 && *rest != 0);
        let place = old.unwrap_or_else(|| {
            let worth = |rest: u64| {
                let entry = Entry::unpack(rest);
                let older = (AGES + age - (entry.stamp >> 2)) % AGES;
                if entry.stamp == 0 { i32::MIN } else { i32::from(entry.depth) - 8 * i32::from(older) }
            };
            (0..pairs.len()).min_by_key(|index| worth(pairs[*index][1])).unwrap_or(0)
        });
        // A search that found no move keeps the one that is known.
        let known_move = if old.is_some() { Entry::unpack(pairs[place][1]).m } else { 0 };
        let entry = Entry {
            m: m.map_or(known_move, pack),
            value: value.seen_from_node(ply),
            depth: depth.min(255) as u8,
            stamp: age << 2 | bound as u8,
        };
        pairs[place] = [key.0, entry.pack()];
    }

    /// How full the table is with entries of this search, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let sample = self.buckets.iter().take(250);
        let entries = sample.clone().count() * ENTRIES;
        let used = sample
            .flat_map(|bucket| bucket.as_chunks::<2>().0)
            .map(|[_, rest]| Entry::unpack(*rest))
            .filter(|entry| entry.stamp != 0 && entry.stamp >> 2 == self.age);
        (used.count() * 1000 / entries.max(1)) as u32
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
    pub fn find_move(&self, legal: &MoveList) -> Option<Move> {
        legal.iter().copied().find(|m| pack(*m) == self.m)
    }

    pub fn value(&self, ply: u32) -> Value {
        Value::at_node(self.value, ply)
    }

    pub fn bound(&self) -> Bound {
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
        let mut table = Table::new(1);
        table.insert(Zobrist64(1), 1, Value::mate_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mate_at(7));
        table.insert(Zobrist64(1), 1, Value::mated_at(9), Bound::Exact, None, 4);
        assert_eq!(table.get(Zobrist64(1)).unwrap().value(2), Value::mated_at(7));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = Table::new(1);
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
