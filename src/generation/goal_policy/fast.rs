//! One game at a time: moves drawn from the goal policy, kept within reach, and brought home by search at last.

use rand::rngs::ChaCha8Rng;
use shakmaty::Move;

use super::{ByPolicy, look::Look, look::Players, report::Report};
use crate::{
    constraint::Situation,
    encoding::{Distribution, Sampling},
    evaluator::NetworkError,
    generation::Settings,
    search::{Effort, Game, Limits},
};

/// What a goal adds to a logit counts up to this much.
const MOST_GUIDANCE: f32 = 4.0;
/// A chance below this counts as this much.
const LEAST_CHANCE: f32 = 1e-3;
/// Search takes over when the plies left are these many and as many more for each man too many or too few.
const FINISH: (u32, u32) = (16, 4);
/// The tilt begins when the plies left are so many times those at which search takes over.
const TILT: f32 = 2.0;
/// The weight of an action value's logarithm when search is about to take over.
const MOST_TILT: f32 = 2.0;

/// A game, ended for whatever reason.
pub(super) struct FastGame {
    pub game: Game,
    /// How far its last position is from the constraint.
    pub distance: u32,
    pub report: Report,
}

impl ByPolicy {
    /// Plays one game.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn play_fast(
        &mut self,
        settings: &Settings,
        players: Players,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<FastGame, NetworkError> {
        let mut game = Game::new(settings.root.clone());
        let mut report = Report::default();
        loop {
            let ply = settings.ply + game.moves().len() as u32;
            let situation = Situation { position: game.position(), ply };
            let distance = self.reach.distance(situation);
            let left = self.plies_left(settings, game.moves().len() as u32);
            let over = distance == 0 || left == 0 || game.is_over() || limits.forbid(self.spent(), 1);
            if over {
                return Ok(FastGame { game, distance, report });
            }
            let finish = FINISH.0 + FINISH.1.saturating_mul(distance);
            if self.settings.tilt && left <= finish {
                let effort = Effort { opening: 0, ..Effort::of_attempt(0) };
                let line = self.search.search(situation, effort, left, |_| true, rng, limits);
                report.finished += line.moves.len() as u32;
                line.moves.iter().for_each(|m| game.play(*m));
                let distance = self
                    .reach
                    .distance(Situation { position: game.position(), ply: ply + line.moves.len() as u32 });
                return Ok(FastGame { game, distance, report });
            }
            let wants_human = self.settings.guidance != 0.0;
            let look = self.eyes.look(&game, settings.ply, players, left, wants_human)?;
            let mut chances = self.guided(&look);
            let begins = game.moves().is_empty();
            let allowed: Vec<bool> = look
                .moves
                .iter()
                .map(|m| {
                    (!begins || may_begin(*m))
                        && self.reach.keeps(situation, &look.men, *m, self.settings.mask)
                        && !self.ends_short(&game, *m, ply)
                })
                .collect();
            report.masked += f64::from(chances.mask(|index| allowed[index]));
            let near = TILT * finish as f32;
            if self.settings.tilt && (left as f32) < near {
                let weight = MOST_TILT * (near - left as f32) / (near - finish as f32);
                chances.add(|index| weight * look.action_values[index].max(LEAST_CHANCE).ln());
                report.tilted += 1;
            }
            let sampling = Sampling { temperature: self.settings.temperature, top_p: 1.0 };
            let Some(index) = chances.shaped(sampling).draw(rng) else {
                return Ok(FastGame { game, distance, report });
            };
            if let Some(human) = &look.human {
                report.surprise -= f64::from(human.logarithms()[index]);
                report.judged += 1;
            }
            game.play(look.moves[index]);
        }
    }

    /// The goal policy, pushed further away from what people do without a goal.
    fn guided(&self, look: &Look) -> Distribution {
        let mut chances = look.goal.clone();
        if let Some(human) = &look.human {
            chances.add(|index| {
                let (with, without) = (look.goal.logarithms()[index], human.logarithms()[index]);
                let difference = (with - without).clamp(-MOST_GUIDANCE, MOST_GUIDANCE);
                if difference.is_nan() { 0.0 } else { self.settings.guidance * difference }
            });
        }
        chances
    }

    /// True if the game ends with `m` where the constraint does not hold.
    pub(super) fn ends_short(&self, game: &Game, m: Move, ply: u32) -> bool {
        if !game.ends_with(m) {
            return false;
        }
        let mut child = game.position().clone();
        shakmaty::Position::play_unchecked(&mut child, m);
        !self.reach.is_satisfied(Situation { position: &child, ply: ply + 1 })
    }
}
