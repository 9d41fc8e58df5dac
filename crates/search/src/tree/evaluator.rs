//! The evaluation of positions for the tree search.

use shakmaty::Position;

use super::{backup::Known, edge::Edge, found::Found};
use crate::{Game, Limits};

/// An evaluator of positions. Every thread of a search has its own.
pub trait NodeEvaluator: Send {
    /// Why an evaluation failed.
    type Error: Send;

    /// The evaluation of the current position of `game`, which is `depth` plies below the root of the search. Once a
    /// limit other than nodes is reached, the evaluation may be less accurate.
    ///
    /// # Errors
    /// If the position cannot be evaluated. This ends the search.
    fn evaluate(
        &mut self,
        game: &Game,
        depth: u32,
        limits: Limits<'_>,
    ) -> Result<NodeEvaluation, Self::Error>;
}

/// The evaluation of a position for its mover.
#[derive(Clone, Debug)]
pub enum NodeEvaluation {
    /// A terminal node: nothing that follows changes its value.
    Ended {
        /// The evaluation.
        found: Found,
        /// The proved result; `None` if the result depends on the path to the position.
        known: Option<Known>,
    },
    /// A node with moves to search.
    Open {
        /// The evaluation.
        found: Found,
        /// The moves; never empty.
        edges: Vec<Edge>,
    },
}

impl NodeEvaluation {
    /// The evaluation if a competitive game is over, or can be claimed as a draw, `depth` plies below the root; `None`
    /// if the game continues.
    pub fn if_over(game: &Game, depth: u32) -> Option<NodeEvaluation> {
        let position = game.position();
        let proved = |value: f32, drawn: f32| NodeEvaluation::Ended {
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
        // The search must find a move at the root, whatever its value.
        if depth == 0 {
            return None;
        }
        if position.is_insufficient_material() {
            return Some(proved(0.0, 1.0));
        }
        let may_be_claimed = position.halfmoves() >= 100 || game.is_repeated(depth);
        may_be_claimed
            .then_some(NodeEvaluation::Ended { found: Found { value: 0.0, drawn: 1.0 }, known: None })
    }
}
