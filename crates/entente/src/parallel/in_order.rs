use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::resume_unwind,
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};

/// Does `work` on every item, on one thread per worker, and passes the results to `deliver` in the order of the items.
///
/// `deliver` runs on the calling thread. If it breaks, no further result is delivered. To stop from outside, end the
/// items: those taken until then are finished and delivered.
///
/// `window` bounds the memory: the items that have been taken and whose results have not been delivered are never more
/// than `window`. A thread that would exceed it waits. A `window` of 0 counts as 1, and with fewer than one item per
/// worker, some workers have nothing to do. Items are taken by one thread at a time.
///
/// # Errors
///
/// The first error of `work` or `deliver`, in the order of the items. All results before it are delivered, so the error
/// and the results do not depend on the number of threads.
///
/// # Panics
///
/// If there are no workers, and with the panic of `items`, `work` or `deliver` if one of them panics. No thread is left
/// waiting.
pub fn in_order<I, W, R, E>(
    items: I,
    workers: &mut [W],
    window: usize,
    work: impl Fn(&mut W, I::Item) -> Result<R, E> + Sync,
    deliver: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    I: IntoIterator<IntoIter: Send, Item: Send>,
    W: Send,
    R: Send,
    E: Send,
{
    assert!(!workers.is_empty(), "work needs at least one worker");
    let items = items.into_iter();
    // More threads than items would only start and end.
    let threads = items.size_hint().1.map_or(workers.len(), |most| workers.len().min(most.max(1)));
    let source = Mutex::new(Source { items: items.fuse(), taken: 0 });
    let queue = Queue::new(threads, window.max(1));
    thread::scope(|scope| {
        let (source, queue, work) = (&source, &queue, &work);
        let running: Vec<_> = workers[..threads]
            .iter_mut()
            .map(|worker| {
                scope.spawn(move || {
                    let _leaves = Leaves(queue);
                    while let Some((place, item)) = take(source, queue) {
                        queue.put(place, work(worker, item));
                    }
                })
            })
            .collect();
        let delivered = queue.drain(deliver);
        for thread in running {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        delivered
    })
}

/// The items that have not been taken, and the number of those that have.
struct Source<I> {
    items: I,
    taken: usize,
}

/// The next item and its place, once there is room for its result. `None` if there are no more or the work is over.
///
/// The thread that waits for room keeps the lock of the source, because no other thread may take an item either.
fn take<I: Iterator, R>(source: &Mutex<Source<I>>, queue: &Queue<R>) -> Option<(usize, I::Item)> {
    // If the lock is poisoned, the items panicked in another thread.
    let mut source = source.lock().ok()?;
    let place = source.taken;
    if !queue.has_room(place) {
        return None;
    }
    let item = source.items.next()?;
    source.taken += 1;
    Some((place, item))
}

/// Finished results, until they are delivered in the order of the items.
struct Queue<R> {
    state: Mutex<State<R>>,
    window: usize,
    /// Signalled when a result arrives or a thread ends.
    arrived: Condvar,
    /// Signalled when a result has been delivered or the work is over.
    freed: Condvar,
}

struct State<R> {
    /// The results that wait, by the places of their items.
    finished: BTreeMap<usize, R>,
    /// The number of results delivered, which is also the place of the next one.
    delivered: usize,
    /// The number of threads that may still send results.
    threads: usize,
    /// True if no more items may be taken.
    is_over: bool,
}

const NO_PANIC: &str = "no thread panics while it holds the lock";

impl<R> Queue<R> {
    fn new(threads: usize, window: usize) -> Queue<R> {
        let state = State { finished: BTreeMap::new(), delivered: 0, threads, is_over: false };
        Queue { state: Mutex::new(state), window, arrived: Condvar::new(), freed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().expect(NO_PANIC)
    }

    /// Waits until the item at `place` may be taken. False if the work is over.
    fn has_room(&self, place: usize) -> bool {
        let is_full = |state: &mut State<R>| place - state.delivered >= self.window && !state.is_over;
        !self.freed.wait_while(self.lock(), is_full).expect(NO_PANIC).is_over
    }

    /// No more items are taken.
    fn end(&self) {
        self.lock().is_over = true;
        self.freed.notify_all();
    }
}

impl<R, E> Queue<Result<R, E>> {
    /// Adds the result of the item at `place`. An error ends the work.
    fn put(&self, place: usize, result: Result<R, E>) {
        let mut state = self.lock();
        state.is_over |= result.is_err();
        state.finished.insert(place, result);
        drop(state);
        self.arrived.notify_one();
    }

    /// Delivers results in order until the threads have ended, an error is next, or `deliver` breaks or fails.
    fn drain(&self, mut deliver: impl FnMut(R) -> Result<ControlFlow<()>, E>) -> Result<(), E> {
        let _ends = Ends(self);
        loop {
            let is_early =
                |state: &mut State<_>| state.threads > 0 && !state.finished.contains_key(&state.delivered);
            let mut state = self.arrived.wait_while(self.lock(), is_early).expect(NO_PANIC);
            let place = state.delivered;
            let Some(result) = state.finished.remove(&place) else { return Ok(()) };
            drop(state);
            if deliver(result?)?.is_break() {
                return Ok(());
            }
            self.lock().delivered += 1;
            self.freed.notify_one();
        }
    }
}

/// Ends the work when it is dropped, also by a panic.
struct Ends<'a, R>(&'a Queue<R>);

impl<R> Drop for Ends<'_, R> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Signs a thread off when it is dropped. If the thread panicked, the work is over.
struct Leaves<'a, R>(&'a Queue<R>);

impl<R> Drop for Leaves<'_, R> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.threads -= 1;
        state.is_over |= thread::panicking();
        drop(state);
        self.0.arrived.notify_one();
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        time::Duration,
    };

    use super::{
        super::{map_in_order, threads},
        *,
    };

    const GO: Result<ControlFlow<()>, usize> = Ok(ControlFlow::Continue(()));

    /// Takes longer for some items than for others.
    fn dawdle(item: usize) {
        thread::sleep(Duration::from_micros([900, 0, 300, 0, 50][item % 5]));
    }

    /// What is delivered of 200 items, and the outcome, if `work` fails at items for which `fails` is true.
    fn run(
        count: usize,
        window: usize,
        fails: impl Fn(usize) -> bool + Sync,
    ) -> (Vec<usize>, Result<(), usize>) {
        let mut delivered = Vec::new();
        let work = |(): &mut (), item| {
            dawdle(item);
            if fails(item) { Err(item) } else { Ok(item) }
        };
        let outcome = in_order(0..200, &mut threads(count), window, work, |item| {
            delivered.push(item);
            GO
        });
        (delivered, outcome)
    }

    /// The message of the panic.
    fn panic_of(work: impl FnOnce() -> Result<(), usize>) -> String {
        let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
        panic.downcast_ref::<&str>().map_or_else(String::new, ToString::to_string)
    }

    #[test]
    fn results_arrive_in_order_at_any_number_of_threads_and_with_any_window() {
        for count in [1, 2, 3, 8, 300] {
            for window in [0, 1, 2, 7, usize::MAX] {
                assert_eq!(
                    run(count, window, |_| false),
                    ((0..200).collect(), Ok(())),
                    "{count} threads, window {window}"
                );
            }
        }
    }

    #[test]
    fn the_first_error_in_order_is_returned_after_everything_before_it() {
        for count in [1, 2, 3, 8, 300] {
            // Items 21, 26, … fail sooner than item 20, which takes longer.
            let (delivered, outcome) = run(count, 64, |item| item >= 20);
            assert_eq!((delivered, outcome), ((0..20).collect(), Err(20)), "{count} threads");
        }
    }

    #[test]
    fn no_more_items_than_the_window_are_taken_and_not_delivered() {
        for window in [1, 2, 5, 16] {
            let (taken, delivered, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
            let items = (0..300).inspect(|_| {
                let open = taken.fetch_add(1, SeqCst) + 1 - delivered.load(SeqCst);
                most.fetch_max(open, SeqCst);
            });
            // The first item takes until the window is full.
            let work = |(): &mut (), item| {
                while item == 0 && taken.load(SeqCst) < window {
                    thread::yield_now();
                }
                dawdle(item);
                Ok(item)
            };
            in_order(items, &mut threads(8), window, work, |_| {
                delivered.fetch_add(1, SeqCst);
                GO
            })
            .unwrap();
            assert_eq!(most.into_inner(), window);
        }
    }

    #[test]
    fn nothing_is_delivered_after_a_break() {
        for count in [1, 3] {
            let (mut delivered, taken) = (Vec::new(), AtomicUsize::new(0));
            let items = (0..).inspect(|_| _ = taken.fetch_add(1, SeqCst));
            in_order(
                items,
                &mut threads(count),
                8,
                |(): &mut (), item| Ok(item),
                |item: usize| {
                    delivered.push(item);
                    if item == 9 { Ok::<_, usize>(ControlFlow::Break(())) } else { GO }
                },
            )
            .unwrap();
            assert_eq!(delivered, (0..10).collect::<Vec<_>>());
            assert!(taken.into_inner() <= 10 + 8);
        }
    }

    #[test]
    fn an_error_of_deliver_ends_the_work_although_threads_wait_for_room() {
        for count in [1, 4] {
            let work = |(): &mut (), item: usize| Ok(item);
            let outcome =
                in_order(0.., &mut threads(count), 2, work, |item| if item == 3 { Err(item) } else { GO });
            assert_eq!(outcome, Err(3));
        }
    }

    #[test]
    fn items_taken_before_they_end_are_finished_and_delivered() {
        for count in [1, 3] {
            let (stop, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
            let items = (0..).take_while(|_| !stop.load(SeqCst));
            let work = |(): &mut (), item: usize| {
                stop.fetch_or(begun.fetch_add(1, SeqCst) == 20, SeqCst);
                dawdle(item);
                Ok::<_, Infallible>(item)
            };
            let Ok(done) = map_in_order(items, &mut threads(count), work);
            assert_eq!(done, (0..begun.into_inner()).collect::<Vec<_>>());
            assert!(done.len() > 20);
        }
    }

    #[test]
    fn a_panic_is_passed_on_and_keeps_no_thread_waiting() {
        let hang = |(): &mut (), item: usize| {
            dawdle(item);
            Ok(item)
        };
        for count in [1, 4] {
            let work = |(): &mut (), item: usize| {
                assert!(item != 50, "work panicked");
                Ok(item)
            };
            let mut delivered = 0;
            let panic = panic_of(|| {
                in_order(0.., &mut threads(count), 3, work, |_| {
                    delivered += 1;
                    GO
                })
            });
            assert_eq!((&*panic, delivered), ("work panicked", 50));
            let deliver = |item| if item == 50 { panic!("deliver panicked") } else { GO };
            assert_eq!(panic_of(|| in_order(0.., &mut threads(count), 3, hang, deliver)), "deliver panicked");
            let items = (0..).inspect(|item| assert!(*item != 50, "items panicked"));
            assert_eq!(panic_of(|| in_order(items, &mut threads(count), 3, hang, |_| GO)), "items panicked");
        }
        assert_eq!(panic_of(|| in_order(0..1, &mut [], 3, hang, |_| GO)), "work needs at least one worker");
    }

    #[test]
    fn each_thread_keeps_its_worker_and_the_caller_gets_it_back() {
        let mut workers = vec![0; 3];
        let work = |sum: &mut usize, item: usize| {
            *sum += item;
            dawdle(item);
            Ok::<_, Infallible>(item * item)
        };
        let Ok(squares) = map_in_order(0..100, &mut workers, work);
        assert_eq!(squares, (0..100).map(|item| item * item).collect::<Vec<_>>());
        assert_eq!(workers.iter().sum::<usize>(), 99 * 50);
        let Ok(none) = map_in_order(0..0, &mut workers, work);
        assert!(none.is_empty());
    }
}
