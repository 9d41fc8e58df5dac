//! Games to the positions before the last move, where that move must have been a special one.

use entente_constraint::legality::{Problem, earlier, earlier_by_a_quiet_move};
use entente_search::{Limits, proof::ProofGoal};
use shakmaty::{Chess, Move, Position};

use super::{Proof, ProofWanted};
use crate::engine::{Engine, EngineError};

/// The most last moves that are tried.
const MAX_MOVES: usize = 12;
/// The most positions that are searched for each of them.
const NODES: u64 = 300_000;

/// The problems before the last move, if it must have been a capture, a promotion or a pawn's move; else none.
pub(super) fn before_special_move(problem: &Problem) -> Vec<Problem> {
    if earlier_by_a_quiet_move(problem).is_empty() { earlier(problem) } else { Vec::new() }
}

impl Engine {
    /// Finds a game to one of the problems before the last move, [`before_special_move`]: a search that only knows how far
    /// the men are from their squares does not see that the last move has to wait. True if there is a game.
    pub(super) fn by_last_move(
        &mut self,
        wanted: &ProofWanted,
        earlier: &[Problem],
        limits: Limits<'_>,
        proof: &mut Proof,
    ) -> Result<bool, EngineError> {
        let goal = ProofGoal::new(&wanted.problem);
        for problem in earlier.iter().take(MAX_MOVES) {
            let before = ProofWanted { problem: problem.clone(), ..wanted.clone() };
            let mut finder = match self.finder(&before) {
                Err(EngineError::Impossible(_)) => continue,
                finder => finder?,
            };
            if finder.find(limits, NODES, proof)?
                && let Some(game) = proof.games.pop()
                && let Some(game) = with_last_move(game, &goal)
                && wanted.settings.max_plies.is_none_or(|most| game.len() <= most as usize)
            {
                proof.games = vec![game];
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A game with a last move that solves the problem, if there is one.
fn with_last_move(mut game: Vec<Move>, goal: &ProofGoal) -> Option<Vec<Move>> {
    let mut position = Chess::default();
    game.iter().for_each(|m| position.play_unchecked(*m));
    let solves = |m: &&Move| {
        let mut next = position.clone();
        next.play_unchecked(**m);
        goal.is_met(&next)
    };
    let last = position.legal_moves().iter().find(solves).copied()?;
    game.push(last);
    Some(game)
}
