//! Several threads that search the same position and share what they find in the transposition table ("Lazy SMP").

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use super::{AlphaBeta, Correction, Effort, Ordering, iteration::Work, trail::Trail};
use crate::{Limits, Reporter, SearchEvent, Variation, scorer::Scorer};

/// A thread's view of a search by several threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// The number of threads that help this one.
    helpers: u32,
    /// The nodes of all threads, as far as they have published them.
    nodes: Arc<AtomicU64>,
    /// The nodes that this thread has published.
    published: u64,
}

impl Threads {
    /// The nodes of all threads, given that this one has searched `own` nodes.
    pub(super) fn all(&self, own: u64) -> u64 {
        self.nodes.load(Relaxed) + own - self.published
    }

    /// Publishes that this thread has searched `own` nodes.
    pub(super) fn publish(&mut self, own: u64) {
        self.nodes.fetch_add(own - self.published, Relaxed);
        self.published = own;
    }

    /// Resets the counters at the beginning of a search.
    pub(super) fn begin(&mut self) {
        self.nodes.store(0, Relaxed);
        self.published = 0;
    }
}

impl<S: Scorer> AlphaBeta<S> {
    /// The search with `threads` threads, at least 1. With more than one, it searches deeper in the same time but is
    /// not deterministic.
    pub fn with_threads(mut self, threads: u32) -> AlphaBeta<S> {
        self.threads.helpers = threads.saturating_sub(1);
        self
    }

    /// The best lines that the first thread finds while the others help it.
    pub(super) fn search_with_helpers(
        &mut self,
        work: Work<'_>,
        report: &mut Reporter<'_>,
    ) -> Vec<Variation> {
        let is_over = AtomicBool::new(false);
        // The first thread may not run all the time, so the helpers also check the limit on nodes.
        let limits = Limits { nodes: work.limits.nodes, ..Limits::until(&is_over) };
        let help = Work { limits, ..work };
        thread::scope(|scope| {
            for number in 0..self.threads.helpers {
                let mut helper = self.helper();
                // Every other helper begins a ply deeper, so that the threads do not all search the same nodes.
                let first = 1 + (number + 1) % 2;
                scope.spawn(move || {
                    helper.deepen(help, first, &mut |_| ());
                    helper.threads.publish(helper.nodes);
                });
            }
            let lines = self.deepen(work, 1, report);
            is_over.store(true, Relaxed);
            // On a loaded machine it may take long until all helpers have noticed.
            report(&self.report(0, SearchEvent::Answer(&lines)));
            lines
        })
    }

    /// A search for a helper thread, which shares the table.
    fn helper(&self) -> AlphaBeta<S> {
        AlphaBeta {
            scorer: self.scorer.clone(),
            endings: self.endings.clone(),
            hits_before: self.hits_before,
            trail: Trail::new(),
            table: Arc::clone(&self.table),
            threads: Threads { helpers: 0, nodes: Arc::clone(&self.threads.nodes), published: 0 },
            ordering: Ordering::new(self.is_deep()),
            correction: Correction::new(self.is_deep()),
            effort: Effort::default(),
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
