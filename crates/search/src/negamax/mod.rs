use entente_constraint::{Goal, Men, child_of};
use rand::{Rng, RngExt};
use shakmaty::{Chess, Move, Position};

use super::{Limits, game::key, transposition::TranspositionTable};
use crate::satisfaction::SatisfactionEvaluator;

/// The settings of a [`Negamax`] search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegamaxSettings {
    /// The search depth in plies, at least 1.
    pub depth: u32,
    /// How far below the best value a move may be and still be drawn, in [0, 1]; 0.1 in the thesis.
    ///
    /// Unless [`NegamaxSettings::faithful`], [`SatisfactionEvaluator::threshold`] computes the threshold. If a
    /// satisfied position is found, only moves that reach one in the fewest plies are drawn.
    pub criterion: f32,
    /// True to search exactly as published: without pruning, without a test for satisfied leaves, without a table.
    pub faithful: bool,
}

impl NegamaxSettings {
    /// The greatest depth, in plies.
    pub const MAX_DEPTH: u32 = 8;
    /// The thesis's criterion, in percent.
    pub const DEFAULT_CRITERION_PERCENT: u32 = 10;
    /// The thesis's criterion.
    pub const DEFAULT_CRITERION: f32 = NegamaxSettings::DEFAULT_CRITERION_PERCENT as f32 / 100.0;
}

/// The thesis's cooperative negamax (section 4.3, algorithm 3): negamax without the minus.
///
/// Unless [`NegamaxSettings::faithful`], moves after which the goal is proved unreachable are discarded, satisfied
/// positions have an exact value, which is greater the sooner they occur, and a transposition table is used.
pub struct Negamax<E: SatisfactionEvaluator> {
    goal: Goal,
    evaluator: E,
    settings: NegamaxSettings,
    table: TranspositionTable,
    /// A buffer for the values of leaves, so that the search allocates nothing.
    leaves: Vec<f32>,
    /// True once a limit or a failure has cut a search short. Its values are then invalid.
    cut: bool,
    /// Why the evaluator failed. It is stored here so that the recursive search can return plain numbers.
    failure: Option<E::Error>,
    /// Positions searched so far.
    pub nodes: u64,
    /// Positions given to the evaluator so far.
    pub evaluations: u64,
}

/// A move chosen by search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// The move's satisfaction value, in [0, 1].
    pub value: f32,
}

/// The value of a position from which the goal is proved unreachable, or without legal moves. Leaves without legal
/// moves keep the evaluator's value. The other ends of a game (75 moves, repetition, insufficient material) are only
/// tested for the move that is played.
const HOPELESS: f32 = 0.0;

impl<E: SatisfactionEvaluator> Negamax<E> {
    /// A search for `goal`.
    pub fn new(goal: Goal, evaluator: E, settings: NegamaxSettings) -> Negamax<E> {
        Negamax {
            goal,
            evaluator,
            settings,
            table: TranspositionTable::new(),
            leaves: Vec::new(),
            cut: false,
            failure: None,
            nodes: 0,
            evaluations: 0,
        }
    }

    /// Forgets the results of earlier searches, so that the next search depends only on its input.
    pub fn forget(&mut self) {
        self.table.forget();
        self.cut = false;
    }

    /// True if a limit or a failure has cut a search short since [`Negamax::forget`].
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// Chooses at random among the moves whose values are within the criterion of the best value.
    ///
    /// `playable` is true for a legal move after which the game continues or has reached its goal. The result is `None`
    /// if there is no such move or a limit is reached.
    ///
    /// # Errors
    /// If the evaluator cannot evaluate a position.
    pub fn choose(
        &mut self,
        position: &Chess,
        playable: impl Fn(Move) -> bool,
        rng: &mut impl Rng,
        limits: Limits<'_>,
    ) -> Result<Option<Choice>, E::Error> {
        let men = Men::on(position.board());
        let depth = self.settings.depth.max(1);
        let mut scored: Vec<Choice> = Vec::with_capacity(64);
        let legal = position.legal_moves();
        if depth == 1 {
            let mut values = std::mem::take(&mut self.leaves);
            values.clear();
            self.value_leaves(position, &men, &legal, &mut values, limits);
            scored.extend(legal.iter().zip(&values).map(|(&m, &value)| Choice { m, value }));
            self.leaves = values;
        } else {
            for &m in &legal {
                let men = men.after(m, position.turn());
                let value = match self.settled(m, &men, depth - 1) {
                    Some(value) => value,
                    None => {
                        let child = child_of(position, m);
                        self.value(&child, &men, depth - 1, limits)
                    }
                };
                scored.push(Choice { m, value });
            }
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if self.cut {
            return Ok(None);
        }
        if !self.settings.faithful {
            scored
                .retain(|choice| self.goal.keeps_reachable(choice.m, &men.after(choice.m, position.turn())));
        }
        Ok(self.draw(scored, playable, rng))
    }

    /// Draws a playable move from those within the criterion of the best.
    fn draw(
        &self,
        mut scored: Vec<Choice>,
        playable: impl Fn(Move) -> bool,
        rng: &mut impl Rng,
    ) -> Option<Choice> {
        let mut candidates: Vec<usize> = Vec::with_capacity(scored.len());
        loop {
            let best = scored.iter().map(|choice| choice.value).reduce(f32::max)?;
            let threshold = if self.settings.faithful {
                best - self.settings.criterion
            } else if best > 1.0 {
                // A satisfied position was found: only moves that reach one in the fewest plies are good.
                best
            } else {
                self.evaluator.threshold(best, self.settings.criterion)
            };
            candidates.clear();
            candidates.extend((0..scored.len()).filter(|&index| scored[index].value >= threshold));
            let index = candidates[rng.random_range(0..candidates.len())];
            let choice = scored[index];
            // This test generates moves, so it is made only for the move drawn.
            if playable(choice.m) {
                return Some(Choice { value: choice.value.clamp(0.0, 1.0), ..choice });
            }
            scored.swap_remove(index);
        }
    }

    /// The value of `position` by a search of `depth` ≥ 1 plies. It is in [0, 1], or 1 + the plies left at a satisfied
    /// position if one is found. If faithful, it is −∞ without legal moves. It is invalid once a limit is reached.
    fn value(&mut self, position: &Chess, men: &Men, depth: u32, limits: Limits<'_>) -> f32 {
        self.cut = self.cut || limits.forbid(self.nodes, 1);
        if self.cut {
            return HOPELESS;
        }
        self.nodes += 1;
        let key = (!self.settings.faithful && depth >= self.evaluator.worthwhile_table_depth())
            .then(|| key(position));
        if let Some(value) = key.and_then(|key| self.table.get(key, depth)) {
            return value;
        }

        let moves = position.legal_moves();
        let mut best = if self.settings.faithful { f32::NEG_INFINITY } else { HOPELESS };
        if depth == 1 {
            let mut values = std::mem::take(&mut self.leaves);
            values.clear();
            self.value_leaves(position, men, &moves, &mut values, limits);
            best = values.iter().copied().fold(best, f32::max);
            self.leaves = values;
        } else {
            for &m in &moves {
                let men = men.after(m, position.turn());
                let value = self.settled(m, &men, depth - 1).unwrap_or_else(|| {
                    let child = child_of(position, m);
                    self.value(&child, &men, depth - 1, limits)
                });
                best = best.max(value);
            }
        }

        if let Some(key) = key
            && !self.cut
        {
            self.table.insert(key, depth, best);
        }
        best
    }

    /// Appends the values of the positions after `moves`, the leaves of the search, unless a limit or a failure cuts
    /// the search short.
    fn value_leaves(
        &mut self,
        position: &Chess,
        men: &Men,
        moves: &[Move],
        values: &mut Vec<f32>,
        limits: Limits<'_>,
    ) {
        self.cut = self.cut || limits.forbid(self.nodes, moves.len() as u64);
        if self.cut {
            return;
        }
        self.nodes += moves.len() as u64;
        self.evaluations += moves.len() as u64;
        let stop = || limits.forbid(0, 0);
        if let Err(failure) = self.evaluator.evaluate_moves(position, moves, &stop, values) {
            self.failure = Some(failure);
            self.cut = true;
            return;
        }
        if values.len() < moves.len() {
            self.cut = true;
            return;
        }
        if self.settings.faithful {
            return;
        }
        for (&m, value) in moves.iter().zip(values) {
            if let Some(settled) = self.settled(m, &men.after(m, position.turn()), 0) {
                *value = settled;
            }
        }
    }

    /// The value after `m`, with `depth` plies left, if the numbers of men decide it.
    ///
    /// The position before `m` is neither satisfied nor hopeless, so only a move that changes the numbers can decide.
    fn settled(&self, m: Move, men_after: &Men, depth: u32) -> Option<f32> {
        if self.settings.faithful || !self.goal.may_change_with(m) {
            None
        } else if self.goal.is_satisfied_by(men_after) {
            Some(1.0 + (depth + 1) as f32)
        } else if self.goal.is_reachable_from(men_after) {
            None
        } else {
            Some(HOPELESS)
        }
    }
}

#[cfg(test)]
mod tests;
