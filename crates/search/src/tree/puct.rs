use shakmaty::Move;

use super::{
    backup::Backup, candidate::Candidate, evaluator::NodeEvaluator, exploration::Exploration, nodes::Tree,
    progress::TreeProgress, visit::Shared,
};
use crate::{Game, Limits};

/// A tree search, which keeps its tree between searches.
#[derive(Debug)]
pub struct Puct {
    pub(super) tree: Tree,
    backup: Backup,
    exploration: Exploration,
    /// The game whose position is the root of the tree.
    game: Option<Game>,
}

impl Puct {
    /// A search whose tree takes at most `mebibytes` MiB, at least 1.
    pub fn new(mebibytes: usize, backup: Backup, exploration: Exploration) -> Puct {
        Puct { tree: Tree::new(mebibytes), backup, exploration, game: None }
    }

    /// Forgets earlier games, so that a search depends only on its input.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.game = None;
    }

    /// Searches the current position of `game` with a thread for each evaluator. The search ends when `limits` forbid
    /// more visits, when the result of every move is proved, or when `progress` returns false. `progress` is called
    /// after each visit of the first thread. Results of earlier searches below the position are kept.
    ///
    /// At the root, only `moves` are searched; all of them must be legal. The result has those of them that the root's
    /// evaluator returned as edges, the best first, and the progress of the search. If no visit is allowed, it has all
    /// `moves`.
    ///
    /// # Errors
    /// The error of a evaluator that failed.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn search<J: NodeEvaluator>(
        &mut self,
        game: &Game,
        moves: &[Move],
        evaluators: &mut [J],
        limits: Limits<'_>,
        mut progress: impl FnMut(&TreeProgress, &dyn Fn() -> Vec<Candidate>) -> bool,
    ) -> Result<(Vec<Candidate>, TreeProgress), J::Error> {
        self.set_root(game);
        let rules = (self.backup, self.exploration);
        let shared = Shared::new(&mut self.tree, game, moves, rules, limits);
        let (first, others) = evaluators.split_first_mut().expect("there is an evaluator");
        std::thread::scope(|scope| {
            for evaluator in others {
                scope.spawn(|| shared.work(evaluator, |_| true));
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

    /// Makes the current position of `game` the root.
    fn set_root(&mut self, game: &Game) {
        // `take` makes sure that the tree of a search that failed or panicked is not used again.
        match self.game.take().and_then(|before| game.since(&before)) {
            Some(moves) => self.tree.advance(moves),
            None => self.tree.clear(),
        }
    }
}
