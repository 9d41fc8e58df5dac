use entente_network::NetworkError;
use entente_search::satisfaction::{ManCount, SatisfactionEvaluator};
use shakmaty::{Chess, Move};

use super::NetworkEvaluator;

/// The evaluator of a [`SatisfactionModel`](super::SatisfactionModel).
pub enum ModelEvaluator {
    /// A count of men.
    Men(ManCount),
    /// A network.
    Network(Box<NetworkEvaluator>),
}

impl SatisfactionEvaluator for ModelEvaluator {
    type Error = NetworkError;

    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        match self {
            ModelEvaluator::Men(men) => {
                let Ok(()) = men.evaluate_moves(position, moves, stop, values);
                Ok(())
            }
            ModelEvaluator::Network(network) => network.evaluate_moves(position, moves, stop, values),
        }
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, NetworkError> {
        match self {
            ModelEvaluator::Men(men) => {
                let Ok(value) = men.evaluate(position);
                Ok(value)
            }
            ModelEvaluator::Network(network) => network.evaluate(position),
        }
    }

    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        match self {
            ModelEvaluator::Men(men) => men.threshold(best, criterion),
            ModelEvaluator::Network(network) => network.threshold(best, criterion),
        }
    }

    fn worthwhile_table_depth(&self) -> u32 {
        match self {
            ModelEvaluator::Men(men) => men.worthwhile_table_depth(),
            ModelEvaluator::Network(network) => network.worthwhile_table_depth(),
        }
    }
}
