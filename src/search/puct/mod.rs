//! Monte Carlo tree search with priors (PUCT; Rosin 2011, Silver et al. 2018), for play and for cooperation.
//!
//! Each visit goes down the [`Tree`] by [`selection`], has a [`Judge`] say what the position at its end is worth, and
//! passes that back by the rule of [`Backup`]. One evaluation makes one node. What is proved, such as a mate, is passed
//! back as such. Threads share the tree; visits under way count as bad ones, so that they part.

mod backup;
mod competitor;
mod judge;
mod parameters;
mod play;
mod selection;
mod strength;
mod tree;

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
};

pub use backup::{Backup, Known};
pub use competitor::{Competitor, Players};
pub use judge::{Judge, Judgement};
pub use parameters::{Parameters, Tunable};
use shakmaty::Move;
pub use strength::Strength;
pub use tree::{Edge, Found, Node};
use tree::{Place, Step, Tree};

use super::{Game, Limits};
use crate::evaluator::NetworkError;

/// A tree search, with what it remembers of earlier ones.
#[derive(Debug)]
pub struct Puct {
    tree: Tree,
    backup: Backup,
    parameters: Parameters,
    /// The game whose position is the root of the tree.
    game: Option<Game>,
}

/// A move of the root, as the search sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The line of play that is looked at most; never empty.
    pub moves: Vec<Move>,
    /// Visits.
    pub visits: u32,
    /// What it is worth to the mover.
    pub found: Found,
    /// What is proved of it.
    pub known: Option<Known>,
    /// The probability that the network gives it.
    pub prior: f32,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Visits so far.
    pub visits: u64,
    /// Plies of a visit, on average, rounded down; at least 1.
    pub depth: u32,
    /// Plies of the longest visit.
    pub selective_depth: u32,
    /// How full the memory is, in thousandths.
    pub full: u32,
}

/// What the threads of a search share.
struct Shared<'a> {
    tree: Mutex<&'a mut Tree>,
    game: &'a Game,
    /// The moves of the root that may be looked at.
    moves: &'a [Move],
    backup: Backup,
    parameters: Parameters,
    limits: Limits<'a>,
    visits: AtomicU64,
    plies: AtomicU64,
    deepest: AtomicU32,
    over: AtomicBool,
    error: Mutex<Option<NetworkError>>,
}

/// Where a visit has come to.
enum End {
    /// What the position is worth is known.
    Settled(Found, Option<Known>),
    /// It has to be judged.
    Fresh,
}

impl Puct {
    /// A search in at most so many mebibytes, at least 1.
    pub fn new(mebibytes: usize, backup: Backup, parameters: Parameters) -> Puct {
        Puct { tree: Tree::new(mebibytes), backup, parameters, game: None }
    }

    /// Forgets earlier games, so that a search depends on nothing but its input.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.game = None;
    }

    /// Searches the position of `game` with a thread for each of the judges, until `limits` forbid more visits, or
    /// everything is proved, or `progress`, which is told of each visit of the first thread, says that it is enough.
    /// What earlier searches found below that position is kept.
    ///
    /// Looks at `moves` of the root alone, all legal and not empty, and returns them, the best first, and how far it
    /// came. Even if no visit is allowed they are returned.
    ///
    /// # Errors
    /// [`NetworkError`] if a judge's network cannot be run.
    pub fn search<J: Judge>(
        &mut self,
        game: &Game,
        moves: &[Move],
        judges: &mut [J],
        limits: Limits<'_>,
        mut progress: impl FnMut(&Progress, &dyn Fn() -> Vec<Candidate>) -> bool,
    ) -> Result<(Vec<Candidate>, Progress), NetworkError> {
        self.go_to(game);
        let shared = Shared {
            tree: Mutex::new(&mut self.tree),
            game,
            moves,
            backup: self.backup,
            parameters: self.parameters,
            limits,
            visits: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            over: AtomicBool::new(false),
            error: Mutex::new(None),
        };
        let (first, others) = judges.split_first_mut().expect("a judge");
        std::thread::scope(|scope| {
            for judge in others {
                scope.spawn(|| shared.work(judge, |_| true));
            }
            shared.work(first, |shared| progress(&shared.progress(), &|| shared.candidates()));
        });
        let error = shared.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or_else(|| Ok((shared.candidates(), shared.progress())), Err)
    }

    /// Makes the position of `game` the root.
    fn go_to(&mut self, game: &Game) {
        match self.game.as_ref().and_then(|before| game.since(before)) {
            Some(moves) => self.tree.advance(moves),
            None => self.tree.clear(),
        }
        self.game = Some(game.clone());
    }
}

impl<'a> Shared<'a> {
    fn tree(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Visits until something ends the search; `goes_on` is asked after each.
    fn work<J: Judge>(&self, judge: &mut J, mut goes_on: impl FnMut(&Self) -> bool) {
        while !self.over.load(Ordering::Relaxed) {
            // Counted beforehand, so that threads together make no more than are allowed.
            let before = self.visits.fetch_add(1, Ordering::Relaxed);
            if self.limits.forbid(before, 1) {
                self.visits.fetch_sub(1, Ordering::Relaxed);
                break;
            }
            match self.visit(judge) {
                Ok(is_proved) => {
                    if is_proved || !goes_on(self) {
                        break;
                    }
                }
                Err(error) => {
                    *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    break;
                }
            }
        }
        self.over.store(true, Ordering::Relaxed);
    }

    /// One visit; true if everything is proved.
    fn visit<J: Judge>(&self, judge: &mut J) -> Result<bool, NetworkError> {
        let mut game = self.game.clone();
        let (path, end) = self.descend(&mut game);
        let depth = path.len() as u32;
        self.plies.fetch_add(u64::from(depth), Ordering::Relaxed);
        self.deepest.fetch_max(depth, Ordering::Relaxed);
        let judgement = match end {
            End::Settled(found, known) => Ok(Judgement::Ended { found, known }),
            End::Fresh => judge.judge(&game, depth),
        };
        let mut tree = self.tree();
        let result = judgement.map(|judgement| self.record(&mut tree, &path, judgement));
        path.iter().for_each(|step| tree.end(*step));
        result?;
        // Without a root there is nothing that another visit could find. What is proved of all moves may not hold of some.
        Ok(tree.root().is_none_or(|root| {
            let node = tree.node(root);
            node.known.is_some() && node.edges.len() == self.moves.len()
        }))
    }

    /// Goes down to a position that is settled or was never judged.
    fn descend(&self, game: &mut Game) -> (Vec<Step>, End) {
        let mut tree = self.tree();
        let mut path = Vec::new();
        let Some(mut place) = tree.root() else { return (path, End::Fresh) };
        loop {
            let step = Step { node: place, edge: self.choose(tree.node(place), path.is_empty()) };
            tree.begin(step);
            path.push(step);
            let edge = &tree.node(place).edges[step.edge];
            game.play(edge.m);
            if let Some(known) = edge.known {
                let there =
                    Known { value: self.backup.seen_from_parent(known.value), plies: known.plies - 1 };
                let found = Found { value: there.value, drawn: edge.drawn };
                return (path, End::Settled(found, Some(there)));
            }
            match tree.child(step) {
                Some(child) => place = child,
                None => return (path, End::Fresh),
            }
        }
    }

    /// The index of the move to look at next.
    fn choose(&self, node: &Node, is_root: bool) -> usize {
        let parameters = &self.parameters;
        let exploration = selection::exploration(node.visits, parameters);
        let root = (node.visits as f32).sqrt();
        let first_play = selection::first_play(node, parameters);
        let worst = self.backup.worst();
        let worth = |edge: &Edge| {
            // What is proved to be worst is the last resort.
            let penalty =
                if edge.known.is_some_and(|known| known.value <= worst) { f32::NEG_INFINITY } else { 0.0 };
            selection::worth(edge, exploration, root, first_play, worst) + penalty
        };
        let edges = node.edges.iter().enumerate();
        let wanted = edges.filter(|(_, edge)| !is_root || self.moves.contains(&edge.m));
        let best = wanted.map(|(index, edge)| (index, worth(edge))).max_by(|(i, a), (j, b)| {
            // Of equals the first.
            a.total_cmp(b).then(j.cmp(i))
        });
        best.expect("an open node has moves").0
    }

    /// Passes what was found at the end of a path back to its beginning.
    fn record(&self, tree: &mut Tree, path: &[Step], judgement: Judgement) {
        let backup = self.backup;
        let (mut found, mut end, mut known) = match judgement {
            Judgement::Ended { found, known } => (found, found, known),
            Judgement::Open { found, edges } => {
                let last = path.last().copied();
                // Another thread may have been there meanwhile.
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

    fn seen(&self, tree: &Tree, place: Place, found: Found) -> (Found, Found, Option<Known>) {
        let node = tree.node(place);
        (found, Found { value: node.value(), drawn: node.drawn() }, node.known)
    }

    fn progress(&self) -> Progress {
        let visits = self.visits.load(Ordering::Relaxed);
        Progress {
            visits,
            depth: (self.plies.load(Ordering::Relaxed) / visits.max(1)).max(1) as u32,
            selective_depth: self.deepest.load(Ordering::Relaxed).max(1),
            full: self.tree().full(),
        }
    }

    /// The moves of the root, the best first.
    fn candidates(&self) -> Vec<Candidate> {
        let tree = self.tree();
        let Some(root) = tree.root() else {
            let unseen = |m: &Move| Candidate {
                moves: vec![*m],
                visits: 0,
                found: Found { value: 0.0, drawn: 0.0 },
                known: None,
                prior: 0.0,
            };
            return self.moves.iter().map(unseen).collect();
        };
        let node = tree.node(root);
        let wanted = (0..node.edges.len()).filter(|index| self.moves.contains(&node.edges[*index].m));
        let mut candidates: Vec<Candidate> = wanted
            .map(|edge| {
                let step = Step { node: root, edge };
                let Edge { visits, value, drawn, known, prior, .. } = node.edges[edge];
                Candidate {
                    moves: self.line(&tree, step),
                    visits,
                    found: Found { value, drawn },
                    known,
                    prior,
                }
            })
            .collect();
        candidates.sort_by(|a, b| self.rank(b).partial_cmp(&self.rank(a)).expect("numbers"));
        candidates
    }

    /// Moves are ranked by what is proved, then by visits, then by value and prior.
    fn rank(&self, candidate: &Candidate) -> (f32, u32, f32, f32) {
        let proved = match candidate.known {
            // The sooner won the better, the later lost.
            Some(known) if known.value >= Backup::BEST => 2.0 - known.plies as f32 / 1e6,
            Some(known) if known.value <= self.backup.worst() => -2.0 + known.plies as f32 / 1e6,
            _ => 0.0,
        };
        (proved, candidate.visits, candidate.found.value, candidate.prior)
    }

    /// What is looked at most from a step on.
    fn line(&self, tree: &Tree, first: Step) -> Vec<Move> {
        let mut moves = vec![tree.node(first.node).edges[first.edge].m];
        let mut place = tree.child(first);
        while let Some(node) = place {
            let edges = tree.node(node).edges.iter().enumerate();
            let visited = edges.filter(|(_, edge)| edge.visits > 0);
            let wins = |edge: &Edge| edge.known.is_some_and(|known| known.value >= Backup::BEST);
            let Some((edge, best)) =
                visited.max_by_key(|(index, edge)| (wins(edge), edge.visits, usize::MAX - index))
            else {
                break;
            };
            moves.push(best.m);
            place = tree.child(Step { node, edge });
        }
        moves
    }
}

#[cfg(test)]
mod tests;
