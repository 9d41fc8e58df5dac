//! The results of one slice by retrograde analysis.
//!
//! A position is won if a move leads to one that the other side loses, and lost if all moves lead to positions that
//! the other side wins and there is a move or a check. Positions that are never found to be either are drawn. Wins of
//! White with losses of Black, and the reverse, are two independent problems, and the order in which positions are
//! found makes no difference to the result.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{exits::Exits, moves::Moves, sub::Tables};
use crate::{
    layout::Layout,
    men::{Man, legal},
    table::Slice,
};

/// A set of positions: a bit for each, in words.
type Plane = Vec<u64>;

/// A slice and what else is kept of it.
pub(super) struct Solved {
    pub(super) slice: Slice,
    /// The stalemates of each side to move, if a double step can lead to this slice with en passant possible.
    pub(super) stalemates: Option<Vec<u64>>,
}

/// The number of planes that are in memory at once.
pub(super) const PLANES: usize = 8;

/// Computes a slice. None if it was stopped.
pub(super) fn solve(tables: &Tables, slice: usize, stop: &AtomicBool) -> Option<Solved> {
    let layout = tables.layout;
    let moves = Moves::new(layout, slice);
    let pawns = pawns(layout, slice);
    let count = layout.words();
    let stopped = |word: usize| word.is_multiple_of(1024) && stop.load(Ordering::Relaxed);

    let mut open = [0, 1]
        .map(|turn| -> Plane { (0..count).map(|word| legal_word(layout, &pawns, word, turn)).collect() });
    let mut wins = [vec![], vec![]];
    let mut undecided = [vec![], vec![]];
    let keeps_stalemates = allows_en_passant(layout, slice);
    let mut stalemates = Vec::new();
    for side in 0..2 {
        let exits = Exits::new(tables, slice, side);
        let (mine, theirs) = (&open[side], &open[1 - side]);
        wins[side] = vec![0; count];
        undecided[side] = vec![0; count];
        for word in 0..count {
            if stopped(word) {
                return None;
            }
            let mut stalemate = 0;
            if mine[word] != 0 {
                let at = layout.outer_squares(word);
                let outcome = exits.outcome(&moves, &at);
                // Where the other side could be to move, the king is not in check.
                stalemate = mine[word] & theirs[word] & !outcome.any;
                if stalemate != 0 {
                    stalemate &= !moves.reaching(side, theirs, word, &at, stalemate);
                }
                wins[side][word] = mine[word] & outcome.win;
                undecided[side][word] = mine[word] & !outcome.safe & !stalemate;
            }
            if keeps_stalemates {
                stalemates.push(stalemate);
            }
        }
    }
    for (open, wins) in open.iter_mut().zip(&wins) {
        open.iter_mut().zip(wins).for_each(|(open, wins)| *open &= !wins);
    }
    let [mut changed, mut candidates] = wins;
    let mut losses = [vec![0; count], vec![0; count]];
    for winner in 0..2 {
        let mut chase = Chase {
            moves: &moves,
            winner,
            open: &mut open[winner],
            undecided: &mut undecided[1 - winner],
            losses: &mut losses[1 - winner],
            changed: &mut changed,
            candidates: &mut candidates,
        };
        if !chase.run(stop) {
            return None;
        }
    }

    let slice = [0, 1].map(|turn| {
        let mut words = Vec::with_capacity(2 * count);
        let mut last = [0, 0];
        for word in 0..count {
            let care = legal_word(layout, &pawns, word, turn);
            if care != 0 {
                last = [!open[turn][word] & care, losses[turn][word] & care].map(|set| smooth(set, care));
            }
            words.extend(last);
        }
        words.into_boxed_slice()
    });
    Some(Solved { slice, stalemates: keeps_stalemates.then_some(stalemates) })
}

fn pawns(layout: &Layout, slice: usize) -> Vec<Man> {
    let pawns = layout.pawns.pawns(slice).iter().enumerate();
    let color = |number: usize| usize::from(number >= layout.pawns.first());
    pawns.map(|(number, &square)| Man { color: color(number), role: shakmaty::Role::Pawn, square }).collect()
}

/// The legal positions of a word.
fn legal_word(layout: &Layout, pawns: &[Man], word: usize, turn: usize) -> u64 {
    let at = layout.outer_squares(word);
    let inner = layout.men.len() - 1;
    let mut others = [Man { color: 0, role: shakmaty::Role::King, square: 0 }; 5];
    for (place, man) in others[..inner].iter_mut().enumerate() {
        let (color, role) = layout.men[place];
        *man = Man { color, role, square: at[place] };
    }
    others[inner..inner + pawns.len()].copy_from_slice(pawns);
    legal(&others[..inner + pawns.len()], layout.men[inner], turn)
}

/// Whether pawns of both sides stand side by side where one of them may have just made a double step.
fn allows_en_passant(layout: &Layout, slice: usize) -> bool {
    let (white, black) = layout.pawns.pawns(slice).split_at(layout.pawns.first());
    white.iter().any(|white| {
        black
            .iter()
            .any(|black| white / 8 == black / 8 && matches!(white / 8, 3 | 4) && white.abs_diff(*black) == 1)
    })
}

/// Illegal positions take the result of the one before, which makes files smaller.
fn smooth(set: u64, care: u64) -> u64 {
    let (mut set, mut known) = (set & care, care);
    for step in [1, 2, 4, 8, 16, 32] {
        set |= set << step & !known;
        known |= known << step;
    }
    let leading = !known;
    if set >> leading.trailing_ones() & 1 == 1 { set | leading } else { set }
}

/// The wins of one side and the losses of the other.
struct Chase<'a> {
    moves: &'a Moves<'a>,
    winner: usize,
    /// Positions with the winner to move that are legal and not found to be won.
    open: &'a mut Plane,
    /// Positions with the loser to move that are lost if no move of a piece avoids it, and not found to be lost.
    undecided: &'a mut Plane,
    losses: &'a mut Plane,
    /// New wins from which no move has been taken back.
    changed: &'a mut Plane,
    /// Positions of the loser that may be lost since a position after them was found to be won.
    candidates: &'a mut Plane,
}

impl Chase<'_> {
    /// Finds all of them; false if it was stopped.
    fn run(&mut self, stop: &AtomicBool) -> bool {
        self.changed.fill(0);
        self.candidates.clone_from(self.undecided);
        loop {
            if !self.find_losses(stop) {
                return false;
            }
            if !self.find_candidates(stop) {
                return !stop.load(Ordering::Relaxed);
            }
        }
    }

    /// Tests all candidates, and takes moves back from those that are lost. False if it was stopped.
    fn find_losses(&mut self, stop: &AtomicBool) -> bool {
        for word in 0..self.candidates.len() {
            let candidates = std::mem::take(&mut self.candidates[word]);
            if candidates == 0 {
                continue;
            }
            if word.is_multiple_of(64) && stop.load(Ordering::Relaxed) {
                return false;
            }
            let at = self.moves.layout.outer_squares(word);
            let lost = candidates & !self.moves.reaching(1 - self.winner, self.open, word, &at, candidates);
            if lost != 0 {
                self.losses[word] |= lost;
                self.undecided[word] &= !lost;
                let (open, changed) = (&mut *self.open, &mut *self.changed);
                self.moves.before(self.winner, word, &at, lost, |before, set| {
                    let won = set & open[before];
                    open[before] ^= won;
                    changed[before] |= won;
                });
            }
        }
        true
    }

    /// Takes moves back from new wins. False if there were none, or if it was stopped.
    fn find_candidates(&mut self, stop: &AtomicBool) -> bool {
        let mut found = false;
        for word in 0..self.changed.len() {
            let won = std::mem::take(&mut self.changed[word]);
            if won == 0 {
                continue;
            }
            if word.is_multiple_of(64) && stop.load(Ordering::Relaxed) {
                return false;
            }
            found = true;
            let at = self.moves.layout.outer_squares(word);
            let (undecided, candidates) = (&*self.undecided, &mut *self.candidates);
            self.moves.before(1 - self.winner, word, &at, won, |before, set| {
                candidates[before] |= set & undecided[before]
            });
        }
        found
    }
}
