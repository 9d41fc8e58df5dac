//! `d`, `eval` and `policy`: the position on the board, its evaluations, and the moves that people would play.

use entente::{
    engine::{Engine, EngineError},
    generation::Distance,
    settings::Settings,
};
use entente_constraint::{Situation, Target, guide::GuideError};
use entente_search::{Game, satisfaction::SatisfactionEvaluator as _, scorer::hand_written};
use shakmaty::Position;

use super::{
    play::to_uci,
    reply::{ConstraintEvaluation, ConstraintState, Evaluation, NetworkEvaluation, Reply},
    writer::{Writer, tell},
};

/// The number of moves that `eval` lists.
const LIKELIEST: usize = 5;

/// The answer to `d`. `refused` is the error if the last constraint was refused.
pub(super) fn board(situation: Situation<'_>, settings: &Settings, refused: Option<&String>) -> Reply {
    let target = settings.session.target.as_ref().filter(|_| refused.is_none());
    Reply::Board {
        position: situation.position.clone(),
        constraint: target
            .map(|target| target.constraint.to_string())
            .or_else(|| refused.map(|error| format!("refused: {error}"))),
        state: target.map(|target| state(situation, target)),
    }
}

/// The answer to `eval`.
///
/// # Errors
/// If a network that is needed cannot be loaded or cannot evaluate the position.
pub(super) fn evaluation(
    game: &Game,
    settings: &Settings,
    engine: &mut Engine,
    writer: &Writer,
) -> Result<Reply, EngineError> {
    let situation = game.situation();
    let position = situation.position;
    let mut constraint = None;
    if let Some(target) = &settings.session.target {
        let value = match &target.goal {
            Some(goal) => {
                let model =
                    engine.evaluator(target, &settings.generation, &mut |event| tell(event, writer))?;
                Some((model.name().to_owned(), model.evaluator(goal)?.evaluate(position)?))
            }
            None => None,
        };
        let (constraint_text, state) = (target.constraint.to_string(), state(situation, target));
        constraint = Some(ConstraintEvaluation { constraint: constraint_text, state, value });
    }
    let terms = hand_written::evaluate(position.board());
    let answer = engine.likeliest(game, settings.player(), &mut |event| tell(event, writer))?;
    let network = answer.map(|answer| NetworkEvaluation {
        name: answer.network,
        chances: answer.found.chances(),
        moves: answer
            .moves
            .into_iter()
            .take(LIKELIEST)
            .map(|(m, chance)| (to_uci(game.root(), m), chance))
            .collect(),
    });
    Ok(Reply::Evaluation(Box::new(Evaluation { terms, network, constraint })))
}

/// The answer to `policy`.
///
/// # Errors
/// If the network cannot be loaded or run.
pub(super) fn policy(
    game: &Game,
    settings: &Settings,
    engine: &mut Engine,
    writer: &Writer,
) -> Result<Reply, EngineError> {
    if game.position().legal_moves().is_empty() {
        return Ok(Reply::Policy { network: None, moves: Vec::new() });
    }
    let answer = engine.move_probabilities(game, settings.player(), &mut |event| tell(event, writer))?;
    let moves =
        answer.moves.into_iter().map(|(m, probability)| (to_uci(game.root(), m), probability)).collect();
    Ok(Reply::Policy { network: Some(answer.network), moves })
}

/// The state of the target in a position of the game.
fn state(situation: Situation<'_>, target: &Target) -> ConstraintState {
    match Distance::of(target, situation) {
        Ok(distance) if distance.number() == 0 => {
            if target.is_certainly_satisfied(situation) {
                ConstraintState::Satisfied
            } else {
                ConstraintState::Unjudged
            }
        }
        Ok(distance) => ConstraintState::Reachable { distance },
        Err(GuideError::Impossible(reason)) => ConstraintState::Impossible { reason: reason.to_string() },
        Err(GuideError::TooComplex) => ConstraintState::TooComplex,
        Err(error @ GuideError::TooManyMen(_)) => ConstraintState::Unknown { reason: error.to_string() },
    }
}
