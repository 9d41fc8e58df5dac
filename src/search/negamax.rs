use rand::{Rng, RngExt};
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::{Limits, transposition::TranspositionTable};
use crate::{
    constraint::{Goal, Men},
    evaluator::{Evaluator, NetworkError},
};

/// How a [`Negamax`] searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegamaxSettings {
    /// Plies to look ahead, at least 1.
    pub depth: u32,
    /// How far below the best value a move's may be for the move to be drawn, in [0, 1]; the thesis has 0.1.
    ///
    /// Unless [`NegamaxSettings::faithful`], what "below" means is for [`Evaluator::threshold`] to say, and where a
    /// satisfied position is found only the moves that lead to one as soon are drawn.
    pub criterion: f32,
    /// Search exactly as published: no pruning, no test for satisfied leaves, no table.
    pub faithful: bool,
}

impl NegamaxSettings {
    /// The deepest search that may be asked for, in plies.
    pub const MAX_DEPTH: u32 = 8;
    /// The thesis's criterion, in percent.
    pub const DEFAULT_CRITERION_PERCENT: u32 = 10;
    /// The thesis's criterion.
    pub const DEFAULT_CRITERION: f32 = NegamaxSettings::DEFAULT_CRITERION_PERCENT as f32 / 100.0;
}

/// The thesis's cooperative negamax (section 4.3, algorithm 3): negamax without the minus.
///
/// Unless [`NegamaxSettings::faithful`], moves after which the goal is proved unreachable are dropped,
/// a satisfied position has its exact value, the sooner the better, and a transposition table
/// is kept.
pub struct Negamax {
    goal: Goal,
    evaluator: Box<dyn Evaluator>,
    settings: NegamaxSettings,
    table: TranspositionTable,
    /// The values of leaves, kept to allocate nothing in the search.
    leaves: Vec<f32>,
    /// True once a limit or a failure has cut a search short: its values are worthless.
    cut: bool,
    /// Why the evaluator failed; kept here, so that the search itself hands on bare numbers.
    failure: Option<NetworkError>,
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
    /// Its satisfaction value, in [0, 1].
    pub value: f32,
}

/// The value of a position from which the goal is proved unreachable, or in which nobody can move. Leaves keep
/// the evaluator's value; the other ends of a game (75 moves, repetition, dead positions) are only seen at
/// the move played.
const HOPELESS: f32 = 0.0;

impl Negamax {
    /// A search for `goal`.
    pub fn new(goal: Goal, evaluator: Box<dyn Evaluator>, settings: NegamaxSettings) -> Negamax {
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

    /// Forgets what earlier searches found, so that the next one depends on nothing but its input.
    pub fn forget(&mut self) {
        self.table.forget();
        self.cut = false;
    }

    /// True if a limit or a failure has cut a search short since [`Negamax::forget`].
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    /// Chooses at random among the moves whose value is within the criterion of the best.
    ///
    /// `playable` says of a legal move whether the game goes on, or has reached its goal, after it; without any
    /// such move, or once a limit is reached, there is no choice.
    ///
    /// # Errors
    /// [`NetworkError`] if the evaluator cannot value a position.
    pub fn choose(
        &mut self,
        position: &Chess,
        playable: impl Fn(Move) -> bool,
        rng: &mut impl Rng,
        limits: Limits<'_>,
    ) -> Result<Option<Choice>, NetworkError> {
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
                        let mut child = position.clone();
                        child.play_unchecked(m);
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
                // A satisfied leaf is certain: only moves that lead to one as soon count as good.
                best
            } else {
                self.evaluator.threshold(best, self.settings.criterion)
            };
            candidates.clear();
            candidates.extend((0..scored.len()).filter(|&index| scored[index].value >= threshold));
            let index = candidates[rng.random_range(0..candidates.len())];
            let choice = scored[index];
            // Whether a game goes on costs a move generation: asked of the move drawn, not of all.
            if playable(choice.m) {
                return Some(Choice { value: choice.value.clamp(0.0, 1.0), ..choice });
            }
            scored.swap_remove(index);
        }
    }

    /// The value of `position` by search to `depth` ≥ 1 plies: in [0, 1], or 1 + the plies left where a satisfied
    /// position is found; as published, −∞ where nobody can move. Worthless once a limit is reached.
    fn value(&mut self, position: &Chess, men: &Men, depth: u32, limits: Limits<'_>) -> f32 {
        self.cut = self.cut || limits.forbid(self.nodes, 1);
        if self.cut {
            return HOPELESS;
        }
        self.nodes += 1;
        let key = (!self.settings.faithful && depth >= self.evaluator.worthwhile_table_depth())
            .then(|| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal));
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
                    let mut child = position.clone();
                    child.play_unchecked(m);
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

    /// Appends the values of the positions after `moves`, the leaves of the search: all, unless a limit or a
    /// failure cuts the search.
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
        if let Err(failure) = self.evaluator.evaluate_moves(position, moves, values) {
            self.failure = Some(failure);
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

    /// The value after `m`, with `depth` plies left, where the counts of men alone settle it.
    ///
    /// The position before `m` is neither satisfied nor hopeless, so only a move that changes that can be settled.
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
mod tests {
    use std::sync::atomic::AtomicBool;

    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// Values that look random but depend on the position alone.
    struct Scrambled;

    impl Scrambled {
        fn value(position: &Chess) -> f32 {
            let hash = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
            (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1u64 << 24) as f32
        }
    }

    impl Evaluator for Scrambled {
        fn evaluate_moves(
            &mut self,
            position: &Chess,
            moves: &[Move],
            values: &mut Vec<f32>,
        ) -> Result<(), NetworkError> {
            values.extend(moves.iter().map(|&m| Scrambled::value(&after(position, m))));
            Ok(())
        }

        fn threshold(&self, best: f32, criterion: f32) -> f32 {
            best * (1.0 - criterion)
        }
    }

    fn after(position: &Chess, m: Move) -> Chess {
        let mut child = position.clone();
        child.play_unchecked(m);
        child
    }

    /// Algorithm 3 of the thesis, word for word.
    fn published(position: &Chess, depth: u32) -> f32 {
        if depth == 0 {
            return Scrambled::value(position);
        }
        position
            .legal_moves()
            .iter()
            .map(|&m| published(&after(position, m), depth - 1))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    /// The default variant without table or counting of men.
    fn plain(position: &Chess, goal: &Goal, depth: u32) -> f32 {
        if goal.is_satisfied(position) {
            1.0 + (depth + 1) as f32
        } else if !goal.is_reachable_from(&Men::on(position.board())) {
            0.0
        } else if depth == 0 {
            Scrambled::value(position)
        } else {
            position
                .legal_moves()
                .iter()
                .map(|&m| plain(&after(position, m), goal, depth - 1))
                .fold(0.0, f32::max)
        }
    }

    const FENS: [&str; 3] = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "4k3/P6p/8/3pP3/8/2n5/1P5q/4K2R w K d6 0 1",
        "7k/5Q2/8/8/8/8/p7/K7 w - - 0 1",
    ];

    /// The moves chosen over many draws, sorted, with the value reported for them.
    fn choices(settings: NegamaxSettings, goal: &Goal, position: &Chess) -> Vec<(String, f32)> {
        let mut negamax = Negamax::new(goal.clone(), Box::new(Scrambled), settings);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut chosen: Vec<_> = (0..400)
            .map(|_| {
                let choice = negamax
                    .choose(position, |_| true, &mut rng, Limits::until(&AtomicBool::new(false)))
                    .unwrap()
                    .expect("a move");
                (choice.m.to_uci(CastlingMode::Standard).to_string(), choice.value)
            })
            .collect();
        chosen.sort_by(|a, b| a.0.cmp(&b.0));
        chosen.dedup();
        chosen
    }

    fn expected(
        position: &Chess,
        threshold: impl Fn(f32) -> f32,
        value: impl Fn(&Chess) -> f32,
    ) -> Vec<(String, f32)> {
        let moves = position.legal_moves();
        let values: Vec<f32> = moves.iter().map(|&m| value(&after(position, m))).collect();
        let best = values.iter().copied().fold(0.0, f32::max);
        let threshold = if best > 1.0 { best } else { threshold(best) };
        let mut within: Vec<_> = moves
            .iter()
            .zip(values)
            .filter(|(_, value)| *value >= threshold)
            .map(|(m, value)| (m.to_uci(CastlingMode::Standard).to_string(), value.min(1.0)))
            .collect();
        within.sort_by(|a, b| a.0.cmp(&b.0));
        within
    }

    #[test]
    fn both_variants_choose_among_exactly_the_moves_within_the_criterion() {
        for fen in FENS {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            for constraint in ["q=0 P>=1", "Q=2", "n=0 | p=3"] {
                let goal = Goal::new(&constraint.parse().unwrap()).unwrap();
                if goal.is_satisfied(&position) || !goal.is_reachable_from(&Men::on(position.board())) {
                    continue;
                }
                for depth in 1..=3 {
                    let settings = NegamaxSettings { depth, criterion: 0.15, faithful: true };
                    assert_eq!(
                        choices(settings, &goal, &position),
                        expected(&position, |best| best - 0.15, |child| published(child, depth - 1)),
                        "faithful, {fen}, depth {depth}"
                    );
                    let settings = NegamaxSettings { faithful: false, ..settings };
                    assert_eq!(
                        choices(settings, &goal, &position),
                        expected(&position, |best| best * 0.85, |child| plain(child, &goal, depth - 1)),
                        "default, {constraint}, {fen}, depth {depth}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_stopped_search_chooses_nothing() {
        let goal = Goal::new(&"q=0".parse().unwrap()).unwrap();
        let settings = NegamaxSettings { depth: 3, criterion: 0.1, faithful: false };
        let mut negamax = Negamax::new(goal, Box::new(Scrambled), settings);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(
            negamax
                .choose(&Chess::default(), |_| true, &mut rng, Limits::until(&AtomicBool::new(true)))
                .unwrap(),
            None
        );
    }

    /// Values all but one position.
    struct Failing(Chess);

    impl Evaluator for Failing {
        fn evaluate_moves(
            &mut self,
            position: &Chess,
            moves: &[Move],
            values: &mut Vec<f32>,
        ) -> Result<(), NetworkError> {
            if *position == self.0 {
                return Err(NetworkError::Unreadable { name: "failing".to_owned() });
            }
            values.resize(moves.len(), 0.5);
            Ok(())
        }
    }

    #[test]
    fn a_position_that_cannot_be_valued_is_an_error_wherever_search_meets_it() {
        let goal = Goal::new(&"q=0".parse().unwrap()).unwrap();
        let mut position = Chess::default();
        for depth in 1..=3 {
            let settings = NegamaxSettings { depth, criterion: 0.1, faithful: false };
            let mut negamax = Negamax::new(goal.clone(), Box::new(Failing(position.clone())), settings);
            let mut choose = |root: &Chess| {
                negamax.forget();
                let mut rng = ChaCha8Rng::seed_from_u64(1);
                negamax.choose(root, |_| true, &mut rng, Limits::until(&AtomicBool::new(false)))
            };
            assert!(matches!(choose(&Chess::default()), Err(NetworkError::Unreadable { .. })), "{depth}");
            let elsewhere = "4k3/8/8/8/8/8/3q4/6K1 b - - 0 1".parse::<Fen>().unwrap();
            let elsewhere: Chess = elsewhere.into_position(CastlingMode::Standard).unwrap();
            assert!(choose(&elsewhere).unwrap().is_some(), "a failure is no reason to fail later, {depth}");
            let m = position.legal_moves()[0];
            position.play_unchecked(m);
        }
    }
}
