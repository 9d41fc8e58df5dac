//! Sequential Monte Carlo: a population of games, of which one is drawn as people would have played it.
//!
//! Moves are proposed by the goal policy within reach of the constraint. Both it and the human policy are cooled a
//! little. A game's weight is the chance that people would have played its moves over the chance that they were
//! proposed, times the chance that the goal is then reached in time (a twisted target, as in Whiteley and Lee 2014,
//! "Twisted particle filters"). When a few games have most of the weight the population is drawn anew from itself. Games
//! that meet the constraint wait; at last one is drawn by weight. With ever more games its distribution comes to be that
//! of human games, given that they meet the constraint.
//!
//! Where the network's file asks for it moves are [reviewed](super::review) once all games have them; where one does not
//! stand the population begins anew with another.
//!
//! Where a constraint is an endgame, as `material=KRPvKR` is, the endgame has to stand: games in which the next
//! capture wins something, in the middle of an exchange, do not count.

use rand::rngs::ChaCha8Rng;
use shakmaty::{Color, Position};

use super::{
    crowd::Crowd,
    population::{Particle, resampled},
    review::Review,
};

use crate::{
    constraint::Situation,
    encoding::Sampling,
    generation::{
        GenerationError, Job,
        player::{Attempt, Player, Spent, Task},
        policy::{Eyes, Look, PolicyReport, Reach, Senses, Temperatures},
    },
    network::NetworkError,
    search::{Game, is_settled},
    settings::Realism,
};

/// The least chance, by the network, that people reach the goal, for which populations are worth their cost.
const LEAST_VALUE: f32 = 0.01;
/// The network is not shown all that constraints demand, but what takes so few plies people may well do by themselves.
const LITTLE_WORK: u32 = 4;
/// Where a population has died out the next one is twice as large, so many times at most.
const MOST_DOUBLINGS: u32 = 3;
/// Evaluations of a look at a game: with the goal, and without it.
const EVALUATIONS_A_LOOK: u64 = 2;
/// Evaluations of a population of common size, at most.
const EVALUATIONS: u64 = 20_000;
/// Where no move drawn stands in so many draws, that does which was there at first.
const MOST_DRAWS: u32 = 50;
/// A population begins anew so many times at most, and so many times in vain; then all moves stand. Where that is not
/// enough the constraint asks for what such players do not do.
const MOST_RESTARTS: u32 = 16;
const MOST_FAILURES: u32 = 2;

/// Draws games from populations.
pub(in crate::generation) struct NaturalPlayer {
    eyes: Eyes,
    reach: Reach,
    /// Whether the last position must be a settled one.
    settles: bool,
    review: Review,
}

/// What an attempt has in hand.
struct Draft {
    /// Games of a population.
    size: usize,
    /// The evaluations after which it ends.
    last: u64,
    /// The game that came nearest to the constraint, and how near.
    nearest: (u32, Game),
}

impl Player for NaturalPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        if !self.is_worth_it(task)? {
            return Ok(None);
        }
        let size = (job.settings.population as usize) << task.number.min(MOST_DOUBLINGS);
        let plies = self.reach.plies_left(job, 0);
        // A population of many may take what all of its plies take.
        let most = EVALUATIONS.max(2 * size as u64 * u64::from(plies));
        let first = Particle::new(Game::begun_after(job.first_ply, job.root.clone()));
        let nearest = (self.reach.distance(first.game.situation()), first.game.clone());
        let mut draft = Draft { size, last: self.eyes.evaluations().saturating_add(most), nearest };
        if let Some(drawn) = self.draw(&first, &mut draft, task, rng)? {
            let report = drawn.report();
            return Ok(Some(Attempt::whole(job, drawn.game, 0, report)));
        }
        // None of its games stands for the population: that which came nearest is only that.
        let (distance, game) = draft.nearest;
        Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())))
    }

    fn spent(&self) -> Spent {
        let evaluations = self.eyes.evaluations();
        Spent { nodes: evaluations, evaluations }
    }
}

impl NaturalPlayer {
    /// A player with a network of its own.
    ///
    /// # Errors
    /// [`GenerationError`] if there is no policy, or nothing leads to the target.
    pub fn new(job: &Job) -> Result<NaturalPlayer, GenerationError> {
        let Senses { eyes, reach, .. } = Senses::new(job)?;
        let settles = job.target.is_endgame(Situation { position: &job.root, ply: job.first_ply });
        Ok(NaturalPlayer { eyes, reach, settles, review: Review::default() })
    }

    /// Plays a population of games that go on from `first`, and draws one that meets the constraint by weight; `None` if
    /// there is none. Where moves are reviewed, each is once all games have it.
    fn draw(
        &mut self,
        first: &Particle,
        draft: &mut Draft,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Particle>, GenerationError> {
        let mut crowd = Crowd::new(first, draft.size);
        let is_reviewed = self.are_reviewed(task);
        if is_reviewed {
            self.review.begin(&first.game);
        }
        // What goes on if nothing comes of a move that was drawn instead of one that did not stand, and the plies that stand
        // then.
        let mut before: Option<(Crowd, usize)> = None;
        let (mut restarts, mut failures) = (0, 0);
        let most = self.reach.plies_left(task.job, 0) as usize;
        loop {
            let is_over = crowd.is_done() || crowd.played >= most;
            let goes_on = if is_over {
                crowd.keep_one(task, rng)?
            } else {
                self.eyes.evaluations() < draft.last
                    && self.look_at_all(&mut crowd.particles, task, crowd.played)?
            };
            if !goes_on {
                let Some((other, plies)) = before.take() else { return Ok(None) };
                self.review.go_back(&other.particles[0].game.after(plies));
                crowd = other;
                failures += 1;
                continue;
            }
            if !is_over && crowd.played > 0 {
                crowd.particles = resampled(crowd.particles, draft.size, rng);
            }
            if is_reviewed
                && restarts < MOST_RESTARTS
                && failures < MOST_FAILURES
                && let Some(instead) = self.settle(&mut crowd, task, rng)?
            {
                restarts += 1;
                let plies = instead.game.moves().len();
                before = Some((crowd, plies));
                crowd = Crowd::new(&instead, draft.size);
                continue;
            }
            if is_over {
                return Ok(crowd.particles.pop());
            }
            self.play(&mut crowd, draft, task, rng);
        }
    }

    /// Plays a move in each active game; those end that come to nothing.
    fn play(&self, crowd: &mut Crowd, draft: &mut Draft, task: &Task<'_>, rng: &mut ChaCha8Rng) {
        crowd.particles.retain_mut(|particle| {
            let goes_on = particle.is_done || self.propose(particle, task, rng);
            // A game that is done is delivered or dropped, and never only the nearest.
            if goes_on && !particle.is_done {
                let distance = self.reach.distance(particle.game.situation());
                if distance < draft.nearest.0 {
                    draft.nearest = (distance, particle.game.clone());
                }
            }
            goes_on
        });
        crowd.played += 1;
    }

    /// Reviews the moves that all games have; if one does not stand, the game with another one that does instead is
    /// returned.
    fn settle(
        &mut self,
        crowd: &mut Crowd,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Particle>, NetworkError> {
        while let Some(m) = crowd.settled(self.review.plies(), rng) {
            let caution = self.eyes.review(task.ratings, self.review.game().position().turn());
            if !self.review.stands(m, caution, task.limits.alone(), rng) {
                let before = crowd.particles[0].after(self.review.plies());
                let instead = self.redrawn(before, caution, task, rng)?;
                if let Some(instead) = instead
                    && let Some(other) = instead.game.moves().last().filter(|other| **other != m)
                {
                    self.review.go_on(*other);
                    return Ok(Some(instead));
                }
            }
            self.review.go_on(m);
        }
        Ok(None)
    }

    /// The game with a further move that stands, if one is drawn: perhaps the one that did not at first.
    fn redrawn(
        &mut self,
        before: Particle,
        caution: f32,
        task: &Task<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Particle>, NetworkError> {
        let mut before = [before];
        let played = before[0].game.moves().len();
        if !self.look_at_all(&mut before, task, played)? {
            return Ok(None);
        }
        for _ in 0..MOST_DRAWS {
            let mut next = before[0].clone();
            if self.propose(&mut next, task, rng)
                && self.review.stands(next.game.moves()[played], caution, task.limits.alone(), rng)
            {
                return Ok(Some(Particle { weight: 0.0, ..next }));
            }
        }
        Ok(None)
    }

    /// True if moves of either side are reviewed.
    fn are_reviewed(&self, task: &Task<'_>) -> bool {
        Color::ALL.into_iter().any(|side| self.eyes.review(task.ratings, side) > 0.0)
    }

    /// True if populations are asked for, or left to us and people reach the goal often enough.
    fn is_worth_it(&mut self, task: &Task<'_>) -> Result<bool, NetworkError> {
        if task.job.settings.realism == Realism::Natural {
            return Ok(true);
        }
        let game = Game::begun_after(task.job.first_ply, task.job.root.clone());
        let plies = self.reach.plies_left(task.job, 0);
        let look = self.eyes.look(&game, task.ratings, plies, false)?;
        Ok(match look.outlook {
            Some(outlook) => outlook.value >= LEAST_VALUE,
            None => self.reach.distance_and_work(game.situation()).1 <= LITTLE_WORK,
        })
    }

    /// Lets the policy look at every active game, games that are still the same once, in one question for all of them;
    /// false if a limit forbids it.
    fn look_at_all(
        &mut self,
        population: &mut [Particle],
        task: &Task<'_>,
        played: usize,
    ) -> Result<bool, NetworkError> {
        let mut different: Vec<&Game> = Vec::new();
        // Which of the different games each active one is.
        let mut places = vec![None; population.len()];
        let mut is_forbidden = false;
        for (place, particle) in places.iter_mut().zip(population.iter()) {
            if particle.is_done {
                continue;
            }
            let same = |game: &&Game| game.moves() == particle.game.moves();
            let known = different.iter().position(same);
            let asked = self.eyes.evaluations() + EVALUATIONS_A_LOOK * different.len() as u64;
            if known.is_none() && task.limits.forbid(asked, EVALUATIONS_A_LOOK) {
                is_forbidden = true;
                break;
            }
            *place = known.or_else(|| {
                different.push(&particle.game);
                Some(different.len() - 1)
            });
        }
        let left = self.reach.plies_left(task.job, played as u32);
        // The nodes are counted above; a stop and the clock are heeded between any two evaluations.
        let stop = || task.limits.forbid(0, 0);
        let looks = self.eyes.look_at_all(&different, task.ratings, left, true, &stop)?;
        let Some(looks) = looks.filter(|_| !is_forbidden) else { return Ok(false) };
        for (particle, place) in population.iter_mut().zip(places) {
            if let Some(place) = place {
                particle.look = Some(looks[place].clone());
                particle.promise = self.promise(&particle.game, task);
            }
        }
        Ok(true)
    }

    /// ln of the chance that what is judged will hold.
    fn promise(&self, game: &Game, task: &Task<'_>) -> f64 {
        let Some(judge) = task.judge else { return 0.0 };
        let (_, work) = self.reach.distance_and_work(game.situation());
        judge.borrow_mut().promise(game.position(), work)
    }

    /// Plays a move proposed by the goal policy and weighs it; false if there is none, or it ends the game in vain.
    fn propose(&self, particle: &mut Particle, task: &Task<'_>, rng: &mut ChaCha8Rng) -> bool {
        let Some(look @ Look { moves, goal, human: Some(human), .. }) = &particle.look else { return false };
        let allowed = self.reach.allowed(&particle.game, (moves, &look.men), 1, task.may_begin);
        if !allowed.contains(&true) {
            return false;
        }
        let turn = particle.game.position().turn();
        let temperatures = self.eyes.temperatures(task.ratings, turn).unwrap_or(Temperatures::NATURAL);
        let temperatures = temperatures.set_in(&task.job.settings);
        let temperature = temperatures.at(particle.game.age());
        let sampling = Sampling { temperature, top_p: 1.0 };
        let mut proposal = goal.shaped(sampling);
        let mut report = particle.report();
        report.masked += f64::from(proposal.mask(|index| allowed[index]));
        let Some(index) = proposal.draw(rng).filter(|index| allowed[*index]) else { return false };
        let wanted = human.shaped(sampling);
        particle.weight += f64::from(wanted.logarithms()[index]) - f64::from(proposal.logarithms()[index]);
        report.surprise -= f64::from(human.logarithms()[index]);
        report.judged += 1;
        particle.reports.push(report);
        particle.game.play(moves[index]);
        particle.is_done = task.seems_done(particle.game.situation());
        let is_in_vain = particle.is_done && self.settles && !is_settled(particle.game.position());
        particle.weight.is_finite() && !is_in_vain
    }
}
