use entente_network::{NetworkError, encoding::Distribution};
use entente_search::{Limits, PortableMath as _};
use shakmaty::{Chess, Move, Position as _};

use super::{Rater, rater::asked};
use crate::predictor::MovePredictor as _;

/// A move that fewer players than this play is not tempting.
const TEMPTING: f32 = 0.05;

impl Rater {
    /// The moves that tempt players of `rating` on Lichess, according to the human policy with its skill: those that at
    /// least one in twenty plays, the likeliest first.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn tempting(&mut self, position: &Chess, rating: u16) -> Result<Vec<Move>, NetworkError> {
        let moves = position.legal_moves();
        let [_, skilled] = &mut self.policies;
        let answers = skilled.predict(&[asked(position, &moves, rating)], Limits::none())?;
        let Some(answer) = answers.into_iter().next() else { return Ok(Vec::new()) };
        let probabilities = Distribution::new(answer.prediction.logits);
        let likely =
            probabilities.logarithms().iter().enumerate().filter(|(_, ln)| **ln >= TEMPTING.portable_ln());
        let mut likely: Vec<(usize, f32)> = likely.map(|(index, ln)| (index, *ln)).collect();
        likely.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(likely.into_iter().map(|(index, _)| moves[index]).collect())
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;

    use super::*;

    #[test]
    fn likely_moves_are_tempting() {
        let mut rater = Rater::new().unwrap();
        let first = rater.tempting(&Chess::default(), 1500).unwrap();
        let first: Vec<String> = first.iter().map(Move::to_string).collect();
        assert!(first.contains(&"e2-e4".to_owned()) && first.contains(&"d2-d4".to_owned()), "{first:?}");
        assert!((2..=20).contains(&first.len()));
        // A recapture is nearly always played.
        let exchange =
            position_from_fen("r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4").unwrap();
        let back = rater.tempting(&exchange, 1500).unwrap();
        assert!(back.iter().all(|m| m.is_capture()), "{back:?}");
        let over = position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 40").unwrap();
        assert_eq!(rater.tempting(&over, 1500).unwrap(), []);
    }
}
