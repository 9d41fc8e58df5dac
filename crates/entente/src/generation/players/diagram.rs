//! Whole diagrams as people would have come to them: beams over games, and a search for what these do not find.
//!
//! A population of games hardly ever comes to a diagram, where every man has his square. So games are not drawn here but
//! searched for: those with the least surprise.

use entente_constraint::{Situation, guide::Guide};
use entente_network::NetworkError;
use entente_search::{BestFirstParameters, Game};
use rand::rngs::ChaCha8Rng;

use super::{
    beam::{Beam, Findings, Runner},
    finisher::{Finished, Finisher},
};
use crate::generation::{
    GenerationError, GoalPolicyPlan, Job,
    player::{Attempt, Player, Spent, Task},
    policy::{PolicyReport, PolicyView, Reach},
};

/// Beams to find a game at all: how many games each has for each game of a population, and what a ply that is left counts,
/// in nats. The more it counts the straighter they go; the next one runs where those before are stuck.
const SCOUTS: [(usize, f32); 3] = [(32, 2.5), (32, 4.0), (128, 3.0)];
/// The beam that looks for a better game has so many,
const MAIN: usize = 128;
/// … and for it a ply that is left counts this part of what it did for the one that found a game.
const MAIN_PATIENCE: f32 = 0.8;
/// Where none has found anything the next ones are twice as wide, so many times at most.
const MOST_DOUBLINGS: u32 = 4;
/// Search takes over from the nearest games of a beam that are so many plies apart.
const APART: u32 = 8;
/// Searches of the root before the beams of each attempt, until one finds a game.
const SEARCHES: u32 = 63;

/// Plays games to whole diagrams.
pub(in crate::generation) struct DiagramPlayer {
    view: PolicyView,
    reach: Reach,
    finisher: Finisher,
    /// Games of a population.
    population: usize,
    /// Whether search may not play the rest of a game.
    strict: bool,
}

impl DiagramPlayer {
    /// True if the job is one for it: a target that leaves no choice where men are to stand.
    pub(super) fn suits(job: &Job) -> bool {
        let start = Situation { position: &job.root, ply: job.first_ply };
        // Goals are about numbers of men alone.
        job.target.goal.is_none()
            && Guide::new(&job.target, start).is_ok_and(|guide| guide.is_whole_diagram())
    }

    /// A player with a network of its own.
    ///
    /// # Errors
    /// [`GenerationError`] if nothing leads to the target.
    pub(super) fn new(job: &Job, plan: &GoalPolicyPlan) -> Result<DiagramPlayer, GenerationError> {
        // A look at what comes of each move costs more than it gains where the diagram says which men are lost.
        let (view, reach) = (PolicyView::of(job, &plan.policy, false), Reach::of(job)?);
        let (population, strict) = (plan.population as usize, plan.strict);
        let finisher = Finisher::new(reach.guide().clone());
        Ok(DiagramPlayer { view, reach, finisher, population, strict })
    }

    /// A beam of so many games for each game of a population; `least` is what a game has to be better than.
    fn run(
        &mut self,
        task: &Task<'_>,
        (width, weight): (usize, f32),
        least: f32,
    ) -> Result<Findings, NetworkError> {
        let games = (self.population * width) << task.number.min(MOST_DOUBLINGS);
        let beam = Beam { width: games, weight, plies: self.reach.plies_left(task.job, 0), least };
        // The network's evaluations are counted apart from the positions of the search.
        let task = task.without(self.finisher.nodes());
        beam.run(&task, self.reach.guide(), &mut self.view)
    }

    /// Searches for the rest of a game, and returns it whole, with the plies that were searched; `number` says
    /// which of a row of searches it is.
    fn finish(
        &mut self,
        task: &Task<'_>,
        number: u32,
        game: Game,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Game, u32)> {
        let left = self.reach.plies_left(task.job, game.moves().len() as u32);
        // The search counts its own positions alone.
        let (task, parameters) =
            (task.without(self.view.evaluations()), BestFirstParameters::of_attempt(number));
        let Finished { game, searched, distance } = self.finisher.finish(&task, parameters, game, left, rng);
        (distance == 0).then_some((game, searched))
    }

    /// Lets search finish one of the games of a beam, those first that came nearest.
    fn finish_any(
        &mut self,
        task: &Task<'_>,
        nearest: &[Runner],
        rng: &mut ChaCha8Rng,
    ) -> Option<(Game, u32)> {
        let mut last = None;
        for Runner { game, .. } in nearest {
            let played = game.moves().len() as u32;
            if last.is_none_or(|last| played + APART <= last) {
                last = Some(played);
                if let Some(finished) = self.finish(task, task.number, game.clone(), rng) {
                    return Some(finished);
                }
            }
        }
        None
    }

    /// A game that search plays alone, if it finds one soon; the searches grow from attempt to attempt.
    fn search(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Option<(Game, u32)> {
        let start = Game::begun_after(task.job.first_ply, task.job.root.clone());
        let numbers = task.number * SEARCHES..(task.number + 1) * SEARCHES;
        numbers.into_iter().find_map(|number| self.finish(task, number, start.clone(), rng))
    }
}

impl Player for DiagramPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        // Whatever ends the beams too soon, there is a game to show.
        let searched = if self.strict { None } else { self.search(task, rng) };
        let (mut nearest, mut scouted) = (Vec::new(), None);
        for (width, weight) in SCOUTS {
            let Findings { found, nearest: those } = self.run(task, (width, weight), f32::INFINITY)?;
            nearest.extend(those);
            if let Some(found) = found {
                scouted = Some((found, weight));
                break;
            }
        }
        nearest.sort_by(|one, other| one.left.total_cmp(&other.left));
        let arrived = match scouted {
            Some(((game, score), weight)) => {
                let better = self.run(task, (MAIN, MAIN_PATIENCE * weight), score)?.found;
                Some((better.map_or(game, |(game, _)| game), 0))
            }
            None if !self.strict => self.finish_any(task, &nearest, rng).or(searched),
            None => None,
        };
        if let Some((game, finished)) = arrived {
            let report = PolicyReport { finished, ..PolicyReport::default() };
            return Ok(Some(Attempt::whole(job, game, 0, report)));
        }
        let start = || Game::begun_after(job.first_ply, job.root.clone());
        let game = nearest.into_iter().next().map_or_else(start, |runner| runner.game);
        let distance = self.reach.distance(game.situation());
        Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())))
    }

    fn spent(&self) -> Spent {
        let evaluations = self.view.evaluations();
        Spent { nodes: evaluations + self.finisher.nodes(), evaluations }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::{NetworkKind as _, Policy};

    use super::*;
    use crate::{
        generation::{Generation, Generator, Outcome, Plan, PolicyPlan, policy::Delivery},
        settings::Realism,
    };

    const FOUR_KNIGHTS: &str = "fen=r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R";

    fn generation(strict: bool, nodes: Option<u64>) -> Generation {
        let policy = PolicyPlan {
            ratings: [Some((1500, 1500)); 2],
            ..PolicyPlan::new(Policy::open(Policy::DEFAULT).unwrap().into())
        };
        let plan = GoalPolicyPlan {
            population: 1,
            realism: Realism::Natural,
            strict,
            ..GoalPolicyPlan::new(policy)
        };
        let mut job = Job::new(FOUR_KNIGHTS.parse().unwrap(), Plan::GoalPolicy(plan));
        job.budget.nodes = nodes;
        assert!(DiagramPlayer::suits(&job));
        Generator::new(job).unwrap().generate(0, &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn a_diagram_is_come_to_as_people_do_and_each_time_the_same() {
        let game = generation(false, None);
        assert_eq!(game.outcome, Outcome::Found);
        let report = game.report.unwrap();
        assert_eq!(report.by, Some(Delivery::Natural));
        // Each of the six moves is one that many people play there; search plays them in any order.
        assert!(report.mean_surprise().unwrap() < 2.0, "{:?}", report.mean_surprise());
        assert_eq!(game.moves.len(), 6);
        assert_eq!(generation(false, None).moves, game.moves);
    }

    #[test]
    fn limits_of_nodes_are_heeded_by_beams_and_searches() {
        let game = generation(false, Some(400));
        assert!(game.nodes <= 400 + 8, "{}", game.nodes);
        let strict = generation(true, Some(3));
        assert_eq!((strict.outcome, strict.moves.is_empty()), (Outcome::Undetermined, false));
    }
}
