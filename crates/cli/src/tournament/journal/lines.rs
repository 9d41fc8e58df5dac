use std::collections::BTreeMap;

/// The number of neighbouring games in a block.
const BLOCK: usize = 64;

/// The offset of each game's line in the results, and the time that the game took. This needs about twelve bytes per
/// game, even if spare games leave gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    blocks: BTreeMap<usize, Box<Block>>,
}

#[derive(Clone, Debug)]
struct Block {
    offsets: [u64; BLOCK],
    seconds: [f32; BLOCK],
}

/// The offset of a game that was not played.
const MISSING: u64 = u64::MAX;

impl Lines {
    /// The offset of the line of the game in `slot`, if it was played.
    pub(super) fn offset(&self, slot: usize) -> Option<u64> {
        let block = self.blocks.get(&(slot / BLOCK))?;
        Some(block.offsets[slot % BLOCK]).filter(|&offset| offset != MISSING)
    }

    /// The seconds that the game took, if known.
    pub(super) fn seconds(&self, slot: usize) -> Option<f32> {
        let block = self.blocks.get(&(slot / BLOCK))?;
        Some(block.seconds[slot % BLOCK]).filter(|seconds| !seconds.is_nan())
    }

    /// Sets the offset of a line.
    pub(super) fn set_offset(&mut self, slot: usize, offset: u64) {
        self.block(slot).offsets[slot % BLOCK] = offset;
    }

    /// Sets the seconds that a game took; `None` if not known.
    pub(super) fn set_seconds(&mut self, slot: usize, seconds: Option<f32>) {
        self.block(slot).seconds[slot % BLOCK] = seconds.unwrap_or(f32::NAN);
    }

    fn block(&mut self, slot: usize) -> &mut Block {
        let empty = || Box::new(Block { offsets: [MISSING; BLOCK], seconds: [f32::NAN; BLOCK] });
        self.blocks.entry(slot / BLOCK).or_insert_with(empty)
    }

    /// The slots of the games played, in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().flat_map(|(place, block)| {
            (0..BLOCK).filter(|&at| block.offsets[at] != MISSING).map(move |at| place * BLOCK + at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_games_are_found_in_order() {
        let mut lines = Lines::default();
        for (slot, offset) in [(1_000_000, 3), (7, 1), (63, 0), (64, 2)] {
            lines.set_offset(slot, offset);
        }
        lines.set_seconds(7, Some(0.5));
        assert_eq!(lines.slots().collect::<Vec<_>>(), [7, 63, 64, 1_000_000]);
        assert_eq!((lines.offset(1_000_000), lines.offset(8), lines.offset(500)), (Some(3), None, None));
        assert_eq!((lines.seconds(7), lines.seconds(63)), (Some(0.5), None));
    }
}
