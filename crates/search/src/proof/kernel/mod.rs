//! Games along kernels: for diagrams with promoted pieces, to which no estimate leads.
//!
//! A [kernel](entente_constraint::legality::kernel) is a plan of the captures by pawns and of the promotions. An attempt
//! takes a random one and plays it, stage by stage, each with a best-first search of its own ([`stage`]). Then all pawns are
//! where they belong, and [`BestFirst`] brings the pieces to their squares. Most attempts fail soon, so there are many; they
//! do not depend on each other, and can run on several threads.

mod men;
mod stage;
mod start;
mod walk;

use entente_constraint::{
    Situation,
    guide::Guide,
    legality::{
        Problem,
        kernel::{Stage, color},
        unmoved,
    },
};
use men::Men;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Color, Move, Position};
use stage::{Led, StageSearch};
use start::Start;

use super::target::diagram_target;
use crate::{BestFirst, BestFirstParameters, Limits};

/// Attempts to find a game along a kernel.
pub struct KernelGames {
    starts: Vec<Start>,
}

/// The states of the search for a plan.
const STATES: u64 = 1_000_000;
/// How many captures more than necessary the plans of successive attempts have. More captures can make it easier to find
/// ranks for the pawns.
const MORE_CAPTURES: [u8; 6] = [0, 0, 1, 0, 1, 2];
/// How many plies are taken back from the diagram, for successive attempts.
const TAKEN_BACK: [u32; 4] = [6, 10, 16, 24];
/// The weight of an estimated ply in a stage, for successive attempts. A ply played has weight 1.
const STAGE_WEIGHTS: [f32; 4] = [6.0, 12.0, 6.0, 4.0];
/// The most positions of a stage.
const STAGE_NODES: u64 = 40_000;
/// The searches that bring the pieces to their squares.
const ENDINGS: [BestFirstParameters; 2] = [
    BestFirstParameters { weight: 6.0, noise: 1.0, nodes: 100_000, attempt: 0, opening: 0 },
    BestFirstParameters { weight: 8.0, noise: 4.0, nodes: 150_000, attempt: 0, opening: 0 },
];
/// The most plies of such a search. No pawn moves and hardly any man is captured in them, so that the game could end by
/// the 75-move rule.
const ENDING_PLIES: u32 = 140;

impl KernelGames {
    /// Attempts for a problem; `None` if there is no kernel.
    pub fn new(problem: &Problem, limits: Limits<'_>) -> Option<KernelGames> {
        let starts = Start::all(problem, &|| limits.alone().forbid(0, 0));
        (!starts.is_empty()).then_some(KernelGames { starts })
    }

    /// Tries to find a game; the same number and seed give the same game. `nodes` counts the positions searched.
    pub fn attempt(&self, number: u32, seed: u64, limits: Limits<'_>, nodes: &mut u64) -> Option<Vec<Move>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number.into());
        let Start { walk, kernels, fewest } = &self.starts[number as usize % self.starts.len()];
        let round = number as usize / self.starts.len();
        let captures = (fewest + MORE_CAPTURES[round % MORE_CAPTURES.len()]).min(kernels.most_captures());
        let is_over = || limits.alone().forbid(0, 0);
        let mut random = |below| rng.random_range(0..below);
        let stages = kernels.plan(captures, STATES, &mut random, &is_over)?;
        let problem = walk.last()?;
        let (men, unmoved) = (Men::of(&problem.board), unmoved(problem));
        let mut led = Led::start();
        let weight = STAGE_WEIGHTS[round % STAGE_WEIGHTS.len()];
        for (index, stage) in stages.iter().enumerate() {
            let later = promotions(&stages[index + 1..]);
            let search = StageSearch { stage, men: &men, unmoved, later };
            let most = limits.nodes.min(nodes.saturating_add(STAGE_NODES));
            if !search.play(&mut led, weight, &mut rng, Limits { nodes: most, ..limits }, nodes) {
                return None;
            }
        }
        let walk = walk::back(walk, TAKEN_BACK[round % TAKEN_BACK.len()], &mut rng);
        end(led, &walk, &mut rng, limits, nodes)
    }
}

/// Brings the pieces to their squares in the earliest problem, and plays the moves from there.
fn end(
    led: Led,
    walk: &[Problem],
    rng: &mut ChaCha8Rng,
    limits: Limits<'_>,
    nodes: &mut u64,
) -> Option<Vec<Move>> {
    let start = Situation::root(&led.position);
    let target = diagram_target(walk.last()?, &Chess::default());
    let mut search = BestFirst::new(Guide::new(&target, start).ok()?);
    let limits = Limits { nodes: limits.nodes.saturating_sub(*nodes), ..limits };
    let mut game = None;
    for parameters in ENDINGS {
        let line = search.search(start, parameters, ENDING_PLIES, |_| true, rng, limits);
        if line.distance == 0 {
            let mut position = led.position.clone();
            line.moves.iter().for_each(|m| position.play_unchecked(*m));
            game = walk::forward(walk, &mut position).map(|last| [led.moves, line.moves, last].concat());
            break;
        }
    }
    *nodes += search.nodes;
    game
}

/// How many pawns of each side promote in some stages.
fn promotions(stages: &[Stage]) -> [u8; 2] {
    Color::ALL.map(|side| {
        stages.iter().flat_map(|stage| &stage.promotes).filter(|pawn| color(**pawn) == side).count() as u8
    })
}

#[cfg(test)]
mod tests;
