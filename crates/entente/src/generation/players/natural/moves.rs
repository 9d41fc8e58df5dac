//! How the games of a population go on by a move.

use entente_network::encoding::Sampling;
use entente_search::{Game, PortableMath as _, is_settled};
use rand::rngs::ChaCha8Rng;
use shakmaty::Position as _;

use super::{Draft, NaturalPlayer, next_move::NextMove};
use crate::generation::{player::Task, players::population::Particle, policy::GoalPrediction};

impl NaturalPlayer {
    /// Plays a move in each active game, and drops the games that cannot continue.
    pub(super) fn play(
        &mut self,
        population: Vec<Particle>,
        draft: &mut Draft,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Particle> {
        let mut played = Vec::with_capacity(population.len());
        for particle in population {
            if particle.is_done {
                played.push(particle);
                continue;
            }
            let (finished, active) = self.advance(particle, task, rng);
            // A finished game is delivered or dropped. It is never returned as the nearest.
            if let Some(active) = active.as_ref().filter(|active| !active.is_done) {
                let distance = self.reach.distance(active.game.situation());
                if distance < draft.nearest.0 {
                    draft.nearest = (distance, active.game.clone());
                }
            }
            played.extend(finished.into_iter().chain(active));
        }
        played
    }

    /// The moves of an active game, as the goal policy proposes them; `None` if there is none.
    fn next_move(&self, particle: &Particle, task: &Task<'_>) -> Option<NextMove> {
        let GoalPrediction { moves, goal, human, men, .. } = particle.prediction.as_ref()?;
        let (human, game) = (human.as_ref()?, &particle.game);
        let allowed = self.reach.allowed(game, (moves, men), 1, task.may_begin);
        if !allowed.contains(&true) {
            return None;
        }
        let turn = game.position().turn();
        let temperatures = self.view.temperatures(task.ratings, turn).overridden(self.temperatures);
        let sampling = Sampling { temperature: temperatures.at(game.age()), top_p: 1.0 };
        let is_in_the_opening = self.reach.is_in_the_opening(game.situation());
        // In a required opening, humans' own moves are drawn as they are when the opening is reached.
        let mut proposal = if is_in_the_opening { human } else { goal }.shaped(sampling);
        if is_in_the_opening {
            let values = self.opening.after(game, moves, &self.reach);
            proposal.add(|index| values[index]);
        } else {
            let of_themes = task.judge.and_then(|judge| judge.borrow().gains(game.position(), moves));
            for gains in [self.reach.gains(game, moves), of_themes].into_iter().flatten() {
                proposal.add(|index| gains[index]);
            }
        }
        Some(NextMove::new(moves, human, proposal, sampling, &allowed))
    }

    /// Plays a move of an active game. Returns the game after a move that satisfies the constraint, if there is one and
    /// such moves are looked for. The game is done if it satisfies the constraint; it is `None` if it cannot continue.
    fn advance(
        &mut self,
        mut particle: Particle,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> (Option<Particle>, Option<Particle>) {
        let Some(mut next) = self.next_move(&particle, task) else { return (None, None) };
        let is_settled = |game: &Game| !self.settles || is_settled(game.position());
        let mut split = None;
        if self.looks_ahead {
            let tried = &mut self.tried;
            split = next
                .split(&particle, rng, |game| tried.satisfies(game, |game| task.seems_done(game.situation())))
                .filter(|split| is_settled(&split.game));
            // The rest of the constraint can hold after this move.
            if self.reach.distance_and_work(particle.game.situation()).1 <= 1 {
                let share = |split: &Particle| (split.weight - particle.weight).portable_exp();
                self.hits.count(split.as_ref().map_or(0.0, share));
            }
        }
        let Some(may_end) = next.play(&mut particle, rng) else { return (split, None) };
        if may_end && task.seems_done(particle.game.situation()) {
            particle.is_done = true;
        }
        let continues = particle.weight.is_finite() && (!particle.is_done || is_settled(&particle.game));
        (split, continues.then_some(particle))
    }
}
