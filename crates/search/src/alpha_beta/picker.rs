//! The staged move picker: the order in which the moves of a node are searched.

use shakmaty::{Chess, Move, MoveList};

use super::{
    exchange::gains_at_least,
    ordering::{Before, Ordering, is_quiet},
};

/// Picks the moves of a node in order: the table move, captures and promotions by MVV-LVA and history, killers, other
/// quiet moves by history, and losing captures. Among moves with equal scores, the one generated first comes first.
///
/// Moves are scored only when their stage begins, because most nodes are refuted by their first move.
pub(super) struct Picker<'a> {
    position: &'a Chess,
    legal: &'a MoveList,
    table: Option<Move>,
    /// True if losing captures come last.
    losing_last: bool,
    stage: Stage,
    /// The scored moves; the ones already picked come first.
    moves: Vec<Ranked>,
    /// The number of moves picked from `moves`.
    taken: usize,
    /// A predicate for quiet moves to skip, once some are skipped.
    is_skipped: Option<fn(&Chess, Move) -> bool>,
}

enum Stage {
    Table,
    Unscored,
    Tactical,
    Quiet,
}

/// A move with its rank, which is unique among the moves of its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    rank: i64,
    pub m: Move,
}

/// The penalty of losing captures. It places them after the quiet moves.
const LOSING: i32 = 1 << 25;
/// The bonus of captures and promotions. It places them before the quiet moves.
const CAPTURE: i32 = 1 << 24;

impl Ranked {
    /// A move with its score. Among moves with equal scores, the lowest number ranks first.
    pub(super) fn new(m: Move, score: i32, number: usize) -> Ranked {
        Ranked { rank: (i64::from(score) << 16) - number as i64, m }
    }

    /// The score, or one less. This suffices to tell the stage of the move.
    fn score(self) -> i32 {
        (self.rank >> 16) as i32
    }
}

/// Swaps the best move at or after index `first` to `first`, and returns it.
#[inline]
pub(super) fn best_first(moves: &mut [Ranked], first: usize) -> Option<Ranked> {
    let best = (first..moves.len()).max_by_key(|place| moves[*place].rank)?;
    moves.swap(first, best);
    Some(moves[first])
}

impl<'a> Picker<'a> {
    /// A picker for all legal moves of the position. The table move must be one of them.
    pub(super) fn new(
        position: &'a Chess,
        legal: &'a MoveList,
        table: Option<Move>,
        losing_last: bool,
    ) -> Picker<'a> {
        Picker {
            position,
            legal,
            table,
            losing_last,
            stage: Stage::Table,
            moves: Vec::new(),
            taken: 0,
            is_skipped: None,
        }
    }

    /// Skips quiet moves for which `of_quiet` is true from now on.
    pub(super) fn skip_quiet(&mut self, of_quiet: fn(&Chess, Move) -> bool) {
        self.is_skipped = Some(of_quiet);
        let mut place = 0;
        self.moves.retain(|Ranked { m, .. }| {
            place += 1;
            place <= self.taken || !is_quiet(*m) || !of_quiet(self.position, *m)
        });
    }

    /// The next move at `ply` after the moves in `before`, ordered by the statistics so far.
    pub(super) fn next(&mut self, ordering: &Ordering, ply: u32, before: Before) -> Option<Move> {
        if let Stage::Table = self.stage {
            self.stage = Stage::Unscored;
            if self.table.is_some() {
                return self.table;
            }
        }
        if let Stage::Unscored = self.stage {
            self.stage = Stage::Tactical;
            self.moves.reserve_exact(self.legal.len());
            let others =
                self.legal.iter().zip(0..).filter(|(m, _)| !is_quiet(**m) && Some(**m) != self.table);
            let score = |m: Move| ordering.capture(self.position, m) + CAPTURE;
            self.moves.extend(others.map(|(m, number)| Ranked::new(*m, score(*m), number)));
        }
        loop {
            let best = best_first(&mut self.moves, self.taken);
            if let Stage::Tactical = self.stage
                && best.is_none_or(|best| best.score() < 0)
            {
                self.stage = Stage::Quiet;
                self.add_quiet(ordering, ply, before);
                continue;
            }
            let Ranked { m, .. } = best?;
            if let Stage::Tactical = self.stage
                && self.losing_last
                && m.is_capture()
                && !gains_at_least(self.position, m, 0)
            {
                self.moves[self.taken].rank -= i64::from(LOSING) << 16;
                continue;
            }
            self.taken += 1;
            return Some(m);
        }
    }

    /// Scores and adds the quiet moves.
    fn add_quiet(&mut self, ordering: &Ordering, ply: u32, before: Before) {
        let position = self.position;
        for (m, number) in self.legal.iter().zip(0..) {
            let is_skipped = || self.is_skipped.is_some_and(|is_skipped| is_skipped(position, *m));
            if is_quiet(*m) && Some(*m) != self.table && !is_skipped() {
                self.moves.push(Ranked::new(*m, ordering.quiet(position, *m, ply, before), number));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::position_from_fen;

    /// White can capture a rook, or a pawn at a loss.
    const POSITION: &str = "4k3/8/2p5/3p4/r7/1P3B2/1R6/1R2K3 w - - 0 1";

    /// The moves in the order picked. After `skip_after` moves, quiet moves to the first rank are skipped.
    fn picked(losing_last: bool, table: Option<&str>, skip_after: usize) -> Vec<String> {
        let position = position_from_fen(POSITION).unwrap();
        let legal = position.legal_moves();
        let named = |name: &str| legal.iter().copied().find(|m| m.to_string() == name).unwrap();
        let mut ordering = Ordering::new(false);
        let [killer, good, bad] = ["Bf3-h1", "Ke1-f2", "Ke1-e2"].map(named);
        ordering.refuted(good, &[bad], position.turn(), 3, 9);
        ordering.refuted(killer, &[], position.turn(), 2, 1);
        let mut picker = Picker::new(&position, &legal, table.map(named), losing_last);
        let mut picked = Vec::new();
        while let Some(m) = picker.next(&ordering, 2, [None; 2]) {
            picked.push(m.to_string());
            if picked.len() == skip_after {
                picker.skip_quiet(|_, m| m.to().rank() == shakmaty::Rank::First);
            }
        }
        picked
    }

    #[test]
    fn each_move_is_picked_once_in_the_expected_order() {
        let count = position_from_fen(POSITION).unwrap().legal_moves().len();
        let all = picked(true, None, usize::MAX);
        assert_eq!(all[..3], ["b3xa4", "Bf3-h1", "Ke1-f2"]);
        assert_eq!(all[count - 2..], ["Ke1-e2", "Bf3xd5"]);
        assert_eq!(picked(false, None, usize::MAX)[..3], ["b3xa4", "Bf3xd5", "Bf3-h1"]);
        let with_table = picked(true, Some("Ke1-e2"), usize::MAX);
        assert_eq!(with_table[..3], ["Ke1-e2", "b3xa4", "Bf3-h1"]);
        for mut moves in [all, with_table] {
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), count);
        }
    }

    #[test]
    fn skipped_moves_are_never_picked_whenever_skipping_begins() {
        let all = picked(true, None, usize::MAX);
        let is_out = |m: &String| !m.contains('x') && m.ends_with('1');
        for taken in 1..all.len() {
            let expected = all.iter().zip(0..).filter(|(m, place)| *place < taken || !is_out(m));
            let expected: Vec<String> = expected.map(|(m, _)| m.clone()).collect();
            assert_eq!(picked(true, None, taken), expected, "after {taken}");
        }
    }
}
