//! Whole diagrams as people would have come to them: beams over games, and a search for what these do not find.
//!
//! A population of games hardly ever comes to a diagram, where every man has his square. So games are not drawn here but
//! searched for: those with the least surprise.

use rand::rngs::ChaCha8Rng;

use super::beam::{Beam, Findings, Runner};
use crate::{
    constraint::Situation,
    generation::{
        GenerationError, Job,
        player::{Attempt, Player, Spent, Task},
        policy::{Eyes, PolicyReport, Reach, Senses},
    },
    guide::Guide,
    search::{BestFirst, Effort, Game, Limits},
};

/// Games of a beam for each game of a population.
const WIDTH: usize = 16;
/// Where a beam has found nothing the next one is twice as wide, so many times at most.
const MOST_DOUBLINGS: u32 = 4;
/// What a ply that is left counts, in nats, in attempt after attempt: what a ply costs people, and more where that leads to
/// nothing.
const WEIGHTS: [f32; 3] = [2.5, 4.0, 2.0];
/// Search takes over from the nearest games of a beam that are so many plies apart.
const APART: u32 = 8;

/// Plays games to whole diagrams.
pub(in crate::generation) struct DiagramPlayer {
    eyes: Eyes,
    reach: Reach,
    guide: Guide,
    finisher: BestFirst,
}

impl DiagramPlayer {
    /// True if the job is one for it: a target that leaves no choice where men are to stand.
    pub fn suits(job: &Job) -> bool {
        let start = Situation { position: &job.root, ply: job.first_ply };
        // Goals are about numbers of men alone.
        job.target.goal.is_none()
            && Guide::new(&job.target, start).is_ok_and(|guide| guide.is_whole_diagram())
    }

    /// A player with a network of its own.
    ///
    /// # Errors
    /// [`GenerationError`] if there is no policy, or nothing leads to the target.
    pub fn new(job: &Job) -> Result<DiagramPlayer, GenerationError> {
        // A look at what comes of each move costs more than it gains where the diagram says which men are lost.
        let Senses { eyes, reach, guide } = Senses::of(job, std::env::var("HUMAN_SKILL").is_ok())?;
        Ok(DiagramPlayer { eyes, reach, finisher: BestFirst::new(guide.clone()), guide })
    }

    /// Searches for the rest of a game, and plays it; false if nothing is found.
    fn finish(&mut self, task: &Task<'_>, game: &mut Game, plies: u32, rng: &mut ChaCha8Rng) -> Option<u32> {
        let left = plies.saturating_sub(game.moves().len() as u32);
        let effort = Effort { opening: 0, ..Effort::of_attempt(task.number) };
        let begins = game.moves().is_empty();
        // The search counts its own positions alone.
        let nodes = task.limits.nodes.saturating_sub(self.eyes.evaluations());
        let limits = Limits { nodes, ..task.limits };
        let may_begin = |m| !begins || (task.may_begin)(m);
        let line = self.finisher.search(game.situation(), effort, left, may_begin, rng, limits);
        line.moves.iter().for_each(|m| game.play(*m));
        (line.distance == 0).then_some(line.moves.len() as u32)
    }
}

impl Player for DiagramPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        let plies = self.reach.plies_left(job, 0);
        let mut beam = Beam {
            width: (job.settings.population as usize * WIDTH) << task.number.min(MOST_DOUBLINGS),
            weight: WEIGHTS[task.number as usize % WEIGHTS.len()],
            plies,
        };
        if let Ok(w) = std::env::var("HUMAN_WEIGHT") { beam.weight = w.parse().unwrap(); }
        let Findings { found, mut nearest, is_stopped } = beam.run(task, &self.guide, &mut self.eyes)?;
        if let Some(game) = found {
            return Ok(Some(Attempt::whole(job, game, 0, PolicyReport::default())));
        }
        nearest.sort_by(|one, other| one.left.total_cmp(&other.left));
        let best = nearest.first().map(|runner| runner.game.clone());
        let mut last = u32::MAX;
        if !job.settings.strict && !is_stopped {
            for Runner { mut game, .. } in nearest {
                let played = game.moves().len() as u32;
                if last != u32::MAX && played.saturating_add(APART) > last {
                    continue;
                }
                last = played;
                if let Some(finished) = self.finish(task, &mut game, plies, rng) {
                    let report = PolicyReport { finished, ..PolicyReport::default() };
                    return Ok(Some(Attempt::whole(job, game, 0, report)));
                }
            }
            let mut game = Game::begun_after(job.first_ply, job.root.clone());
            if let Some(finished) = self.finish(task, &mut game, plies, rng) {
                let report = PolicyReport { finished, ..PolicyReport::default() };
                return Ok(Some(Attempt::whole(job, game, 0, report)));
            }
        }
        let game = best.unwrap_or_else(|| Game::begun_after(job.first_ply, job.root.clone()));
        let distance = self.reach.distance(game.situation());
        Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())))
    }

    fn spent(&self) -> Spent {
        let evaluations = self.eyes.evaluations();
        Spent { nodes: evaluations + self.finisher.nodes, evaluations }
    }
}
