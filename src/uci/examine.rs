//! `d` and `eval`: what there is to say of the position on the board.

use shakmaty::Position;

use super::{
    networks::Networks,
    options::Options,
    reply::{ConstraintEvaluation, ConstraintState, Evaluation, Reply},
    writer::Writer,
};
use crate::{
    constraint::{Situation, Target},
    evaluator::{NetworkError, hand_written},
    generation::Distance,
    guide::GuideError,
};

/// The answer to `d`.
pub(super) fn board(situation: Situation<'_>, options: &Options) -> Reply {
    let target = options.target.as_ref();
    Reply::Board {
        position: situation.position.clone(),
        constraint: target.map(|target| target.constraint.to_string()),
        state: target.map(|target| state(situation, target)),
    }
}

/// The answer to `eval`.
///
/// # Errors
/// If a network is wanted, and none can be loaded or value the position.
pub(super) fn evaluation(
    situation: Situation<'_>,
    options: &Options,
    networks: &mut Networks,
    writer: &Writer,
) -> Result<Reply, NetworkError> {
    let position = situation.position;
    let mut constraint = None;
    if let Some(target) = &options.target {
        let value = match &target.goal {
            Some(goal) => {
                let recipe = networks.recipe(options, writer)?;
                Some((recipe.name().to_owned(), recipe.build(goal)?.evaluate(position)?))
            }
            None => None,
        };
        let (constraint_text, state) = (target.constraint.to_string(), state(situation, target));
        constraint = Some(ConstraintEvaluation { constraint: constraint_text, state, value });
    }
    let terms = hand_written::evaluate(position.board());
    Ok(Reply::Evaluation(Box::new(Evaluation { terms, constraint })))
}

/// How a position of the game stands to the target.
fn state(situation: Situation<'_>, target: &Target) -> ConstraintState {
    match Distance::of(target, situation) {
        Ok(distance) if distance.number() == 0 => ConstraintState::Satisfied,
        Ok(distance) => ConstraintState::Reachable { distance },
        Err(GuideError::Impossible(reason)) => ConstraintState::Impossible { reason: reason.to_string() },
        Err(GuideError::TooComplex) => ConstraintState::TooComplex,
    }
}
