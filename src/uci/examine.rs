//! `d` and `eval`: what there is to say of the position on the board.

use shakmaty::{Chess, Position};

use super::{
    networks::Networks,
    options::{Options, Target},
    reply::{ConstraintEvaluation, ConstraintState, Evaluation, Reply},
    writer::Writer,
};
use crate::{
    constraint::{Goal, Men},
    evaluator::{NetworkError, hand_written},
};

/// The answer to `d`.
pub(super) fn board(position: &Chess, options: &Options) -> Reply {
    let target = options.target.as_ref();
    Reply::Board {
        position: position.clone(),
        constraint: target.map(|target| target.constraint.to_string()),
        state: target.map(|target| state(position, &target.goal)),
    }
}

/// The answer to `eval`.
///
/// # Errors
/// If a network is wanted, and none can be loaded or value the position.
pub(super) fn evaluation(
    position: &Chess,
    options: &Options,
    networks: &mut Networks,
    writer: &Writer,
) -> Result<Reply, NetworkError> {
    let mut constraint = None;
    if let Some(Target { constraint: text, goal }) = &options.target {
        let recipe = networks.recipe(options, writer)?;
        let value = recipe.build(goal)?.evaluate(position)?;
        constraint = Some(ConstraintEvaluation {
            constraint: text.to_string(),
            state: state(position, goal),
            value: (recipe.name().to_owned(), value),
        });
    }
    let terms = hand_written::evaluate(position.board());
    Ok(Reply::Evaluation(Box::new(Evaluation { terms, constraint })))
}

fn state(position: &Chess, goal: &Goal) -> ConstraintState {
    let men = Men::on(position.board());
    if goal.is_satisfied_by(&men) {
        ConstraintState::Satisfied
    } else if let Some(reason) = goal.impossible_from(&men) {
        ConstraintState::Impossible { reason: reason.to_string() }
    } else {
        ConstraintState::Reachable { distance: goal.distance_of(&men) }
    }
}
