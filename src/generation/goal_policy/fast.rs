//! One game at a time: moves drawn from the goal policy, kept within reach, and brought home by search at last.

use rand::rngs::ChaCha8Rng;
use shakmaty::Move;

use super::{
    ByPolicy, PlayedGame, Temperatures,
    look::{Look, Outlook, Ratings},
    report::Report,
    situation,
};
use crate::{
    encoding::{Distribution, Sampling},
    evaluator::NetworkError,
    generation::Settings,
    search::{Effort, Game, Limits},
};

/// What a goal adds to a logit counts up to this much.
const MOST_GUIDANCE: f32 = 4.0;
/// A chance below this counts as this much.
const LEAST_CHANCE: f32 = 1e-3;
/// The plies have run out, and search takes over, when those left are so many, and those that the distance may need.
const FINISH: u32 = 16;
/// The tilt begins when the plies left are so many times those at which search takes over.
const TILT: f32 = 2.0;

impl ByPolicy {
    /// Plays one game.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn play_fast(
        &mut self,
        settings: &Settings,
        ratings: Ratings,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<PlayedGame, NetworkError> {
        let mut game = Game::new(settings.root.clone());
        let mut report = Report::default();
        loop {
            let here = situation(settings, &game);
            let distance = self.reach.distance(here);
            let left = self.reach.plies_left(settings, game.moves().len() as u32);
            // Without a mask a game may leave the constraint's reach.
            let over = distance == 0 || distance == u32::MAX || left == 0 || game.is_over();
            if over || limits.forbid(self.spent(), 1) {
                return Ok(PlayedGame { game, distance, report });
            }
            let finish = FINISH.saturating_add(self.reach.measured(distance).plies());
            if self.settings.finish && left <= finish {
                let effort = Effort { opening: 0, ..Effort::of_attempt(0) };
                let begins = game.moves().is_empty();
                let may_be_first = |m: Move| !begins || may_begin(m);
                let limits = self.search_limits(limits);
                let line = self.search.search(here, effort, left, may_be_first, rng, limits);
                report.finished += line.moves.len() as u32;
                line.moves.iter().for_each(|m| game.play(*m));
                let distance = self.reach.distance(situation(settings, &game));
                return Ok(PlayedGame { game, distance, report });
            }
            let wants_human = self.settings.guidance != 0.0;
            let look = self.eyes.look(&game, settings.ply, ratings, left, wants_human)?;
            let mut chances = guided(&look, self.settings.guidance);
            let allowed =
                self.reach.allowed(settings, &game, (&look.moves, &look.men), self.settings.mask, may_begin);
            report.masked += f64::from(chances.mask(|index| allowed[index]));
            let near = TILT * finish as f32;
            if let Some(Outlook { action_values, .. }) = &look.outlook
                && self.settings.tilt > 0.0
                && (left as f32) < near
            {
                let progress = (near - left as f32) / (near - finish as f32);
                let weight = self.settings.tilt * progress.min(1.0);
                chances.add(|index| weight * action_values[index].max(LEAST_CHANCE).ln());
                report.tilted += 1;
            }
            let temperature = self.settings.temperatures(Temperatures::FAST).at(here.ply);
            let sampling = Sampling { temperature, top_p: 1.0 };
            let Some(index) = chances.shaped(sampling).draw(rng).filter(|index| allowed[*index]) else {
                return Ok(PlayedGame { game, distance, report });
            };
            if let Some(human) = &look.human {
                report.surprise -= f64::from(human.logarithms()[index]);
                report.judged += 1;
            }
            game.play(look.moves[index]);
        }
    }
}

/// The goal policy, pushed further away from what people do without a goal; with a guidance of −1 it is that.
fn guided(look: &Look, guidance: f32) -> Distribution {
    let mut chances = look.goal.clone();
    if let Some(human) = &look.human {
        // What is taken away again is what was added, all of it.
        let most = if guidance > 0.0 { MOST_GUIDANCE } else { f32::INFINITY };
        chances.add(|index| {
            let (with, without) = (look.goal.logarithms()[index], human.logarithms()[index]);
            let difference = (with - without).clamp(-most, most);
            if difference.is_nan() { 0.0 } else { guidance * difference }
        });
    }
    chances
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, MoveList};

    use super::*;
    use crate::constraint::Men;

    fn look(goal: &[f32], human: &[f32]) -> Look {
        Look {
            moves: MoveList::new(),
            men: Men::on(&Board::new()),
            goal: Distribution::new(goal.to_vec()),
            human: Some(Distribution::new(human.to_vec())),
            outlook: None,
        }
    }

    #[test]
    fn guidance_adds_what_the_goal_adds_so_many_times_more() {
        let look = look(&[1.0, 0.0, -9.0], &[0.0, 0.5, 3.0]);
        let near = |found: &Distribution, expected: &Distribution| {
            let pairs = found.logarithms().iter().zip(expected.logarithms());
            pairs.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-4)
        };
        assert!(near(&guided(&look, 0.0), &look.goal));
        assert!(near(&guided(&look, -1.0), look.human.as_ref().unwrap()));
        // The difference of the last move's logit is cut off.
        let (goal, human) = (look.goal.logarithms(), look.human.as_ref().unwrap().logarithms());
        let expected = [2.0 * goal[0] - human[0], 2.0 * goal[1] - human[1], goal[2] - MOST_GUIDANCE];
        assert!(near(&guided(&look, 1.0), &Distribution::new(expected.to_vec())));
    }
}
