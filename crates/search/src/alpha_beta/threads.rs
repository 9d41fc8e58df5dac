//! Several threads that search the same position and share what they find in the transposition table ("Lazy SMP").

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use super::{AlphaBeta, Ordering, iteration::Work, trail::Trail};
use crate::{Limits, Reporter, Variation, scorer::Scorer};

/// A thread's part in a search, and what all of them tell each other.
#[derive(Debug, Default)]
pub(super) struct Company {
    /// Threads that help this one.
    helpers: u32,
    /// Nodes that all have searched, as far as they have told.
    nodes: Arc<AtomicU64>,
    /// Nodes that this thread has told of.
    told: u64,
}

impl Company {
    /// The nodes of all threads, if this one has searched so many.
    pub(super) fn all(&self, own: u64) -> u64 {
        self.nodes.load(Relaxed) + own - self.told
    }

    /// This thread tells that it has searched so many nodes.
    pub(super) fn tell(&mut self, own: u64) {
        self.nodes.fetch_add(own - self.told, Relaxed);
        self.told = own;
    }

    /// A search begins: nobody has searched anything.
    pub(super) fn begin(&mut self) {
        self.nodes.store(0, Relaxed);
        self.told = 0;
    }
}

impl<S: Scorer> AlphaBeta<S> {
    /// The same in so many threads, at least 1. With more than one a search is deeper in the same time, but no two are alike.
    pub fn with_threads(mut self, threads: u32) -> AlphaBeta<S> {
        self.company.helpers = threads.saturating_sub(1);
        self
    }

    /// The best lines, as the first thread sees it while others help.
    pub(super) fn search_in_company(&mut self, work: Work<'_>, report: &mut Reporter<'_>) -> Vec<Variation> {
        let is_over = AtomicBool::new(false);
        // The first thread may be kept waiting while the others search on: they heed the number of nodes, too.
        let limits = Limits { nodes: work.limits.nodes, ..Limits::until(&is_over) };
        let help = Work { limits, ..work };
        thread::scope(|scope| {
            for number in 0..self.company.helpers {
                let mut helper = self.helper();
                // Some begin a ply deeper, so that they are not all in the same place.
                let first = 1 + (number + 1) % 2;
                scope.spawn(move || {
                    helper.deepen(help, first, &mut |_| ());
                    helper.company.tell(helper.nodes);
                });
            }
            let lines = self.deepen(work, 1, report);
            is_over.store(true, Relaxed);
            lines
        })
    }

    /// A search with the same table.
    fn helper(&self) -> AlphaBeta<S> {
        AlphaBeta {
            scorer: self.scorer.clone(),
            trail: Trail::new(),
            table: Arc::clone(&self.table),
            company: Company { helpers: 0, nodes: Arc::clone(&self.company.nodes), told: 0 },
            ordering: Ordering::new(self.is_deep()),
            past: self.past.clone(),
            path: Vec::new(),
            line: self.line.clone(),
            spare: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }
}
