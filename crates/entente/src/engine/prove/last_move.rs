//! Games to the positions before the last move, where that move must have been a special one.

use entente_constraint::legality::Problem;
use entente_search::Limits;

use super::{Proof, ProofWanted};
use crate::engine::{Engine, EngineError};

/// The most last moves that are tried.
const MAX_MOVES: usize = 12;
/// The most positions that are searched for each of them.
const NODES: u64 = 300_000;

impl Engine {
    /// Finds a game to one of the problems before the last move, where that must have been a special one: a search that
    /// only knows how far the men are from their squares does not see that the last move has to wait. True if there is
    /// a game.
    pub(super) fn by_last_move(
        &mut self,
        wanted: &ProofWanted,
        earlier: &[Problem],
        limits: Limits<'_>,
        proof: &mut Proof,
    ) -> Result<bool, EngineError> {
        let goal = wanted.goal();
        for problem in earlier.iter().take(MAX_MOVES) {
            let before = ProofWanted { problem: problem.clone(), ..wanted.clone() };
            let mut finder = match self.finder(&before) {
                Err(EngineError::Impossible(_)) => continue,
                finder => finder?,
            };
            if finder.find(limits, NODES, proof)?
                && let Some(game) = proof.games.pop()
                && let Some(game) = goal.with_last_move(game)
                && wanted.settings.max_plies.is_none_or(|most| game.len() <= most as usize)
            {
                proof.games = vec![game];
                return Ok(true);
            }
        }
        Ok(false)
    }
}
