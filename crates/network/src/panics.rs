//! Catches panics: a malformed model must not end the process.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
};

thread_local! {
    /// True while [`caught`] runs on this thread.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Hides the messages of panics that this crate catches and turns into errors. Other panics are printed as usual.
///
/// A program calls this once, before it loads a network. It sets the panic hook of the process, which a library should
/// not do on its own. Without the call a broken network gives the same error, preceded by a message about the panic.
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
    // A panic discards whatever `work` was building, so no broken state is left.
    let result = panic::catch_unwind(AssertUnwindSafe(work)).ok();
    CAUGHT.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_no_result() {
        assert_eq!(caught(|| [1, 2].iter().sum::<i32>()), Some(3));
        assert_eq!(caught(|| -> i32 { panic!("malformed") }), None);
    }
}
