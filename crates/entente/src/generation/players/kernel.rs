//! Games along kernels, for whole diagrams with promoted pieces, to which no estimate leads.

use entente_constraint::legality::{Problem, kernel::Kernels};
use entente_search::{Limits, proof::KernelGames};
use rand::{RngExt, rngs::ChaCha8Rng};

use crate::generation::{
    Diagram, GenerationError, Job,
    player::{Attempt, Player, Spent, Task},
};

/// How many games are begun in an attempt. Each takes between some milliseconds and a second, and most fail.
const GAMES: u32 = 16;

/// Leads games along kernels.
pub(in crate::generation) struct KernelPlayer {
    problem: Problem,
    /// The kernels, once they have been searched for.
    games: Option<Option<KernelGames>>,
    /// The seed of the games of this generation.
    seed: u64,
    nodes: u64,
}

impl KernelPlayer {
    /// A player; `None` unless the target has a whole diagram with promoted pieces.
    pub(super) fn new(job: &Job) -> Option<KernelPlayer> {
        let Diagram { problem, .. } = Diagram::of(job)?;
        let is_suited = Kernels::of(&problem).is_some_and(|kernels| kernels.promotions() > 0);
        is_suited.then_some(KernelPlayer { problem, games: None, seed: 0, nodes: 0 })
    }
}

impl Player for KernelPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let limits = Limits { nodes: task.limits.nodes.saturating_sub(self.nodes), ..task.limits };
        let games = self.games.get_or_insert_with(|| KernelGames::new(&self.problem, limits));
        let Some(games) = games else { return Ok(None) };
        if task.number == 0 {
            self.seed = rng.random();
        }
        let mut nodes = 0;
        let mut numbers = (task.number * GAMES..).take(GAMES as usize);
        let game = numbers.find_map(|number| {
            let game = games.attempt(number, self.seed, limits, &mut nodes)?;
            (game.len() <= task.job.max_plies as usize && task.is_reached_by(&game)).then_some(game)
        });
        self.nodes += nodes;
        Ok(Some(game.map_or_else(Attempt::failed, Attempt::searched)))
    }

    fn spent(&self) -> Spent {
        Spent { nodes: self.nodes, evaluations: self.nodes }
    }
}
