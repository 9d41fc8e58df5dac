//! The next move of a game in a population: what is proposed, and which moves would satisfy the constraint at once.
//!
//! Most judged conditions, such as `theme=fork`, hold only after a mistake of the opponent, and a game in which each move
//! is drawn seldom has the right mistake at the right time. So all likely moves are tried, and a game splits: a finished
//! one that has one of the moves that satisfy the constraint, with their probability, and an active one that has
//! another move. The expected weights are the same as if a single move were drawn (stratified sampling; Fearnhead and
//! Clifford 2003, "On-line inference for hidden Markov models via particle filters").

use entente_network::encoding::{Distribution, Sampling};
use entente_search::{Game, PortableMath as _};
use rand::rngs::ChaCha8Rng;
use shakmaty::MoveList;

use super::super::population::Particle;

/// Moves that humans play less often are not tried.
const MIN_PROBABILITY: f32 = 0.01;

/// The legal moves of a game in a population.
pub(super) struct NextMove {
    moves: MoveList,
    /// The probabilities of human moves.
    human: Distribution,
    /// The same at the temperature of the players.
    wanted: Distribution,
    /// The probabilities with which moves are drawn.
    proposal: Distribution,
    /// The share of proposals that would make the constraint impossible.
    masked: f32,
    /// Moves that are known not to satisfy the constraint.
    fails: Vec<bool>,
}

impl NextMove {
    /// The moves of a game, of which those that are not `allowed` are never played. `proposal` must have the temperature
    /// of `sampling`.
    pub(super) fn new(
        moves: &MoveList,
        human: &Distribution,
        mut proposal: Distribution,
        sampling: Sampling,
        allowed: &[bool],
    ) -> NextMove {
        let masked = proposal.mask(|index| allowed[index]);
        NextMove {
            moves: moves.clone(),
            human: human.clone(),
            wanted: human.shaped(sampling),
            proposal,
            masked,
            fails: vec![false; moves.len()],
        }
    }

    /// Tries the likely moves, and returns the game after one of those that finish it according to `is_finished`, drawn
    /// by probability and with the weight of all of them. They are not proposed afterwards.
    pub(super) fn split(
        &mut self,
        particle: &Particle,
        rng: &mut ChaCha8Rng,
        mut is_finished: impl FnMut(&Game) -> bool,
    ) -> Option<Particle> {
        let allowed = |index: &usize| self.proposal.logarithms()[*index] > f32::NEG_INFINITY;
        let is_likely = |index: &usize| self.wanted.probability(*index) >= MIN_PROBABILITY;
        let tried: Vec<usize> = (0..self.moves.len()).filter(allowed).filter(is_likely).collect();
        let mut is_finished_by = |index: &usize| {
            let mut game = particle.game.clone();
            game.play(self.moves[*index]);
            is_finished(&game)
        };
        let finishes: Vec<usize> = tried.iter().copied().filter(|index| is_finished_by(index)).collect();
        for index in tried {
            self.fails[index] = true;
        }
        if finishes.is_empty() {
            return None;
        }
        let mut drawn = self.wanted.clone();
        let others = drawn.mask(|index| finishes.contains(&index));
        let mut finished = particle.clone();
        self.advance(&mut finished, drawn.draw(rng)?);
        finished.weight += f64::from(1.0 - others).portable_ln();
        finished.is_done = true;
        if self.proposal.mask(|index| !finishes.contains(&index)) >= 1.0 {
            self.proposal = Distribution::new(vec![f32::NEG_INFINITY; self.moves.len()]);
        }
        Some(finished)
    }

    /// Plays a proposed move and weighs the game; `None` if none is left. The result is false if the move is known not
    /// to satisfy the constraint.
    pub(super) fn play(&self, particle: &mut Particle, rng: &mut ChaCha8Rng) -> Option<bool> {
        let index = self.proposal.draw(rng)?;
        self.advance(particle, index);
        particle.weight +=
            f64::from(self.wanted.logarithms()[index]) - f64::from(self.proposal.logarithms()[index]);
        Some(!self.fails[index])
    }

    /// Plays a move, and leaves the weight as it is.
    fn advance(&self, particle: &mut Particle, index: usize) {
        particle.report.masked += f64::from(self.masked);
        particle.report.surprise -= f64::from(self.human.logarithms()[index]);
        particle.report.judged += 1;
        particle.game.play(self.moves[index]);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use shakmaty::{Chess, Position as _};

    use super::*;

    /// A game whose first three moves have these probabilities, and all others none.
    fn next_move(probabilities: [f32; 3]) -> (Particle, NextMove) {
        let moves = Chess::default().legal_moves();
        let logarithm = |index| probabilities.get(index).map_or(f32::NEG_INFINITY, |p: &f32| p.portable_ln());
        let human = Distribution::new((0..moves.len()).map(logarithm).collect());
        let sampling = Sampling { temperature: 1.0, top_p: 1.0 };
        let next = NextMove::new(&moves, &human, human.clone(), sampling, &vec![true; moves.len()]);
        (Particle::new(Game::new(Chess::default())), next)
    }

    fn is_any(games: &Game, moves: &[usize]) -> bool {
        let legal = Chess::default().legal_moves();
        moves.iter().any(|index| games.moves() == [legal[*index]])
    }

    #[test]
    fn a_split_keeps_the_expected_weight_of_each_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let probabilities = [0.5, 0.3, 0.2];
        let mut weights = [0.0; 3];
        const TRIALS: usize = 4000;
        for _ in 0..TRIALS {
            let (particle, mut next) = next_move(probabilities);
            let finished = next.split(&particle, &mut rng, |game| is_any(game, &[1, 2])).unwrap();
            let mut active = particle;
            assert_eq!(
                next.play(&mut active, &mut rng),
                Some(false),
                "a move that was tried does not finish"
            );
            assert!(finished.is_done && !active.is_done && is_any(&active.game, &[0]));
            for game in [finished, active] {
                let index = (0..3).find(|index| is_any(&game.game, &[*index])).unwrap();
                weights[index] += game.weight.portable_exp() / TRIALS as f64;
            }
        }
        for (weight, probability) in weights.iter().zip(probabilities) {
            assert!((weight - f64::from(probability)).abs() < 0.02, "{weights:?}");
        }
    }

    #[test]
    fn only_likely_moves_are_tried() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (particle, mut next) = next_move([0.9, 0.097, 0.003]);
        assert!(next.split(&particle, &mut rng, |game| is_any(game, &[2])).is_none());
        let mut active = particle.clone();
        while let Some(may_finish) = next.play(&mut active, &mut rng) {
            assert_eq!(may_finish, is_any(&active.game, &[2]));
            if may_finish {
                break;
            }
            active = particle.clone();
        }
    }

    #[test]
    fn no_move_is_left_if_all_finish_the_game() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut particle, mut next) = next_move([0.5, 0.3, 0.2]);
        let finished = next.split(&particle, &mut rng, |_| true).unwrap();
        assert!(finished.weight.abs() < 1e-6, "it has the weight of all moves");
        assert_eq!(next.play(&mut particle, &mut rng), None);
    }
}
