//! Games along kernels, on several threads.

use std::{convert::Infallible, ops::ControlFlow};

use entente_search::{
    Limits,
    proof::{KernelGames, ProofGoal},
};

use super::{Proof, ProofWanted};
use crate::parallel::{self, in_order};

/// Attempts that go on from one call to the next.
pub(super) struct KernelRun {
    games: KernelGames,
    goal: ProofGoal,
    seed: u64,
    threads: usize,
    /// The most plies of a game.
    longest: usize,
    /// The number of the next attempt.
    next: u32,
    /// How many attempts the next call makes.
    batch: u32,
}

/// The attempts of the first call. Each takes between some milliseconds and a second.
const FIRST_BATCH: u32 = 32;

impl KernelRun {
    /// Attempts for the problem; `None` if it has no kernel, or games do not begin in the initial position.
    pub(super) fn new(wanted: &ProofWanted, seed: u64, limits: Limits<'_>) -> Option<KernelRun> {
        if !wanted.is_from_initial_position() {
            return None;
        }
        let games = KernelGames::new(&wanted.problem, limits)?;
        let longest = wanted.settings.max_plies.map_or(usize::MAX, |plies| plies as usize);
        let goal = wanted.goal();
        Some(KernelRun { games, goal, seed, threads: wanted.threads, longest, next: 0, batch: FIRST_BATCH })
    }

    /// Makes more attempts; true if one finds a game. It is that of the first attempt that finds one, at any number of
    /// threads.
    pub(super) fn find(&mut self, limits: Limits<'_>, proof: &mut Proof) -> bool {
        let end = self.next.saturating_add(self.batch);
        let spent = proof.nodes;
        let attempts = (self.next..end).take_while(|_| !limits.forbid(spent, 1));
        let (games, seed) = (&self.games, self.seed);
        let attempt = |(): &mut (), number: u32| {
            let mut nodes = 0;
            let within = Limits { nodes: limits.nodes.saturating_sub(spent), ..limits };
            let game = games.attempt(number, seed, within, &mut nodes);
            Ok::<_, Infallible>((game, nodes))
        };
        let mut found = None;
        let threads = &mut parallel::threads(self.threads);
        let Ok(()) = in_order(attempts, threads, usize::MAX, attempt, |(game, nodes)| {
            proof.nodes += nodes;
            found = game.filter(|game| self.goal.is_met_by(game) && game.len() <= self.longest);
            let is_over = found.is_some() || limits.forbid(proof.nodes, 1);
            Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        (self.next, self.batch) = (end, self.batch.saturating_mul(2));
        let Some(game) = found else { return false };
        proof.games = vec![game];
        true
    }
}
