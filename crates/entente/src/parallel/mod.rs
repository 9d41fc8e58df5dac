//! Work on several threads whose results arrive in the order of the items.
//!
//! [`in_order`] is a pipeline: it takes items from an iterator, works on them on several threads, and delivers the results
//! one by one, as if a single thread had done everything. [`map_in_order`] collects the results in a vector. Both give
//! the same results, and the same error, at any number of threads.
//!
//! A worker is what one thread needs besides the items, such as a network session. The caller makes the workers, one per
//! thread, and still has them when the work is done. If the threads need nothing, [`threads`] makes the workers.
//!
//! The room is in this crate because this is the lowest one with a user: generation, the program and the trainer work in
//! this way. The searches below do not; their threads share one tree or one table.

mod in_order;

use std::ops::ControlFlow;

pub use in_order::in_order;

/// Workers for `threads` threads, at least one, that need nothing of their own.
pub fn threads(threads: usize) -> Vec<()> {
    vec![(); threads.max(1)]
}

/// Does `work` on every item and returns the results in the order of the items.
///
/// # Errors
///
/// The first error of `work`, in the order of the items.
///
/// # Panics
///
/// As [`in_order`].
pub fn map_in_order<I, W, R, E>(
    items: I,
    workers: &mut [W],
    work: impl Fn(&mut W, I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    I: IntoIterator<IntoIter: Send, Item: Send>,
    W: Send,
    R: Send,
    E: Send,
{
    let mut results = Vec::new();
    in_order(items, workers, usize::MAX, work, |result| {
        results.push(result);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(results)
}
