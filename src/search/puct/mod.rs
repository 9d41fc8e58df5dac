//! Monte Carlo tree search with priors (PUCT; Rosin 2011, Silver et al. 2018), for play and for cooperation.
//!
//! Each visit goes down the [`Tree`] by [`selection`], has a [`Judge`] say what the position at its end is worth, and
//! passes that back by the rule of [`Backup`]. One evaluation makes one node. What is proved, such as a mate, is passed
//! back as such. Threads share the tree; visits under way count as bad ones, so that they part.

mod backup;
mod candidate;
mod competitor;
mod judge;
mod look_ahead;
mod parameters;
mod play;
mod selection;
mod strength;
mod tree;
mod visit;

pub use backup::{Backup, Known};
pub use candidate::Candidate;
pub use competitor::{Competitor, Players};
pub use judge::{Judge, Judgement};
pub use look_ahead::LookAhead;
pub use parameters::{Parameters, Tunable};
use shakmaty::Move;
pub use strength::{Care, MoveChoice, Strength};
use tree::Tree;
pub use tree::{Edge, Found, Node};
use visit::Shared;

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
    /// Visits of the most visited move of the root, and of the next.
    pub most_visited: [u32; 2],
    /// What is proved of the root by those of its moves that may be looked at.
    pub known: Option<Known>,
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
    /// something is proved of every move, or `progress`, which is told of each visit of the first thread, returns false.
    /// What earlier searches found below that position is kept.
    ///
    /// Looks at `moves` of the root alone, all legal, and returns those that its judge left open, the best first, and how
    /// far it came; all of them if no visit is allowed.
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
        let rules = (self.backup, self.parameters);
        let shared = Shared::new(&mut self.tree, game, moves, rules, limits);
        let (first, others) = judges.split_first_mut().expect("a judge");
        std::thread::scope(|scope| {
            for judge in others {
                scope.spawn(|| shared.work(judge, |_| true));
            }
            shared.work(first, |shared| progress(&shared.progress(), &|| shared.candidates()));
        });
        if let Some(error) = shared.error() {
            return Err(error);
        }
        let result = (shared.candidates(), shared.progress());
        self.game = Some(game.clone());
        Ok(result)
    }

    /// Makes the position of `game` the root.
    fn go_to(&mut self, game: &Game) {
        // A search that fails or panics leaves a tree behind that no other should use.
        match self.game.take().and_then(|before| game.since(&before)) {
            Some(moves) => self.tree.advance(moves),
            None => self.tree.clear(),
        }
    }
}

#[cfg(test)]
mod tests;
