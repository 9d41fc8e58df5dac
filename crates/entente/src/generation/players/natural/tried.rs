//! Which games were tried, so that none is searched twice.

use std::collections::HashMap;

use entente_constraint::Constraint;
use entente_search::Game;
use shakmaty::{Move, zobrist::Zobrist64};

/// The maximum number of games that are remembered.
const MAX_TRIED: usize = 200_000;

/// Whether games satisfy the constraint. Games of different populations often come to the same position.
pub(super) struct Tried {
    known: HashMap<(Zobrist64, usize, Vec<Move>), bool>,
    /// True if the constraint may depend on all moves of a game, and not only on the position, its ply and the last move.
    is_of_the_game: bool,
}

impl Tried {
    /// Nothing is known yet.
    pub(super) fn new(constraint: &Constraint) -> Tried {
        Tried { known: HashMap::new(), is_of_the_game: constraint.is_of_the_game() }
    }

    /// Forgets all games.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether the game satisfies the constraint, which `find` finds out if it is not known.
    pub(super) fn satisfies(&mut self, game: &Game, find: impl FnOnce(&Game) -> bool) -> bool {
        let moves = game.moves();
        let from = if self.is_of_the_game { 0 } else { moves.len().saturating_sub(1) };
        let key = (game.key(), moves.len(), moves[from..].to_vec());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = find(game);
        if self.known.len() < MAX_TRIED {
            self.known.insert(key, found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::uci::UciMove;

    use super::*;

    /// How many of these games from the same position are searched.
    fn searched(constraint: &str, games: &[&str]) -> usize {
        let mut tried = Tried::new(&constraint.parse().unwrap());
        let root = position_from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let mut count = 0;
        for moves in games {
            let mut game = Game::new(root.clone());
            for text in moves.split_whitespace() {
                let m = text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
                game.play(m);
            }
            let is_even = |game: &Game| game.moves().len().is_multiple_of(2);
            assert_eq!(
                tried.satisfies(&game, |game| {
                    count += 1;
                    is_even(game)
                }),
                is_even(&game)
            );
        }
        count
    }

    #[test]
    fn what_the_constraint_depends_on_is_told_apart() {
        let same = ["e1e2 e8e7 e2e3 e7e8 h1h2", "e1d2 e8e7 d2e3 e7e8 h1h2"];
        assert_eq!(searched("theme=fork", &same), 1);
        assert_eq!(searched("theme=fork captures=0", &same), 2);
        assert_eq!(searched("theme=fork", &["e1e2 e8e7", "e1e2 e8e7", "e1e2 e8d7"]), 2);
        // The same position after another move, and later.
        assert_eq!(searched("theme=fork", &["e1e2 e8d8 e2f2 d8e8 h1h3 e8e7", "e1f1 e8d8 f1f2 d8e7 h1h3"]), 2);
    }
}
