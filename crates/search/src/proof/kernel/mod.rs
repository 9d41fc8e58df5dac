//! Games along kernels: for diagrams with promoted pieces, to which no estimate leads.
//!
//! A [kernel](entente_constraint::legality::kernel) is a plan of the captures by pawns and of the promotions. An attempt
//! takes a random one and plays it, stage by stage, each with a best-first search of its own ([`stage`]). Then all pawns are
//! where they belong, and [`BestFirst`] brings the pieces to their squares. Most attempts fail soon, so there are many; they
//! do not depend on each other, and can run on several threads.

mod men;
mod stage;

use entente_constraint::{
    Situation, Target,
    guide::Guide,
    legality::{
        Problem,
        kernel::{Existence, Kernels, Stage, color},
        unmoved,
    },
};
use men::Men;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Bitboard, Color, Move};
use stage::{Led, StageSearch};

use crate::{BestFirst, BestFirstParameters, Limits};

/// Attempts to find a game along a kernel.
pub struct KernelGames {
    kernels: Kernels,
    target: Target,
    men: Men,
    /// The men that never move.
    unmoved: Bitboard,
    /// The fewest captures by pawns.
    fewest: u8,
}

/// The states of the search for the fewest captures, and of the search for a plan.
const STATES: u64 = 1_000_000;
/// How many captures more than necessary the plans of successive attempts have. More captures can make it easier to find
/// ranks for the pawns.
const MORE_CAPTURES: [u8; 6] = [0, 0, 1, 0, 1, 2];
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
const ENDING_PLIES: u32 = 148;

impl KernelGames {
    /// Attempts for a problem without an en passant capture at its end, and for `target`, the same as a constraint; `None`
    /// if there is no kernel.
    pub fn new(problem: &Problem, target: &Target) -> Option<KernelGames> {
        let kernels = Kernels::of(problem)?;
        let is_none = |captures: &u8| kernels.existence(*captures, STATES) == Existence::None;
        let fewest = (0..=kernels.most_captures()).find(|captures| !is_none(captures))?;
        let men = Men::of(&problem.board);
        Some(KernelGames { kernels, target: target.clone(), men, unmoved: unmoved(problem), fewest })
    }

    /// True if pawns promoted to pieces of the diagram.
    pub fn has_promotions(&self) -> bool {
        self.kernels.has_promotions()
    }

    /// Tries to find a game; the same number and seed give the same game. `nodes` counts the positions searched.
    pub fn attempt(&self, number: u32, seed: u64, limits: Limits<'_>, nodes: &mut u64) -> Option<Vec<Move>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number.into());
        let more = MORE_CAPTURES[number as usize % MORE_CAPTURES.len()];
        let captures = (self.fewest + more).min(self.kernels.most_captures());
        let stages = self.kernels.plan(captures, STATES, &mut |below| rng.random_range(0..below))?;
        let mut led = Led::start();
        let weight = STAGE_WEIGHTS[number as usize % STAGE_WEIGHTS.len()];
        for (index, stage) in stages.iter().enumerate() {
            let later = promotions(&stages[index + 1..]);
            let search = StageSearch { stage, men: &self.men, unmoved: self.unmoved, later };
            let most = limits.nodes.min(nodes.saturating_add(STAGE_NODES));
            if !search.play(&mut led, weight, &mut rng, Limits { nodes: most, ..limits }, nodes) {
                return None;
            }
        }
        self.end(led, &mut rng, limits, nodes)
    }

    /// Brings the pieces to their squares.
    fn end(&self, led: Led, rng: &mut ChaCha8Rng, limits: Limits<'_>, nodes: &mut u64) -> Option<Vec<Move>> {
        let start = Situation::root(&led.position);
        let mut search = BestFirst::new(Guide::new(&self.target, start).ok()?);
        let limits = Limits { nodes: limits.nodes.saturating_sub(*nodes), ..limits };
        let mut game = None;
        for parameters in ENDINGS {
            let line = search.search(start, parameters, ENDING_PLIES, |_| true, rng, limits);
            if line.distance == 0 {
                game = Some([led.moves, line.moves].concat());
                break;
            }
        }
        *nodes += search.nodes;
        game
    }
}

/// How many pawns of each side promote in some stages.
fn promotions(stages: &[Stage]) -> [u8; 2] {
    Color::ALL.map(|side| {
        stages.iter().flat_map(|stage| &stage.promotes).filter(|pawn| color(**pawn) == side).count() as u8
    })
}

#[cfg(test)]
mod tests;
