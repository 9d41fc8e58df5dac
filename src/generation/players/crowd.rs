//! The games of a population at one time.

use rand::Rng;
use shakmaty::Move;

use super::population::Particle;
use crate::{
    encoding::Distribution,
    generation::{GenerationError, player::Task},
};

/// A move is settled that a game of the population has had for so many plies, whatever the others have.
const LAG: usize = 6;

/// Games that are played together.
#[derive(Clone)]
pub(super) struct Crowd {
    pub particles: Vec<Particle>,
    /// Plies from the root to the positions of active games.
    pub played: usize,
}

impl Crowd {
    /// So many copies of a game.
    pub fn new(first: &Particle, size: usize) -> Crowd {
        Crowd { particles: vec![first.clone(); size], played: first.game.moves().len() }
    }

    /// True if no game is active.
    pub fn is_done(&self) -> bool {
        self.particles.iter().all(|particle| particle.is_done)
    }

    /// Keeps only one of the games that meet the constraint, drawn by weight; false if there is none.
    ///
    /// # Errors
    /// [`GenerationError`] if the judge does not answer.
    pub fn keep_one(&mut self, task: &Task<'_>, rng: &mut impl Rng) -> Result<bool, GenerationError> {
        self.particles.retain(|particle| particle.is_done);
        while !self.particles.is_empty() {
            let weights = self.particles.iter().map(|particle| particle.weight as f32).collect();
            let Some(index) = Distribution::new(weights).draw(rng) else { break };
            let drawn = self.particles.swap_remove(index);
            if task.is_done(drawn.game.situation())? {
                self.particles = vec![drawn];
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The move after so many plies, if all games have the same or it is time to settle it: then only games go on that
    /// have it, or only those that ended there, if one of them is drawn.
    pub fn settled(&mut self, plies: usize, rng: &mut impl Rng) -> Option<Move> {
        let of = |particle: &Particle| particle.game.moves().get(plies).copied();
        let mut m = of(self.particles.first()?);
        if self.particles.iter().any(|particle| of(particle) != m) {
            if self.played < plies + LAG {
                return None;
            }
            let weights = self.particles.iter().map(|particle| particle.whole() as f32).collect();
            m = of(&self.particles[Distribution::new(weights).draw(rng)?]);
            self.particles.retain(|particle| of(particle) == m);
        }
        m
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::search::Game;

    /// A game of these moves with ln of its weight.
    fn particle(moves: &[&str], weight: f64) -> Particle {
        let mut game = Game::new(Chess::default());
        for name in moves {
            let legal = game.position().legal_moves();
            game.play(*legal.iter().find(|m| m.to_string() == *name).expect("a legal move"));
        }
        Particle { weight, ..Particle::new(game) }
    }

    fn crowd(particles: Vec<Particle>, played: usize) -> Crowd {
        Crowd { particles, played }
    }

    #[test]
    fn a_move_that_all_have_is_settled_and_another_only_after_a_while() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let games = || vec![particle(&["e2-e4", "e7-e5"], -20.0), particle(&["e2-e4", "c7-c5"], 0.0)];
        let mut young = crowd(games(), LAG);
        assert_eq!(young.settled(0, &mut rng).map(|m| m.to_string()).as_deref(), Some("e2-e4"));
        assert_eq!(young.settled(1, &mut rng), None);
        assert_eq!(young.particles.len(), 2);
        let mut old = crowd(games(), LAG + 1);
        assert_eq!(old.settled(1, &mut rng).map(|m| m.to_string()).as_deref(), Some("c7-c5"));
        assert_eq!(old.particles.len(), 1, "the others end");
        assert_eq!(old.settled(2, &mut rng), None, "nobody has played it");
        assert_eq!(crowd(Vec::new(), 9).settled(0, &mut rng), None);
    }

    #[test]
    fn one_of_a_game_that_ended_and_one_that_goes_on_is_drawn_by_weight() {
        let longer = || particle(&["e2-e4", "e7-e5", "Ng1-f3"], 0.0);
        let mut ended = 0;
        for seed in 0..1000 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut both = crowd(vec![longer(), particle(&["e2-e4", "e7-e5"], 3f64.ln())], 2 + LAG);
            if both.settled(2, &mut rng).is_none() {
                assert_eq!(both.particles[0].game.moves().len(), 2);
                ended += 1;
            }
            assert_eq!(both.particles.len(), 1);
        }
        assert!((700..800).contains(&ended), "{ended} of 1000 instead of three quarters");
    }
}
