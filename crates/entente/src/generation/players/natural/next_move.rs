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
    /// The moves that were tried. Those that finish the game are not in the proposal any more.
    tried: Vec<bool>,
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
        let masked = restrict(&mut proposal, |index| allowed[index]);
        NextMove {
            moves: moves.clone(),
            human: human.clone(),
            wanted: human.shaped(sampling),
            proposal,
            masked,
            tried: vec![false; moves.len()],
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
            self.tried[index] = true;
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
        restrict(&mut self.proposal, |index| !finishes.contains(&index));
        Some(finished)
    }

    /// Plays a proposed move and weighs the game; `None` if none is left. The result is false if the move was tried and
    /// does not finish the game.
    pub(super) fn play(&self, particle: &mut Particle, rng: &mut ChaCha8Rng) -> Option<bool> {
        let index = self.proposal.draw(rng)?;
        self.advance(particle, index);
        particle.weight +=
            f64::from(self.wanted.logarithms()[index]) - f64::from(self.proposal.logarithms()[index]);
        Some(!self.tried[index])
    }

    /// Plays a move, and leaves the weight as it is.
    fn advance(&self, particle: &mut Particle, index: usize) {
        particle.report.masked += f64::from(self.masked);
        particle.report.surprise -= f64::from(self.human.logarithms()[index]);
        particle.report.judged += 1;
        particle.game.play(self.moves[index]);
    }
}

/// Masks the moves that are not `kept`, also if the others have no probability, and returns the probability that was
/// removed.
fn restrict(distribution: &mut Distribution, kept: impl Fn(usize) -> bool) -> f32 {
    let count = distribution.logarithms().len();
    if (0..count).any(|index| kept(index) && distribution.probability(index) > 0.0) {
        return distribution.mask(kept);
    }
    *distribution = Distribution::new(vec![f32::NEG_INFINITY; count]);
    1.0
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use shakmaty::{Chess, Position as _};

    use super::*;

    /// A game in which humans play the first moves with these probabilities, and all others never. Moves are drawn with
    /// the probabilities of `proposal`; those that are not `allowed` never. The temperature is 1/2.
    fn next_move<const N: usize>(
        human: [f32; N],
        proposal: [f32; N],
        allowed: [bool; N],
    ) -> (Particle, NextMove) {
        let moves = Chess::default().legal_moves();
        let distribution = |probabilities: [f32; N]| {
            let logarithm =
                |index| probabilities.get(index).map_or(f32::NEG_INFINITY, |p: &f32| p.portable_ln());
            Distribution::new((0..moves.len()).map(logarithm).collect())
        };
        let sampling = Sampling { temperature: 0.5, top_p: 1.0 };
        let allowed: Vec<bool> =
            (0..moves.len()).map(|index| allowed.get(index).is_none_or(|is| *is)).collect();
        let next = NextMove::new(&moves, &distribution(human), distribution(proposal), sampling, &allowed);
        (Particle::new(Game::new(Chess::default())), next)
    }

    /// True if the game has one of these moves, by their numbers.
    fn has(game: &Game, moves: &[usize]) -> bool {
        let legal = Chess::default().legal_moves();
        moves.iter().any(|index| game.moves() == [legal[*index]])
    }

    #[test]
    fn a_split_keeps_the_expected_weight_of_each_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut weights = [0.0; 5];
        const TRIALS: usize = 8000;
        for _ in 0..TRIALS {
            let allowed = [true, true, true, false, true];
            let (particle, mut next) =
                next_move([0.4, 0.2, 0.2, 0.1, 0.1], [0.1, 0.2, 0.2, 0.1, 0.4], allowed);
            let finished = next.split(&particle, &mut rng, |game| has(game, &[1, 2, 3])).unwrap();
            let mut active = particle;
            assert_eq!(next.play(&mut active, &mut rng), Some(false), "it was tried");
            assert!(finished.is_done && !active.is_done && has(&active.game, &[0, 4]));
            for game in [finished, active] {
                let index = (0..5).find(|index| has(&game.game, &[*index])).unwrap();
                weights[index] += game.weight.portable_exp() / TRIALS as f64;
            }
        }
        // The squares of humans' probabilities, as shares of their sum.
        let expected = [16.0, 4.0, 4.0, 0.0, 1.0].map(|square| square / 26.0);
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((weight - expected).abs() < 0.02, "{weights:?}");
        }
    }

    #[test]
    fn only_likely_moves_are_tried() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut is_last_drawn = [false; 2];
        for _ in 0..100 {
            // At the temperature, the last move has a probability of less than 1%.
            let (mut particle, mut next) = next_move([0.5, 0.46, 0.04], [1.0 / 3.0; 3], [true; 3]);
            assert!(next.split(&particle, &mut rng, |game| has(game, &[2])).is_none());
            let may_finish = next.play(&mut particle, &mut rng).unwrap();
            assert_eq!(may_finish, has(&particle.game, &[2]));
            is_last_drawn[usize::from(may_finish)] = true;
        }
        assert_eq!(is_last_drawn, [true, true]);
    }

    #[test]
    fn no_move_is_left_if_all_finish_the_game_or_none_is_allowed() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut particle, mut next) = next_move([0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [true; 3]);
        let finished = next.split(&particle, &mut rng, |_| true).unwrap();
        assert!(finished.weight.abs() < 1e-6, "it has the weight of all moves");
        assert_eq!(next.play(&mut particle, &mut rng), None);
        let (mut particle, mut next) = next_move([0.5, 0.5], [1.0, 0.0], [false, true]);
        assert!(next.split(&particle, &mut rng, |_| true).is_none());
        assert_eq!(next.play(&mut particle, &mut rng), None);
    }
}
