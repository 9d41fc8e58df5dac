//! Negamax plays one game after another until one satisfies the goal.

use rand::rngs::ChaCha8Rng;
use shakmaty::Move;

use super::{Distance, Settings, generator::Attempts};
use crate::{
    constraint::Goal,
    evaluator::NetworkError,
    search::{Game, Limits, Negamax, NegamaxSettings},
};

/// Cooperative negamax, move by move.
pub(super) struct ByNegamax {
    pub goal: Goal,
    pub search: NegamaxSettings,
    pub negamax: Negamax,
}

impl ByNegamax {
    /// Games until one succeeds or the budget is spent.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot value a position that the search met.
    pub fn play(
        &mut self,
        settings: &Settings,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<Attempts, NetworkError> {
        self.negamax.forget();
        let mut closest: Option<Attempt> = None;
        let mut first_distance = 0;
        let mut begun = 0;
        while begun < settings.budget.attempts.max(1) {
            let attempt = self.attempt(settings, rng, limits, may_begin)?;
            begun += 1;
            if begun == 1 {
                first_distance = attempt.final_distance;
            }
            // Where nothing can be played at all, chance makes no difference.
            let stuck = attempt.game.moves().is_empty();
            if closest.as_ref().is_none_or(|closest| attempt.distance < closest.distance) {
                closest = Some(attempt);
            }
            let satisfied = closest.as_ref().is_some_and(|closest| closest.distance == 0);
            if satisfied || stuck || self.negamax.was_cut() || limits.forbid(self.negamax.nodes, 1) {
                break;
            }
        }

        let Attempt { game, plies, distance, value, .. } = closest.expect("at least one attempt is made");
        let begun_with = game.moves().first().copied();
        let (mut line, _) = game.into_parts();
        line.truncate(plies);
        Ok(Attempts { begun, first_distance, line, distance: Distance::Men(distance), value, begun_with })
    }

    fn attempt(
        &mut self,
        settings: &Settings,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<Attempt, NetworkError> {
        let (goal, root) = (&self.goal, &settings.root);
        let mut attempt = Attempt {
            game: Game::new(root.clone()),
            final_distance: goal.distance(root),
            distance: goal.distance(root),
            plies: 0,
            value: 0.0,
        };
        let mut over = attempt.game.is_over();
        while !over
            && attempt.distance > 0
            && attempt.game.moves().len() < settings.max_plies as usize
            && !limits.forbid(self.negamax.nodes, 1)
        {
            let game = &attempt.game;
            let fails = |m| game.ends_with(m) && !goal.is_satisfied_after(game.position(), m);
            // As published, a move that ends the game ends it; otherwise another one is drawn.
            let begins = game.moves().is_empty();
            let playable = |m| (self.search.faithful || !fails(m)) && (!begins || may_begin(m));
            let Some(choice) = self.negamax.choose(game.position(), playable, rng, limits)? else { break };
            over = self.search.faithful && fails(choice.m);
            attempt.game.play(choice.m);
            attempt.final_distance = goal.distance(attempt.game.position());
            if attempt.final_distance < attempt.distance {
                attempt.distance = attempt.final_distance;
                attempt.plies = attempt.game.moves().len();
                attempt.value = choice.value;
            }
        }
        Ok(attempt)
    }
}

/// One game, ended for whatever reason.
struct Attempt {
    game: Game,
    /// Men too many or too few where it ended.
    final_distance: u32,
    /// Men too many or too few in its closest position, the first of several.
    distance: u32,
    /// Where that stands.
    plies: usize,
    /// The satisfaction value of the choice that led there.
    value: f32,
}
