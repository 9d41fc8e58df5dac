//! Games to whole diagrams as humans might play them: beam searches, and best-first search if these find nothing.
//!
//! A population of games rarely reaches a diagram, in which every man has its square. So games are not drawn, but those
//! with the least surprise are searched for.

use entente_constraint::guide::Guide;
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

/// The beams that look for a first game: their widths, as multiples of the population, and the cost of a ply that is
/// left, in nats. The higher the cost, the straighter the way. The next beam runs if those before it are stuck.
const SCOUTS: [(usize, f32); 3] = [(32, 2.5), (32, 4.0), (128, 3.0)];
/// The width of the beam that looks for a better game, as a multiple of the population.
const MAIN: usize = 128;
/// The cost of a ply for that beam, as a share of the cost for the beam that found a game.
const MAIN_PATIENCE: f32 = 0.8;
/// If no beam finds a game, those of the next attempt are twice as wide, at most this number of times.
const MAX_DOUBLINGS: u32 = 4;
/// Search continues the nearest games of a beam whose lengths differ by at least this number of plies.
const APART: u32 = 8;
/// The maximum number of searches of the root before the beams of each attempt.
const SEARCHES: u32 = 63;

/// Plays games to whole diagrams.
pub(in crate::generation) struct DiagramPlayer {
    view: PolicyView,
    reach: Reach,
    finisher: Finisher,
    /// The number of games in a population.
    population: usize,
    /// Whether search must not play parts of a game.
    strict: bool,
}

impl DiagramPlayer {
    /// True if the target of the job determines the square of every man.
    pub(super) fn suits(job: &Job) -> bool {
        let start = job.game();
        // Goals have only numbers of men.
        job.target.goal.is_none()
            && Guide::new(&job.target, start.situation()).is_ok_and(|guide| guide.is_whole_diagram())
    }

    /// A player with its own session of the network.
    ///
    /// # Errors
    /// [`GenerationError`] if no game reaches the target, or it is too complex.
    pub(super) fn new(job: &Job, plan: &GoalPolicyPlan) -> Result<DiagramPlayer, GenerationError> {
        // The skill costs more than it gains, because the diagram says which men are lost.
        let (view, reach) = (PolicyView::of(job, &plan.policy, false), Reach::of(job)?);
        let (population, strict) = (plan.population as usize, plan.strict);
        let finisher = Finisher::new(reach.guide().clone());
        Ok(DiagramPlayer { view, reach, finisher, population, strict })
    }

    /// Runs a beam with `width` games for each game of the population. `least` is the score that a game must improve
    /// on.
    fn run(
        &mut self,
        task: &Task<'_>,
        (width, weight): (usize, f32),
        least: f32,
    ) -> Result<Findings, NetworkError> {
        let games = (self.population * width) << task.number.min(MAX_DOUBLINGS);
        let beam = Beam { width: games, weight, plies: self.reach.plies_left(task.job, 0), least };
        // The beam counts only evaluations of the network, not positions of the search.
        let task = task.without(self.finisher.nodes());
        beam.run(&task, self.reach.guide(), &mut self.view)
    }

    /// Searches for the rest of a game. Returns the whole game and the number of plies that were searched. `number`
    /// counts the searches.
    fn finish(
        &mut self,
        task: &Task<'_>,
        number: u32,
        game: Game,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Game, u32)> {
        let left = self.reach.plies_left(task.job, game.moves().len() as u32);
        // The search counts only its own positions.
        let (task, parameters) =
            (task.without(self.view.evaluations()), BestFirstParameters::of_attempt(number));
        let Finished { game, searched, distance } = self.finisher.finish(&task, parameters, game, left, rng);
        (distance == 0).then_some((game, searched))
    }

    /// Finishes one of the games of a beam by search, trying the nearest first.
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

    /// A game found by search alone, if it finds one quickly. The searches grow from attempt to attempt.
    fn search(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Option<(Game, u32)> {
        let start = task.job.game();
        let numbers = task.number * SEARCHES..(task.number + 1) * SEARCHES;
        numbers.into_iter().find_map(|number| self.finish(task, number, start.clone(), rng))
    }
}

impl Player for DiagramPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        // If the beams end too early, there is still a game to return.
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
        let start = || job.game();
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
    fn games_to_diagrams_are_like_human_ones_and_repeatable() {
        let game = generation(false, None);
        assert_eq!(game.outcome, Outcome::Found);
        let report = game.report.unwrap();
        assert_eq!(report.by, Some(Delivery::Natural));
        // Many humans play each of the six moves there; search plays them in any order.
        assert!(report.mean_surprise().unwrap() < 2.0, "{:?}", report.mean_surprise());
        assert_eq!(game.moves.len(), 6);
        assert_eq!(generation(false, None).moves, game.moves);
    }

    #[test]
    fn beams_and_searches_obey_limits_on_nodes() {
        let game = generation(false, Some(400));
        assert!(game.nodes <= 400 + 8, "{}", game.nodes);
        let strict = generation(true, Some(3));
        assert_eq!((strict.outcome, strict.moves.is_empty()), (Outcome::Undetermined, false));
    }
}
