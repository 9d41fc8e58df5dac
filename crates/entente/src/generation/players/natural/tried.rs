//! Which positions were tried, so that none is searched twice.

use std::collections::HashMap;

use entente_constraint::Constraint;
use entente_search::Game;
use shakmaty::{EnPassantMode, Move, Position as _, zobrist::Zobrist64};

/// The most positions that are remembered.
const MAX_TRIED: usize = 200_000;

/// Whether positions satisfy the constraint, for games of different populations that come to the same position after the
/// same move.
pub(super) struct Tried {
    known: HashMap<(Zobrist64, usize, Option<Move>), bool>,
    /// True if it does not depend on the moves before.
    remembers: bool,
}

impl Tried {
    /// Nothing is known yet.
    pub(super) fn new(constraint: &Constraint) -> Tried {
        Tried { known: HashMap::new(), remembers: !constraint.is_of_the_game() }
    }

    /// Forgets all positions.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether the game satisfies the constraint, which `find` finds out if it is not known.
    pub(super) fn finishes(&mut self, game: &Game, find: impl FnOnce(&Game) -> bool) -> bool {
        if !self.remembers || self.known.len() >= MAX_TRIED {
            return find(game);
        }
        let hash = game.position().zobrist_hash(EnPassantMode::Legal);
        let key = (hash, game.moves().len(), game.moves().last().copied());
        *self.known.entry(key).or_insert_with(|| find(game))
    }
}
