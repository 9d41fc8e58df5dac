//! The networks that this process has loaded, for the calls of all threads.

use std::{
    ptr,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicPtr, Ordering},
    },
};

use entente::engine::Engine;
use pyo3::prelude::*;

/// The engine that keeps the networks. It is null until the first call.
///
/// It is behind a pointer, and not a lock, because a process may fork while another thread holds the lock: the child
/// then takes a new engine and leaves the old one alone.
static ENGINE: AtomicPtr<Mutex<Engine>> = AtomicPtr::new(ptr::null_mut());

fn shared() -> MutexGuard<'static, Engine> {
    let mut here = ENGINE.load(Ordering::Acquire);
    if here.is_null() {
        let new = Box::into_raw(Box::default());
        here = match ENGINE.compare_exchange(here, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(other) => {
                // SAFETY: `new` is from a box, and no one else has seen it.
                drop(unsafe { Box::from_raw(new) });
                other
            }
        };
    }
    // SAFETY: the pointer is from a box that is never freed.
    unsafe { &*here }.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` with an engine that has the networks of this process, and keeps those that it loads. Calls of other
/// threads do not wait for it.
pub(crate) fn with_engine<T>(work: impl FnOnce(&mut Engine) -> T) -> T {
    let mut engine = new_engine();
    let result = work(&mut engine);
    shared().share_networks(&engine);
    result
}

/// An engine that has the networks of this process.
pub(crate) fn new_engine() -> Engine {
    let mut engine = Engine::default();
    engine.share_networks(&shared());
    engine
}

/// Called in the child after a fork: networks are loaded again when they are needed.
#[pyfunction(name = "_after_fork")]
pub(crate) fn after_fork() {
    ENGINE.store(ptr::null_mut(), Ordering::Release);
}
