use std::slice;

use entente_constraint::{Goal, child_of};
use entente_network::{
    NetworkError, Query, SatisfactionNetwork, SatisfactionSession,
    encoding::goal_policy::{Aim, Context},
    inputs,
};
use entente_search::satisfaction::SatisfactionEvaluator;
use shakmaty::{Chess, Move};

/// Evaluates positions with a satisfaction network.
pub struct NetworkEvaluator {
    session: SatisfactionSession,
    aim: Aim,
}

impl NetworkEvaluator {
    /// The evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the goal is not exact numbers of White's men, or if the network's input cannot
    /// represent it.
    pub fn new(network: &SatisfactionNetwork, goal: &Goal) -> Result<NetworkEvaluator, NetworkError> {
        let aim = goal.exact_white().map(|counts| inputs::aim_of_counts(&counts));
        let aim = aim.filter(|aim| network.sees(aim));
        let aim = aim.ok_or_else(|| NetworkError::Unreadable { name: network.name().to_owned() })?;
        Ok(NetworkEvaluator { session: network.session(), aim })
    }

    fn ask(
        &mut self,
        positions: &[Chess],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        let query = |position| Query {
            position,
            moves: &[],
            played: &[],
            context: Context::default(),
            aim: &self.aim,
        };
        let queries: Vec<Query<'_>> = positions.iter().map(query).collect();
        self.session.ask_until(&queries, stop, values)
    }
}

impl SatisfactionEvaluator for NetworkEvaluator {
    /// [`NetworkError::Model`] if a network that was loaded cannot be run.
    type Error = NetworkError;

    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        let children: Vec<Chess> = moves.iter().map(|&m| child_of(position, m)).collect();
        self.ask(&children, stop, values)
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, NetworkError> {
        let mut values = Vec::with_capacity(1);
        self.ask(slice::from_ref(position), &|| false, &mut values)?;
        Ok(values[0])
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use entente_constraint::thesis::constraint;
    use entente_network::NetworkKind as _;
    use shakmaty::Position as _;

    use super::*;

    #[test]
    fn a_stop_takes_effect_between_batches() {
        let network = SatisfactionNetwork::open("thesis-1").unwrap();
        let goal = Goal::new(&constraint([1, 2, 2, 2, 7])).unwrap();
        let mut evaluator = NetworkEvaluator::new(&network, &goal).unwrap();
        let position = Chess::default();
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 1;
        let (moves, mut values) = (position.legal_moves(), Vec::new());
        evaluator.evaluate_moves(&position, &moves, &stop, &mut values).unwrap();
        assert!((1..moves.len()).contains(&values.len()), "{} of {}", values.len(), moves.len());
    }

    #[test]
    fn a_goal_that_the_input_cannot_represent_is_refused() {
        let network = SatisfactionNetwork::open("thesis-1").unwrap();
        for constraint in ["q=0", "(1,2,1,1,7) q=1", "Q>=1"] {
            let goal = Goal::new(&constraint.parse().unwrap()).unwrap();
            let result = NetworkEvaluator::new(&network, &goal).map(drop);
            assert!(matches!(result, Err(NetworkError::Unreadable { .. })), "{constraint}");
        }
    }
}
