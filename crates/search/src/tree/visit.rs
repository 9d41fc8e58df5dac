//! The work of a search thread: one visit after another.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
};

use shakmaty::Move;

use super::{
    backup::{Backup, Known},
    edge::Edge,
    evaluator::{NodeEvaluation, NodeEvaluator},
    exploration::Exploration,
    found::Found,
    nodes::{NodeIndex, Step, Tree, TreeNode},
    progress::TreeProgress,
    selection,
};
use crate::{Game, Limits};

/// The state that the threads of a search share.
pub(super) struct Shared<'a, E> {
    tree: Mutex<&'a mut Tree>,
    game: &'a Game,
    /// The root moves that may be searched.
    pub moves: &'a [Move],
    pub backup: Backup,
    exploration: Exploration,
    limits: Limits<'a>,
    visits: AtomicU64,
    plies: AtomicU64,
    deepest: AtomicU32,
    over: AtomicBool,
    error: Mutex<Option<E>>,
}

/// The position at the end of a visit.
enum End {
    /// The result is proved.
    Settled(Found, Option<Known>),
    /// The position must be evaluated.
    Fresh,
}

/// Ends the search of all threads when it is dropped, even by a panic.
struct Last<'a>(&'a AtomicBool);

impl Drop for Last<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'a, E> Shared<'a, E> {
    pub(super) fn new(
        tree: &'a mut Tree,
        game: &'a Game,
        moves: &'a [Move],
        (backup, exploration): (Backup, Exploration),
        limits: Limits<'a>,
    ) -> Shared<'a, E> {
        Shared {
            tree: Mutex::new(tree),
            game,
            moves,
            backup,
            exploration,
            limits,
            visits: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            over: AtomicBool::new(false),
            error: Mutex::new(None),
        }
    }

    /// The error of a evaluator, if one failed.
    pub(super) fn error(&self) -> Option<E> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn tree(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes visits until the search ends. It also ends when `should_continue`, which is called after each visit,
    /// returns false.
    pub(super) fn work<J: NodeEvaluator<Error = E>>(
        &self,
        evaluator: &mut J,
        mut should_continue: impl FnMut(&Self) -> bool,
    ) {
        let _last = Last(&self.over);
        while !self.over.load(Ordering::Relaxed) {
            // Visits are counted in advance, so that the threads together do not exceed the limit.
            let before = self.visits.fetch_add(1, Ordering::Relaxed);
            if self.limits.forbid(before, 1) {
                self.visits.fetch_sub(1, Ordering::Relaxed);
                break;
            }
            match self.visit(evaluator) {
                Ok(true) if should_continue(self) => {}
                Ok(_) => break,
                Err(error) => {
                    *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    break;
                }
            }
        }
    }

    /// Makes one visit. Returns false if further visits could find nothing.
    fn visit<J: NodeEvaluator<Error = E>>(&self, evaluator: &mut J) -> Result<bool, E> {
        let mut game = self.game.clone();
        let Some((path, end)) = self.descend(&mut game) else { return Ok(false) };
        let depth = path.len() as u32;
        self.plies.fetch_add(u64::from(depth), Ordering::Relaxed);
        self.deepest.fetch_max(depth, Ordering::Relaxed);
        let evaluation = match end {
            End::Settled(found, known) => Ok(NodeEvaluation::Ended { found, known }),
            End::Fresh => evaluator.evaluate(&game, depth, self.limits),
        };
        let mut tree = self.tree();
        let result = evaluation.map(|evaluation| self.record(&mut tree, &path, evaluation));
        path.iter().for_each(|step| tree.end(*step));
        result?;
        Ok(self.root_edges(&tree).any(|(_, edge)| edge.known.is_none()))
    }

    /// The root moves that may be searched, with their indices among the root's edges, once the root has been
    /// evaluated.
    pub(super) fn root_edges<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = (usize, &'t Edge)> {
        let edges = tree.root().map(|root| tree.node(root).edges.iter().enumerate());
        edges.into_iter().flatten().filter(|(_, edge)| self.moves.contains(&edge.m))
    }

    /// Descends to a position that is proved or has not been evaluated; `None` if no root move may be searched.
    fn descend(&self, game: &mut Game) -> Option<(Vec<Step>, End)> {
        let mut tree = self.tree();
        let mut path = Vec::new();
        tree.begin_visit();
        let Some(mut place) = tree.root() else { return Some((path, End::Fresh)) };
        loop {
            let step = Step { node: place, edge: self.choose(tree.node(place), path.is_empty())? };
            tree.begin(step);
            path.push(step);
            let edge = &tree.node(place).edges[step.edge];
            game.play(edge.m);
            if let Some(known) = edge.known {
                let there =
                    Known { value: self.backup.seen_from_parent(known.value), plies: known.plies - 1 };
                let found = Found { value: there.value, drawn: edge.drawn };
                return Some((path, End::Settled(found, Some(there))));
            }
            match tree.child(step) {
                Some(child) => place = child,
                None => return Some((path, End::Fresh)),
            }
        }
    }

    /// The index of the move to visit next; `None` if no move may be visited.
    fn choose(&self, node: &TreeNode, is_root: bool) -> Option<usize> {
        let exploration = self.exploration.at(node.visits);
        let root_of_visits = (node.visits as f32).sqrt();
        let first_play = selection::first_play(node, self.exploration.first_play_reduction);
        let worst = self.backup.worst();
        let score = |edge: &Edge| {
            // Moves with the worst proved result are the last resort.
            let penalty =
                if edge.known.is_some_and(|known| known.value <= worst) { f32::NEG_INFINITY } else { 0.0 };
            selection::score(edge, exploration, root_of_visits, first_play, worst) + penalty
        };
        let edges = node.edges.iter().enumerate();
        let allowed = edges.filter(|(_, edge)| !is_root || self.moves.contains(&edge.m));
        let best = allowed.map(|(index, edge)| (index, score(edge))).max_by(|(i, a), (j, b)| {
            // Among equal scores, the first move wins.
            a.total_cmp(b).then(j.cmp(i))
        });
        best.map(|(index, _)| index)
    }

    /// Backs up the result at the end of a path to the root.
    fn record(&self, tree: &mut Tree, path: &[Step], evaluation: NodeEvaluation) {
        let backup = self.backup;
        let (mut found, mut end, mut known) = match evaluation {
            NodeEvaluation::Ended { found, known } => (found, found, known),
            NodeEvaluation::Open { found, edges } => {
                let last = path.last().copied();
                // Another thread may have added the node meanwhile.
                let there = last.map_or_else(|| tree.root(), |step| tree.child(step));
                let place = there.unwrap_or_else(|| tree.insert(last, edges, found, backup));
                tree.add(place, found, backup);
                self.seen(tree, place, found)
            }
        };
        for step in path.iter().rev() {
            tree.record(*step, end, known, backup);
            found = Found { value: backup.seen_from_parent(found.value), ..found };
            tree.add(step.node, found, backup);
            (_, end, known) = self.seen(tree, step.node, found);
        }
    }

    fn seen(&self, tree: &Tree, place: NodeIndex, found: Found) -> (Found, Found, Option<Known>) {
        let node = tree.node(place);
        (found, Found { value: node.value(), drawn: node.drawn() }, node.known)
    }

    /// The progress of the search.
    pub(super) fn progress(&self) -> TreeProgress {
        let tree = self.tree();
        let mut most_visited = [0; 2];
        for (_, edge) in self.root_edges(&tree) {
            if edge.visits > most_visited[0] {
                most_visited = [edge.visits, most_visited[0]];
            } else {
                most_visited[1] = most_visited[1].max(edge.visits);
            }
        }
        let visits = self.visits.load(Ordering::Relaxed);
        TreeProgress {
            visits,
            depth: (self.plies.load(Ordering::Relaxed) / visits.max(1)).max(1) as u32,
            selective_depth: self.deepest.load(Ordering::Relaxed).max(1),
            full: tree.full(),
            most_visited,
            known: self.backup.known(self.root_edges(&tree).map(|(_, edge)| edge.known)),
        }
    }
}
