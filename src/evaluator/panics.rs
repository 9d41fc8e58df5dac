//! Tract panics on some malformed models; here such a panic becomes a value.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `work` returns; `None` if it panics, of which nothing is printed.
///
/// The hook is set once and asks each thread, so panics of other threads are printed as ever.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                previous(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    // Nothing of what `work` has half built is seen again.
    let result = panic::catch_unwind(AssertUnwindSafe(work)).ok();
    QUIET.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_within_is_no_result() {
        assert_eq!(quietly(|| [1, 2].iter().sum::<i32>()), Some(3));
        assert_eq!(quietly(|| -> i32 { panic!("malformed") }), None);
    }
}
