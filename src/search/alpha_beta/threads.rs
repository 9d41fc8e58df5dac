//! Several threads that search the same position and share what they find in the transposition table ("Lazy SMP").

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use super::{AlphaBeta, Ordering, iteration::Work};
use crate::{
    scorer::Scorer,
    search::{Limits, Reporter, Variation},
};

/// The other threads of a search, and what is told among them.
#[derive(Debug, Default)]
pub(super) struct Company {
    /// Threads that help the first one.
    helpers: u32,
    /// Nodes that they have searched, as far as they have told.
    nodes: Arc<AtomicU64>,
    /// What a helper has told of its own; `None` for the first thread.
    told: Option<u64>,
}

impl Company {
    /// The nodes of the helpers, for the first thread; 0 for them, whom no number of nodes stops.
    pub fn nodes(&self) -> u64 {
        if self.told.is_none() { self.nodes.load(Relaxed) } else { 0 }
    }

    /// A helper tells that it has searched so many nodes in all.
    pub fn tell(&mut self, nodes: u64) {
        if let Some(told) = &mut self.told {
            self.nodes.fetch_add(nodes - *told, Relaxed);
            *told = nodes;
        }
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
        self.company.nodes.store(0, Relaxed);
        let is_over = AtomicBool::new(false);
        let help = Work { limits: Limits::until(&is_over), ..work };
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
            table: Arc::clone(&self.table),
            company: Company { helpers: 0, nodes: Arc::clone(&self.company.nodes), told: Some(0) },
            ordering: Ordering::new(self.is_deep()),
            past: self.past.clone(),
            path: Vec::new(),
            line: self.line.clone(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }
}
