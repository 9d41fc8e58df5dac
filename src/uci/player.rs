use std::sync::{Arc, Mutex, PoisonError};

use crate::search::AlphaBeta;

/// The competitive search; a search that runs holds it.
#[derive(Default)]
pub(super) struct Player {
    search: Option<(u32, Arc<Mutex<AlphaBeta>>)>,
}

impl Player {
    /// The search with a table of so many mebibytes: the one there is, or a new one.
    pub fn with_hash(&mut self, mebibytes: u32) -> Arc<Mutex<AlphaBeta>> {
        self.search.take_if(|(size, _)| *size != mebibytes);
        let new = || (mebibytes, Arc::new(Mutex::new(AlphaBeta::new(mebibytes as usize))));
        Arc::clone(&self.search.get_or_insert_with(new).1)
    }

    /// Forgets earlier games.
    pub fn forget(&mut self) {
        if let Some((_, search)) = &self.search {
            search.lock().unwrap_or_else(PoisonError::into_inner).forget();
        }
    }
}
