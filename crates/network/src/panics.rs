//! Tract panics on some malformed models; here such a panic becomes a value.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
};

thread_local! {
    /// True while a panic of this thread would be caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics that are turned into errors from being printed; those of other work are printed as ever.
///
/// For a program to call once, before it loads a network: it sets the process's panic hook, which a library leaves
/// alone. Without it a broken network is the same error, behind a message about the panic.
pub fn hide_caught_panics() {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !CAUGHT.get() {
            previous(panic);
        }
    }));
}

/// What `work` returns; `None` if it panics.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = CAUGHT.replace(true);
    // Nothing of what `work` has half built is seen again.
    let result = panic::catch_unwind(AssertUnwindSafe(work)).ok();
    CAUGHT.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_within_is_no_result() {
        assert_eq!(caught(|| [1, 2].iter().sum::<i32>()), Some(3));
        assert_eq!(caught(|| -> i32 { panic!("malformed") }), None);
    }
}
