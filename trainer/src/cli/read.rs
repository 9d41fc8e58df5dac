//! Reading a split of a store, with a progress bar.

use entente::constraint::thesis::Counts;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    dataset::SatisfactionSet,
    games::{GameStore, Split},
    training::{GameSelection, SplitError, split_set},
};

/// The samples of the selected games of a split.
pub fn read_split(
    store: &GameStore,
    split: Split,
    selection: GameSelection,
    mirror: bool,
    constraints: &[Counts],
    threads: usize,
) -> Result<SatisfactionSet, SplitError> {
    let bar = bar(store.block_count() as u64, "{msg} {bar:32} {pos}/{len} blocks, {per_sec}, {eta} left");
    bar.set_message(format!("reading the {split} split"));
    let set = split_set(store, split, selection, mirror, constraints, threads, || bar.inc(1));
    bar.finish_and_clear();
    set
}

/// A progress bar over `length` things.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
