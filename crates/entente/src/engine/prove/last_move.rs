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

/// True if the last move was a capture en passant, as nothing else leads to the diagram.
pub(super) fn must_be_en_passant(problem: &Problem) -> bool {
    if !earlier_by_a_quiet_move(problem).is_empty() {
        return false;
    }
    let earlier = earlier(problem);
    !earlier.is_empty() && earlier.iter().all(|before| before.en_passant.flatten().is_some())
}

impl Engine {
    /// Takes the last move back and finds a game to the position before, if the move must have been a capture, a promotion
    /// or a pawn's move: a search that only knows how far the men are from their squares does not see that the last move
    /// has to wait. True if there is a game.
    pub(super) fn by_last_move(
        &mut self,
        wanted: &ProofWanted,
        limits: Limits<'_>,
        proof: &mut Proof,
    ) -> Result<bool, EngineError> {
        if !earlier_by_a_quiet_move(&wanted.problem).is_empty() {
            return Ok(false);
        }
        let goal = ProofGoal::new(&wanted.problem);
        for problem in earlier(&wanted.problem).into_iter().take(MAX_MOVES) {
            let mut finder = match self.finder(&ProofWanted { problem, ..wanted.clone() }) {
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
