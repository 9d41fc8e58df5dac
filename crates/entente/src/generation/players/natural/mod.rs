//! Sequential Monte Carlo: a population of games, from which one is drawn as humans might have played it.
//!
//! The goal policy proposes moves within reach of the constraint. It and the human policy have a temperature a little
//! below 1. The weight of a game is the probability that humans play its moves, divided by the probability that they
//! were proposed, times the probability that the goal is then reached in time (a twisted target, as in Whiteley and Lee
//! 2014, "Twisted particle filters"). When a few games have most of the weight, the population is resampled. Games that
//! satisfy the constraint wait; finally one is drawn by weight. As the number of games grows, the distribution of this
//! game approaches that of human games that satisfy the constraint. With few games, it is nearer to that if populations
//! that represent few human games are [given up](super::rejection).
//!
//! If the file of the network asks for it, the weights also include what a [review](super::review) finds that the moves
//! lose. Of the human games that satisfy the constraint, those that lose less become more likely.
//!
//! Conditions that hold just after a mistake, such as `theme=fork`, are looked for in all likely moves
//! ([`next_move`](self::next_move)). Moves that bring the men nearer to sets of men that are demanded, or to where a theme
//! occurs, are proposed more often.
//!
//! If a constraint is an endgame, such as `material=KRPvKR`, the last position must be quiet: games that end in the
//! middle of an exchange, where the next capture wins something, do not count.

mod hit_rate;
mod moves;
mod next_move;
#[cfg(test)]
mod tests;
mod tried;

use entente_network::{NetworkError, encoding::Distribution};
use entente_search::Game;
use rand::rngs::ChaCha8Rng;
use shakmaty::ByColor;

use self::{hit_rate::HitRate, tried::Tried};
use super::{
    evaluation_limits::EvaluationLimits,
    opening_values::OpeningValues,
    population::{Particle, resampled},
    rejection::Rejection,
    review::Review,
};

use crate::{
    generation::{
        GenerationError, GoalPolicyPlan, Job, TemperatureOverrides,
        player::{Attempt, Player, Spent, Task},
        policy::{PolicyReport, PolicyView, Reach},
    },
    settings::Realism,
};

/// The minimum probability, according to the network, that humans reach the goal, for populations to be worth their
/// cost.
const MIN_CHANCE: f64 = 1e-4;
/// If the network cannot be shown the constraint, populations are tried if it needs at most this number of plies, which
/// games may reach without a goal.
const LITTLE_WORK: u32 = 4;
/// The same if games are led to conditions on sets of men.
const LED_WORK: u32 = 24;
/// If a population has died out, the next one is twice as large, at most this number of times.
const MAX_DOUBLINGS: u32 = 3;
/// Draws games from populations.
pub(in crate::generation) struct NaturalPlayer {
    view: PolicyView,
    reach: Reach,
    /// Whether the last position must be quiet.
    settles: bool,
    review: Review,
    /// How likely humans reach the required opening, if there is one.
    opening: OpeningValues,
    /// The number of games in a population.
    population: usize,
    /// Whether populations are requested, no matter how rarely humans reach the goal.
    is_asked_for: bool,
    /// Temperatures that replace those of the network.
    temperatures: TemperatureOverrides,
    /// Whether all likely moves are tried, since the constraint mostly holds after a mistake.
    looks_ahead: bool,
    /// The games after moves that were tried.
    tried: Tried,
    /// How often they satisfy the constraint.
    hits: HitRate,
    /// The same when the population began, so that the values of its games can be compared.
    expected: HitRate,
}

/// The state of an attempt.
struct Draft {
    /// The number of games in a population.
    size: usize,
    budget: EvaluationLimits,
    /// The game that came nearest to the constraint, and its distance.
    nearest: (u32, Game),
}

/// The result of a population.
enum Growth {
    /// It is complete. The games that are left, if any, satisfy the constraint.
    Done(Vec<Particle>),
    /// It was given up, because it represents too few human games.
    GivenUp,
    /// A limit ended it.
    Ended,
}

impl Player for NaturalPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        if !self.is_worth_it(task)? {
            return Ok(None);
        }
        let size = self.population << task.number.min(MAX_DOUBLINGS);
        let first = Particle::new(job.game());
        self.opening = OpeningValues::new(&first.game, &self.reach, &mut self.view, task)?;
        let nearest = (self.reach.distance(first.game.situation()), first.game.clone());
        let plies = self.reach.plies_left(job, 0);
        self.review.begin(ByColor::new_with(|side| f64::from(self.view.review(task.ratings, side))));
        let budget = EvaluationLimits::new(
            (size, plies),
            self.view.evaluations_per_pair(),
            self.review.is_open(),
            (self.view.evaluations(), task.limits.nodes),
        );
        let mut draft = Draft { size, budget, nearest };
        if let Some(drawn) = self.draw(&first, &mut draft, task, rng)? {
            return Ok(Some(Attempt::whole(job, drawn.game, 0, drawn.report)));
        }
        // No game was drawn, so the nearest one is returned.
        let (distance, game) = draft.nearest;
        Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())))
    }

    fn spent(&self) -> Spent {
        let evaluations = self.view.evaluations();
        Spent { nodes: evaluations, evaluations }
    }

    fn forget(&mut self) {
        self.hits = HitRate::default();
        self.tried.forget();
    }
}

impl NaturalPlayer {
    /// A player with its own session of the network.
    ///
    /// # Errors
    /// [`GenerationError`] if no game reaches the target, or it is too complex.
    pub(super) fn new(job: &Job, plan: &GoalPolicyPlan) -> Result<NaturalPlayer, GenerationError> {
        Ok(NaturalPlayer {
            view: PolicyView::of_humans(job, &plan.policy, plan.skill),
            reach: Reach::of(job)?,
            settles: job.target.is_endgame(job.game().situation()),
            review: Review::default(),
            opening: OpeningValues::default(),
            population: plan.population as usize,
            is_asked_for: plan.realism == Realism::Natural,
            temperatures: plan.policy.temperatures,
            looks_ahead: job.target.constraint.needs_a_mistake(),
            tried: Tried::new(&job.target.constraint),
            hits: HitRate::default(),
            expected: HitRate::default(),
        })
    }

    /// Plays populations of games from `first` on until one is kept, and draws from it by weight a game that satisfies
    /// the constraint; `None` if there is none. If the judge refuses all games of a population, another one is played,
    /// as for one that dies out.
    fn draw(
        &mut self,
        first: &Particle,
        draft: &mut Draft,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Particle>, GenerationError> {
        loop {
            match self.grow(first, draft, task, rng)? {
                Growth::Done(population) => {
                    let is_refused = !population.is_empty();
                    let drawn = drawn_by_weight(population, task, rng)?;
                    if drawn.is_some() || !is_refused || self.view.evaluations() >= draft.budget.last_revival
                    {
                        return Ok(drawn);
                    }
                }
                Growth::GivenUp => {}
                Growth::Ended => return Ok(None),
            }
        }
    }

    /// Plays a population of games from `first` on.
    fn grow(
        &mut self,
        first: &Particle,
        draft: &mut Draft,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Growth, GenerationError> {
        let size = draft.size;
        let mut population = vec![first.clone(); size];
        let most = self.reach.plies_left(task.job, 0) as usize;
        self.review.begin_population();
        self.expected = self.hits;
        let mut rejection = None;
        for played in 0.. {
            let is_over = played == most || population.iter().all(|particle| particle.is_done);
            if is_over {
                population.retain(|particle| particle.is_done);
            } else if self.view.evaluations() >= draft.budget.last
                || !self.predict_all(&mut population, task, played)?
            {
                break;
            }
            // Games in a required opening have the moves that lead to it, however few humans play them.
            let in_the_opening = |particle: &Particle| {
                !particle.is_done && self.reach.is_in_the_opening(particle.game.situation())
            };
            if rejection.is_none() && !population.iter().any(in_the_opening) {
                rejection = Some(Rejection::begin(&population));
            }
            let evaluations = self.view.evaluations();
            let mut is_rejected = |population: &mut [Particle]| {
                evaluations < draft.budget.last_rejection
                    && rejection.as_ref().is_some_and(|rejection| !rejection.keeps(population, rng))
            };
            let mut is_given_up = is_rejected(&mut population);
            // A population that is given up anyway needs no searches.
            if !is_given_up && self.review.is_open() {
                self.review.weigh(&mut population, task.limits);
                is_given_up = is_rejected(&mut population);
            }
            if is_given_up || population.is_empty() && evaluations < draft.budget.last_revival {
                return Ok(Growth::GivenUp);
            }
            if is_over {
                return Ok(Growth::Done(population));
            }
            population = resampled(population, size, rng);
            population = self.play(population, draft, task, rng);
        }
        Ok(Growth::Ended)
    }

    /// True if populations are requested, or the network expects that humans reach the goal often enough. False if a
    /// limit ends this.
    fn is_worth_it(&mut self, task: &Task<'_>) -> Result<bool, NetworkError> {
        if self.is_asked_for {
            return Ok(true);
        }
        let game = task.job.game();
        let plies = self.reach.plies_left(task.job, 0);
        let prediction = self.view.predict_until(&game, task.ratings, plies, false, task.limits)?;
        Ok(prediction.is_some_and(|prediction| match prediction.goal_values {
            Some(goal_values) => goal_values.chance() >= MIN_CHANCE,
            None => {
                let most = if self.reach.leads() { LED_WORK } else { LITTLE_WORK };
                self.reach.distance_and_work(game.situation()).1 <= most
            }
        }))
    }

    /// Predicts the moves of every active game, in one batch, in which equal games occur once. Returns false if a limit
    /// forbids it.
    fn predict_all(
        &mut self,
        population: &mut [Particle],
        task: &Task<'_>,
        played: usize,
    ) -> Result<bool, NetworkError> {
        let each = self.view.evaluations_per_pair();
        let mut different: Vec<&Game> = Vec::new();
        // For each active game, its index among the different games.
        let mut places = vec![None; population.len()];
        let mut is_forbidden = false;
        for (place, particle) in places.iter_mut().zip(population.iter()) {
            if particle.is_done {
                continue;
            }
            let same = |game: &&Game| game.moves() == particle.game.moves();
            let known = different.iter().position(same);
            let asked = self.view.evaluations() + each * different.len() as u64;
            if known.is_none() && task.limits.forbid(asked, each) {
                is_forbidden = true;
                break;
            }
            *place = known.or_else(|| {
                different.push(&particle.game);
                Some(different.len() - 1)
            });
        }
        let left = self.reach.plies_left(task.job, played as u32);
        // The nodes are counted above.
        let predictions = self.view.predict_all(&different, task.ratings, left, true, task.limits)?;
        let Some(predictions) = predictions.filter(|_| !is_forbidden) else { return Ok(false) };
        for (particle, place) in population.iter_mut().zip(places) {
            if let Some(place) = place {
                particle.prediction = Some(predictions[place].clone());
                particle.promise = self.promise(&particle.game, task, left);
            }
        }
        Ok(true)
    }

    /// ln of the probability that the conditions that the network is not shown will hold: judged ones, and those on
    /// sets of men.
    fn promise(&self, game: &Game, task: &Task<'_>, left: u32) -> f64 {
        let led = if self.reach.is_in_the_opening(game.situation()) {
            self.opening.of(game, &self.reach)
        } else {
            self.reach.promise(game.situation())
        };
        let Some(judge) = task.judge else { return led };
        let (_, work) = self.reach.distance_and_work(game.situation());
        // The rest of the constraint cannot hold before.
        let left = left.saturating_sub(work);
        let hit = if self.looks_ahead { self.expected.promise(left) } else { 0.0 };
        led + hit + judge.borrow_mut().promise(game.position(), work)
    }
}

/// One of the games that satisfy the whole constraint, drawn by weight; `None` if there is none.
///
/// # Errors
/// [`GenerationError`] if the judge does not answer.
fn drawn_by_weight(
    mut population: Vec<Particle>,
    task: &Task<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Particle>, GenerationError> {
    while !population.is_empty() {
        let weights = population.iter().map(|particle| particle.weight as f32).collect();
        let Some(index) = Distribution::new(weights).draw(rng) else { break };
        let drawn = population.swap_remove(index);
        if task.is_done(drawn.game.situation())? {
            return Ok(Some(drawn));
        }
    }
    Ok(None)
}
