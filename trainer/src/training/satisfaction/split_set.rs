use std::sync::atomic::{AtomicU64, Ordering};

use entente_constraint::thesis::Counts;
use thiserror::Error;

use super::{GameSelection, samples::name};
use crate::{
    games::{GameStore, Split, StoreError},
    progress::ProgressObserver,
    samples::{SampleError, SatisfactionSet},
};

/// Why a split has no samples.
#[derive(Debug, Error)]
pub enum SplitError {
    /// The split has games, but none of them are selected.
    #[error(
        "the selection \"{}\" has none of the {games} games in the {split} split: it only has {selection}; \"all\" has \
         every game",
        name(*selection)
    )]
    NoneSelected {
        /// The split.
        split: Split,
        /// The selection.
        selection: GameSelection,
        /// The number of games in the split.
        games: u64,
    },
    /// The split has no games, or the store cannot be read.
    #[error(transparent)]
    Dataset(#[from] SampleError),
}

impl SplitError {
    /// True if the store is valid but has no such games.
    pub fn no_games(&self) -> bool {
        matches!(self, SplitError::NoneSelected { .. } | SplitError::Dataset(SampleError::Empty { .. }))
    }
}

/// The data set of the selected games in a split of `store`; see [`SatisfactionSet::build`].
///
/// # Errors
///
/// If there are no such games or the store is damaged.
pub fn split_set(
    store: &GameStore,
    split: Split,
    selection: GameSelection,
    mirror: bool,
    constraints: &[Counts],
    threads: usize,
    observer: &dyn ProgressObserver,
) -> Result<SatisfactionSet, SplitError> {
    observer.begin(&format!("reading the {split} split"), store.block_count() as u64, "blocks");
    let of_split = AtomicU64::new(0);
    let read = |block| {
        let mut games = store.read_block(block)?;
        games.retain(|game| game.split() == split);
        of_split.fetch_add(games.len() as u64, Ordering::Relaxed);
        games.retain(|game| selection.contains(game));
        Ok::<_, StoreError>(games.into_iter().map(|game| game.moves).collect())
    };
    let set = SatisfactionSet::build(
        &split.to_string(),
        constraints,
        store.block_count(),
        read,
        mirror,
        threads,
        || observer.done(1),
    );
    observer.end();
    match (set, of_split.into_inner()) {
        (Err(SampleError::Empty { .. }), games) if games > 0 => {
            Err(SplitError::NoneSelected { split, selection, games })
        }
        (set, _) => Ok(set?),
    }
}
