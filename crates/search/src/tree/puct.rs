use shakmaty::Move;

use super::{
    backup::Backup, candidate::Candidate, exploration::Exploration, judge::Judge, nodes::Tree,
    progress::TreeProgress, visit::Shared,
};
use crate::{Game, Limits};

/// A tree search, with what it remembers of earlier ones.
#[derive(Debug)]
pub struct Puct {
    pub(super) tree: Tree,
    backup: Backup,
    exploration: Exploration,
    /// The game whose position is the root of the tree.
    game: Option<Game>,
}

impl Puct {
    /// A search in at most so many mebibytes, at least 1.
    pub fn new(mebibytes: usize, backup: Backup, exploration: Exploration) -> Puct {
        Puct { tree: Tree::new(mebibytes), backup, exploration, game: None }
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
    /// What the first judge that failed says.
    pub fn search<J: Judge>(
        &mut self,
        game: &Game,
        moves: &[Move],
        judges: &mut [J],
        limits: Limits<'_>,
        mut progress: impl FnMut(&TreeProgress, &dyn Fn() -> Vec<Candidate>) -> bool,
    ) -> Result<(Vec<Candidate>, TreeProgress), J::Error> {
        self.go_to(game);
        let rules = (self.backup, self.exploration);
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
