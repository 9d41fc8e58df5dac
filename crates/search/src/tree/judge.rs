//! What a search asks of positions.

use shakmaty::Position;

use super::{backup::Known, edge::Edge, found::Found};
use crate::{Game, Limits};

/// Says what positions are worth; every thread of a search has its own.
pub trait Judge: Send {
    /// Why it may fail.
    type Error: Send;

    /// What the position of `game` is worth, which comes `depth` plies after the root of the search. Once `limits` other than
    /// nodes are reached it may be said with less care.
    ///
    /// # Errors
    /// If it cannot say; that ends the search.
    fn judge(&mut self, game: &Game, depth: u32, limits: Limits<'_>) -> Result<Judgement, Self::Error>;
}

/// What a position is worth to its mover.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// The search ends there: nothing that follows changes its value.
    Ended {
        /// What it is worth.
        found: Found,
        /// What is proved, unless another way to the same position may be worth something else.
        known: Option<Known>,
    },
    /// There are moves to look at.
    Open {
        /// What it seems to be worth.
        found: Found,
        /// Its moves; never empty.
        edges: Vec<Edge>,
    },
}

impl Judgement {
    /// How a game between opponents ends, or would be given up as drawn, `depth` plies after the root; `None` if it goes on.
    pub fn if_over(game: &Game, depth: u32) -> Option<Judgement> {
        let position = game.position();
        let proved = |value: f32, drawn: f32| Judgement::Ended {
            found: Found { value, drawn },
            known: Some(Known { value, plies: 0 }),
        };
        let is_stuck = position.legal_moves().is_empty();
        if is_stuck && position.is_check() {
            return Some(proved(-1.0, 0.0));
        }
        if is_stuck {
            return Some(proved(0.0, 1.0));
        }
        // The root has to be played on, whatever it is worth.
        if depth == 0 {
            return None;
        }
        if position.is_insufficient_material() {
            return Some(proved(0.0, 1.0));
        }
        let may_be_claimed = position.halfmoves() >= 100 || game.is_repeated(depth);
        may_be_claimed.then_some(Judgement::Ended { found: Found { value: 0.0, drawn: 1.0 }, known: None })
    }
}
