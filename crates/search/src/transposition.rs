use shakmaty::zobrist::Zobrist64;

/// A transposition table of exact cooperative values, one slot a key, the newest entry kept.
///
/// Values depend on position, remaining depth and goal only, so what the table holds changes how
/// fast a search is, never what it finds. Node counts do depend on it, so each generation starts as with an
/// empty table: [`TranspositionTable::forget`].
#[derive(Debug)]
pub(super) struct TranspositionTable {
    /// Empty until the first entry: many searches never make one.
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

/// 2¹⁶ entries of 16 bytes: one megabyte a search thread.
const SLOTS: usize = 1 << 16;
/// Generations that a stamp tells apart.
const GENERATIONS: u32 = 1 << 24;

impl TranspositionTable {
    pub(crate) fn new() -> TranspositionTable {
        TranspositionTable { entries: Vec::new(), generation: 1 }
    }

    /// Makes every entry count as absent.
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

    /// `None` for depths that no stamp can hold.
    fn stamp(&self, depth: u32) -> Option<u32> {
        (depth < 256).then_some(self.generation << 8 | depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_by_its_key_and_depth_until_forgotten() {
        let mut table = TranspositionTable::new();
        assert_eq!(table.get(Zobrist64(0), 0), None);
        table.insert(Zobrist64(7), 2, 0.5);
        assert_eq!(table.get(Zobrist64(7), 2), Some(0.5));
        assert_eq!(table.get(Zobrist64(7), 1), None);
        assert_eq!(table.get(Zobrist64(7 + SLOTS as u64), 2), None);
        assert_eq!(table.get(Zobrist64(0), 0), None, "an empty slot is no entry");
        table.forget();
        assert_eq!(table.get(Zobrist64(7), 2), None);
    }
}
