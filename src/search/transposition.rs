use shakmaty::zobrist::Zobrist64;

/// A transposition table of exact cooperative values, one slot a key, the newest entry kept.
///
/// Values depend on position, remaining depth and goal only, so what the table holds changes how
/// fast a search is, never what it finds.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    depth: u32,
    value: f32,
}

/// 2¹⁶ entries of 16 bytes: one megabyte a search thread.
const SLOTS: usize = 1 << 16;

impl TranspositionTable {
    pub fn new() -> TranspositionTable {
        TranspositionTable { entries: vec![Entry { key: 0, depth: 0, value: 0.0 }; SLOTS] }
    }

    pub fn get(&self, key: Zobrist64, depth: u32) -> Option<f32> {
        let entry = self.entries[key.0 as usize % SLOTS];
        (entry.key == key.0 && entry.depth == depth && depth > 0).then_some(entry.value)
    }

    pub fn insert(&mut self, key: Zobrist64, depth: u32, value: f32) {
        self.entries[key.0 as usize % SLOTS] = Entry { key: key.0, depth, value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_by_its_key_and_depth_alone() {
        let mut table = TranspositionTable::new();
        table.insert(Zobrist64(7), 2, 0.5);
        assert_eq!(table.get(Zobrist64(7), 2), Some(0.5));
        assert_eq!(table.get(Zobrist64(7), 1), None);
        assert_eq!(table.get(Zobrist64(7 + SLOTS as u64), 2), None);
        assert_eq!(table.get(Zobrist64(0), 0), None, "an empty slot is no entry");
    }
}
