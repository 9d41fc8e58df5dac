//! Weighted best-first search over games, with the guide's estimate of the remaining plies as its heuristic.

mod parameters;

use std::{cmp::Reverse, collections::BinaryHeap};

use entente_constraint::{
    Diary, Situation, child_of,
    guide::{Estimate, Guide},
};
pub use parameters::BestFirstParameters;
use rand::{Rng, RngExt};
use shakmaty::{Chess, Move, Position};

use super::{
    Keys, Limits,
    game::{is_drawn, key},
};

/// A search for games that end in a satisfying position: weighted A* with a heuristic that is not admissible.
pub struct BestFirst {
    guide: Guide,
    met: Vec<Met>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    seen: Keys,
    exhausted: bool,
    /// Positions searched so far.
    pub nodes: u64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Line {
    /// The moves from the root to a satisfying position, or else to the nearest position according to the guide.
    pub moves: Vec<Move>,
    /// The estimate there, in plies; 0 if the constraint holds.
    pub distance: u32,
}

/// A node: a position that the search has met, given by its parent and the move from there.
#[derive(Clone, Copy)]
struct Met {
    parent: u32,
    /// The move that led here; `None` at the root.
    m: Option<Move>,
}

impl BestFirst {
    /// A search for the target of `guide`.
    pub fn new(guide: Guide) -> BestFirst {
        BestFirst {
            guide,
            met: Vec::new(),
            open: BinaryHeap::new(),
            seen: Keys::default(),
            exhausted: false,
            nodes: 0,
        }
    }

    /// True if the last search has met every position that games can reach.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Searches for a game of at most `max_plies` plies from `start` whose first move satisfies `may_begin`.
    pub fn search(
        &mut self,
        start: Situation<'_>,
        parameters: BestFirstParameters,
        max_plies: u32,
        may_begin: impl Fn(Move) -> bool,
        rng: &mut impl Rng,
        limits: Limits<'_>,
    ) -> Line {
        let Situation { position: root, ply: first_ply, .. } = start;
        self.met.clear();
        self.open.clear();
        self.seen.clear();
        self.exhausted = false;
        self.guide.focus_for(parameters.attempt);
        if self.guide.is_satisfied(start) {
            return Line { moves: Vec::new(), distance: 0 };
        }
        let nowhere = Line { moves: Vec::new(), distance: self.guide.distance() };
        let must_be_longer = self.guide.fewest_plies() > first_ply.saturating_add(max_plies);
        if is_drawn(root) || must_be_longer {
            self.exhausted = true;
            return nowhere;
        }
        let Some(estimate) = self.guide.estimate(start) else { return nowhere };
        self.met.push(Met { parent: 0, m: None });
        self.seen.insert(self.identity(start));
        let last = self.nodes.saturating_add(parameters.nodes).min(limits.nodes);
        let mut nearest = (estimate, 0_u32);
        let (mut path, mut past) = (Vec::new(), Vec::new());
        let opening = parameters.opening.min(self.spare_plies(start, estimate, max_plies));
        let opening = rng.random_range(0..=opening);
        let first = self.play_opening(start, opening, estimate, &may_begin, rng, limits);
        self.open.push(Reverse((0, first)));
        // True if the opening or the maximum length excludes games, so that the search cannot be exhaustive. A position
        // that was reached with more moves than necessary leaves fewer moves for the rest.
        let mut cut = first != 0;
        while self.nodes < last && !limits.forbid(self.nodes, 1) {
            let Some(Reverse((_, index))) = self.open.pop() else {
                self.exhausted = !cut && self.guide.looks_at_all();
                break;
            };
            self.replay(index, &mut path);
            past.clear();
            let mut position = root.clone();
            for &m in &path {
                if self.guide.counts_plies() {
                    past.push(key(&position).0);
                }
                position.play_unchecked(m);
            }
            let ply = path.len() as u32;
            let diary = self.guide.remembers().then(|| noted(&self.guide, start, &path)).flatten();
            let here = start.after(&path, &position);
            let here = Situation {
                past: diary.iter().fold(here.past, |past, diary| past.with_notes(diary.notes())),
                ..here
            };
            if ply >= max_plies {
                cut = true;
                continue;
            }
            for m in position.legal_moves() {
                if ply == 0 && !may_begin(m) {
                    cut = true;
                    continue;
                }
                if self.nodes == last {
                    break;
                }
                let (child, last) = (child_of(&position, m), [m]);
                self.nodes += 1;
                let situation = here.after(&last, &child);
                if !self.seen.insert(self.identity(situation)) {
                    continue;
                }
                if self.guide.is_satisfied(situation) {
                    path.push(m);
                    return Line { moves: path, distance: 0 };
                }
                let Some(estimate) = self.guide.estimate(situation) else { continue };
                if is_drawn(&child) || self.repeats(&child, &past) {
                    // Another way to this position may lead on, but it is met only once.
                    cut |= !child.is_insufficient_material();
                    continue;
                }
                let node = self.met.len() as u32;
                self.met.push(Met { parent: index, m: Some(m) });
                if estimate < nearest.0 {
                    nearest = (estimate, node);
                }
                let value = parameters.value(ply + 1, estimate, rng);
                self.open.push(Reverse((value, node)));
            }
        }
        self.replay(nearest.1, &mut path);
        Line { moves: path, distance: nearest.0.plies() }
    }

    /// The plies available for a random opening. They leave at least twice the estimate for the plan itself.
    fn spare_plies(&self, start: Situation<'_>, estimate: Estimate, max_plies: u32) -> u32 {
        if self.guide.is_whole_diagram() {
            // Games to a diagram should be short, and an opening cannot vary their final position.
            return 0;
        }
        let most = self.guide.max_plies().saturating_sub(start.ply).min(max_plies);
        most.saturating_sub(2 * estimate.plies()) / 2
    }

    /// Plays random moves that do not increase the estimate, and returns the last node.
    fn play_opening(
        &mut self,
        start: Situation<'_>,
        plies: u32,
        mut estimate: Estimate,
        may_begin: &impl Fn(Move) -> bool,
        rng: &mut impl Rng,
        limits: Limits<'_>,
    ) -> u32 {
        let mut position = start.position.clone();
        let mut last = 0;
        let mut path = Vec::new();
        for ply in 0..plies {
            let moves = position.legal_moves();
            if limits.forbid(self.nodes, moves.len() as u64) {
                break;
            }
            self.nodes += moves.len() as u64;
            let mut level: Vec<(Move, Chess, Estimate)> = Vec::new();
            for m in moves {
                let (child, next) = (child_of(&position, m), [m]);
                let situation = start.after(&path, &position).after(&next, &child);
                let allowed = (ply > 0 || may_begin(m)) && !is_drawn(&child);
                // Satisfying positions are left to the search.
                if allowed
                    && !self.guide.is_satisfied(situation)
                    && !self.seen.contains(&self.identity(situation))
                    && let Some(after) = self.guide.estimate(situation)
                    && after <= estimate
                {
                    level.push((m, child, after));
                }
            }
            if level.is_empty() {
                break;
            }
            let (m, child, after) = level.swap_remove(rng.random_range(0..level.len()));
            self.met.push(Met { parent: last, m: Some(m) });
            last = self.met.len() as u32 - 1;
            path.push(m);
            self.seen.insert(self.identity(start.after(&path, &child)));
            (position, estimate) = (child, after);
        }
        last
    }

    /// The moves from the root to a node.
    fn replay(&self, mut index: u32, path: &mut Vec<Move>) {
        path.clear();
        while let Met { parent, m: Some(m) } = self.met[index as usize] {
            path.push(m);
            index = parent;
        }
        path.reverse();
    }

    /// True if the game ends by fivefold repetition. Unless the ply matters, no position is met twice.
    fn repeats(&self, position: &Chess, past: &[u64]) -> bool {
        self.guide.counts_plies() && {
            let key = key(position).0;
            past.iter().filter(|before| **before == key).count() >= 4
        }
    }

    /// The key of a position, combined with its ply and with what has happened in the game if they matter.
    fn identity(&self, situation: Situation<'_>) -> u64 {
        let mut key = key(situation.position).0;
        if self.guide.counts_plies() {
            key ^= u64::from(situation.ply).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        if self.guide.remembers() {
            key ^= self.guide.memory(situation).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        key
    }
}

/// What the target of `guide` asks of the game after the moves of `path`.
fn noted(guide: &Guide, start: Situation<'_>, path: &[Move]) -> Option<Diary> {
    let mut position = start.position.clone();
    let mut diary = Diary::of(&guide.target().constraint, start)?;
    for (ply, m) in path.iter().enumerate() {
        position.play_unchecked(*m);
        diary.note(start.after(&path[..=ply], &position));
    }
    Some(diary)
}

#[cfg(test)]
mod tests;
