use shakmaty::{Chess, Move, Position};

use super::{Evaluator, Network, NetworkError, Session};
use crate::{
    constraint::{Goal, thesis::Counts},
    encoding::thesis,
};

/// A network's evaluation on the CPU through tract, one position at a time: for convolutions on 8×8
/// boards tract is fastest at a static batch of one.
pub struct Tract {
    session: Session,
    planes: [f32; thesis::LENGTH],
    counts: Counts,
}

impl Tract {
    /// The evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the goal is not exact counts of White.
    pub fn new(network: &Network, goal: &Goal) -> Result<Tract, NetworkError> {
        let counts =
            goal.exact_white().ok_or_else(|| NetworkError::Unreadable { name: network.name().to_owned() })?;
        Ok(Tract { session: network.session(), planes: [0.0; thesis::LENGTH], counts })
    }
}

impl Evaluator for Tract {
    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        for &m in moves {
            if stop() {
                break;
            }
            let mut child = position.clone();
            child.play_unchecked(m);
            values.push(self.evaluate(&child)?);
        }
        Ok(())
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, NetworkError> {
        thesis::encode(&thesis::bitmaps(position.board()), &self.counts, &mut self.planes);
        let value = self.session.run(&self.planes)?;
        // A network with broken weights must not poison comparisons.
        Ok(if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{constraint::thesis::constraint, evaluator::NetworkKind as _};

    #[test]
    fn a_stop_is_heard_between_any_two_positions() {
        let network = Network::open("thesis-1").unwrap();
        let goal = Goal::new(&constraint([1, 2, 2, 2, 7])).unwrap();
        let mut tract = Tract::new(&network, &goal).unwrap();
        let position = Chess::default();
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 3;
        let mut values = Vec::new();
        tract.evaluate_moves(&position, &position.legal_moves(), &stop, &mut values).unwrap();
        assert_eq!(values.len(), 3);
    }
}
