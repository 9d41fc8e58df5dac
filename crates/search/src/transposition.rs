use shakmaty::zobrist::Zobrist64;

/// A transposition table of exact cooperative values, with one slot per key and always-replace.
///
/// Values depend only on position, remaining depth and goal, so the contents of the table affect how fast a search is
/// but never what it finds. They do affect node counts, so the search for each new game begins with an empty table; see
/// [`TranspositionTable::forget`].
#[derive(Debug)]
pub(super) struct TranspositionTable {
    /// Empty until the first entry, because many searches never insert one.
    entries: Vec<Entry>,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Generation (24 bits) and remaining depth (8 bits).
    stamp: u32,
    value: f32,
}

/// 2¹⁶ entries of 16 bytes, that is 1 MiB for each search thread.
const SLOTS: usize = 1 << 16;
/// The number of generations that a stamp can distinguish.
const GENERATIONS: u32 = 1 << 24;

impl TranspositionTable {
    pub(crate) fn new() -> TranspositionTable {
        TranspositionTable { entries: Vec::new(), generation: 1 }
    }

    /// Invalidates all entries.
    pub(crate) fn forget(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            *self = TranspositionTable::new();
        }
    }

    pub(crate) fn get(&self, key: Zobrist64, depth: u32) -> Option<f32> {
        let entry = self.entries.get(key.0 as usize % SLOTS)?;
        (entry.key == key.0 && Some(entry.stamp) == self.stamp(depth)).then_some(entry.value)
    }

    pub(crate) fn insert(&mut self, key: Zobrist64, depth: u32, value: f32) {
        let Some(stamp) = self.stamp(depth) else { return };
        if self.entries.is_empty() {
            self.entries.resize(SLOTS, Entry { key: 0, stamp: 0, value: 0.0 });
        }
        self.entries[key.0 as usize % SLOTS] = Entry { key: key.0, stamp, value };
    }

    /// The stamp of an entry of this generation; `None` if the depth is too large for a stamp.
    fn stamp(&self, depth: u32) -> Option<u32> {
        (depth < 256).then_some(self.generation << 8 | depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_by_its_key_and_depth_until_the_table_is_forgotten() {
        let mut table = TranspositionTable::new();
        assert_eq!(table.get(Zobrist64(0), 0), None);
        table.insert(Zobrist64(7), 2, 0.5);
        assert_eq!(table.get(Zobrist64(7), 2), Some(0.5));
        assert_eq!(table.get(Zobrist64(7), 1), None);
        assert_eq!(table.get(Zobrist64(7 + SLOTS as u64), 2), None);
        assert_eq!(table.get(Zobrist64(0), 0), None, "an empty slot is not an entry");
        table.forget();
        assert_eq!(table.get(Zobrist64(7), 2), None);
    }
}
