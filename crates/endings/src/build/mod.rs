//! Makes tables: retrograde analysis, slice by slice, with the squares of one man in a word.

mod exits;
mod moves;
mod slice;
mod sub;
mod view;

use std::{
    collections::HashMap,
    num::NonZero,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use self::{slice::solve, sub::Tables};
use crate::{
    layout::Layout,
    material::Material,
    table::{Slice, Table},
};

/// The tables that a new one is made from.
pub(crate) type Smaller = HashMap<Material, Arc<Table>>;

/// Makes a table from those of all its successors. The result does not depend on the number of threads.
///
/// Calls `progress` with the part that is complete, from 0 to 1. None if it was stopped.
pub(crate) fn make(
    material: Material,
    smaller: &Smaller,
    threads: NonZero<usize>,
    progress: &(dyn Fn(f64) + Sync),
    stop: &AtomicBool,
) -> Option<Table> {
    let layout = Layout::new(material);
    let count = layout.pawns.len();
    let slices: Vec<OnceLock<Slice>> = (0..count).map(|_| OnceLock::new()).collect();
    let stalemates: Vec<OnceLock<Vec<u64>>> = (0..count).map(|_| OnceLock::new()).collect();
    let mut by_advance: Vec<Vec<usize>> = Vec::new();
    for slice in 0..count {
        let advance = layout.pawns.advance(slice);
        by_advance.resize(by_advance.len().max(advance + 1), Vec::new());
        by_advance[advance].push(slice);
    }
    let tables = Tables { smaller, layout: &layout, slices: &slices, stalemates: &stalemates };
    let done = Mutex::new(0);
    for group in by_advance.iter().rev() {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&slice) = group.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(solved) = solve(&tables, slice, stop) else { return };
                if let Some(found) = solved.stalemates {
                    stalemates[slice].get_or_init(|| found);
                }
                slices[slice].get_or_init(|| solved.slice);
                let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                *done += 1;
                progress(f64::from(*done) / count as f64);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.get().min(group.len()) {
                scope.spawn(work);
            }
            work();
        });
        if stop.load(Ordering::Relaxed) && group.iter().any(|&slice| slices[slice].get().is_none()) {
            return None;
        }
    }
    let slices = slices.into_iter().map(OnceLock::into_inner).collect::<Option<Vec<_>>>()?;
    Some(Table { layout, slices })
}

/// The memory in bytes that making a table takes at most, without the tables that it is made from.
pub(crate) fn memory(layout: &Layout, threads: usize) -> usize {
    let plane = layout.words() * size_of::<u64>();
    layout.bytes() + threads.min(layout.pawns.len()) * (slice::PLANES + 4) * plane
}
