use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

/// Does `work` once for every item, on `threads` threads, and returns the results in any order. After a failure or
/// `stop`, the remaining items are left out.
pub(super) fn spread<T: Sync, R: Send, E: Send>(
    items: &[T],
    threads: u32,
    stop: &AtomicBool,
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let take = || {
        let item = items.get(next.fetch_add(1, Ordering::Relaxed));
        item.filter(|_| !stop.load(Ordering::Relaxed))
    };
    let do_some = || std::iter::from_fn(take).map(&work).collect::<Result<Vec<R>, E>>();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(do_some)).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
        Ok(results.collect::<Result<Vec<Vec<R>>, E>>()?.into_iter().flatten().collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_a_failure_is_returned() {
        let (items, stop): (Vec<u32>, _) = ((0..100).collect(), AtomicBool::new(false));
        let mut done = spread(&items, 3, &stop, |item| Ok::<u32, ()>(*item)).unwrap();
        done.sort_unstable();
        assert_eq!(done, items);
        assert_eq!(spread(&items, 3, &stop, |item| if *item == 50 { Err(*item) } else { Ok(()) }), Err(50));
        assert_eq!(spread(&items, 3, &AtomicBool::new(true), |item| Ok::<u32, ()>(*item)), Ok(Vec::new()));
    }
}
