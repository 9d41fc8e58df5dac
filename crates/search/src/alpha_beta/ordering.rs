use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    exchange::piece_value,
    ply::{PLACES, placed},
    value::MAX_PLY,
};

/// Statistics for the ordering of moves: killers, which refuted siblings; the history heuristic, by how often a move
/// refuted others anywhere; and continuation history, which depends on the previous moves. Captures have a history of their
/// own.
#[derive(Debug)]
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY as usize],
    /// Indexed by side, from and to.
    history: Box<[[[i32; 64]; 64]; 2]>,
    /// Continuation history, indexed by the [`placed`] number of a move one or two plies earlier, then by the
    /// [`placed`] number of the move itself. Empty for a short search.
    continuations: Vec<[i16; PLACES]>,
    /// Capture history, indexed by the [`placed`] number of the capturing man and by the captured man. Empty for a short
    /// search.
    captures: Vec<[i16; VICTIMS]>,
}

/// The moves one and two plies earlier, as [`placed`] numbers them.
pub(super) type Before = [Option<u16>; 2];

/// The weight of the continuation history relative to the history.
const CONTINUATION: i32 = 32;
/// The score of the first killer.
const KILLER: i32 = 1 << 22;
/// The bound on the absolute values of continuation history and capture history.
const MAX_STATISTIC: i32 = 1 << 14;
/// The capture history divided by this is added to the score of a capture.
const CAPTURE_HISTORY: i32 = 8;
/// The kinds of captured men, and none.
const VICTIMS: usize = 7;
/// The bound on the absolute values of the history, which never outweighs a killer.
const MAX_HISTORY: i32 = 1 << 20;

impl Ordering {
    /// Empty statistics, with continuation history only for a deep search.
    pub(super) fn new(is_deep: bool) -> Ordering {
        Ordering {
            killers: [[None; 2]; MAX_PLY as usize],
            history: Box::new([[[0; 64]; 64]; 2]),
            continuations: vec![[0; PLACES]; if is_deep { PLACES } else { 0 }],
            captures: vec![[0; VICTIMS]; if is_deep { PLACES } else { 0 }],
        }
    }

    /// The continuation history of a quiet move after the moves in `before`.
    fn continuation(&self, before: Before, m: u16) -> i32 {
        if self.continuations.is_empty() {
            return 0;
        }
        let of = |before: u16| i32::from(self.continuations[usize::from(before)][usize::from(m)]);
        before.into_iter().flatten().map(of).sum()
    }

    /// Records that `m` caused a beta cutoff in a deep search. `tried` are the quiet moves and the captures searched
    /// before, which did not.
    pub(super) fn learn(
        &mut self,
        position: &Chess,
        m: Move,
        (quiet, captures): (&[Move], &[Move]),
        before: Before,
        (ply, depth): (u32, i32),
    ) {
        let bonus = (170 * depth - 90).clamp(0, 1700);
        if is_quiet(m) {
            self.add_killer(m, ply);
            self.learn_quiet(position, m, before, bonus);
            quiet.iter().for_each(|m| self.learn_quiet(position, *m, before, -bonus));
        } else {
            update(self.capture_history_mut(position, m), bonus);
        }
        captures.iter().for_each(|m| update(self.capture_history_mut(position, *m), -bonus));
    }

    /// Updates the histories of a quiet move. A negative `bonus` is a penalty.
    fn learn_quiet(&mut self, position: &Chess, m: Move, before: Before, bonus: i32) {
        self.add(m, position.turn(), 2 * bonus);
        let placed = usize::from(placed(position, m));
        for before in before.into_iter().flatten() {
            update(&mut self.continuations[usize::from(before)][placed], bonus);
        }
    }

    /// The capture history of a capture or promotion.
    fn capture_history_mut(&mut self, position: &Chess, m: Move) -> &mut i16 {
        &mut self.captures[usize::from(placed(position, m))][victim(m)]
    }

    /// The score of a capture or promotion: what it wins, and how often it refuted moves.
    pub(super) fn capture(&self, position: &Chess, m: Move) -> i32 {
        let history = self.captures.get(usize::from(placed(position, m))).map_or(0, |row| row[victim(m)]);
        tactical(m) + i32::from(history) / CAPTURE_HISTORY
    }

    /// Prepares for the next search: clears the killers and scales the history down.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY as usize];
        self.history.iter_mut().flatten().flatten().for_each(|value| *value /= 8);
    }

    /// The score of a quiet move at `ply` after the moves in `before`.
    pub(super) fn quiet(&self, position: &Chess, m: Move, ply: u32, before: Before) -> i32 {
        match self.killers[ply as usize].iter().position(|killer| *killer == Some(m)) {
            Some(place) => KILLER - place as i32,
            None => self.experience(position, m, before),
        }
    }

    /// The history of a quiet move plus its continuation history.
    pub(super) fn experience(&self, position: &Chess, m: Move, before: Before) -> i32 {
        self.history(m, position.turn()) + CONTINUATION * self.continuation(before, placed(position, m))
    }

    /// The history of a quiet move.
    pub(super) fn history(&self, m: Move, turn: Color) -> i32 {
        let (from, to) = squares(m);
        self.history[turn as usize][from][to]
    }

    /// Records that the quiet move `m` caused a beta cutoff in a short search. `tried` are the quiet moves searched before,
    /// which did not.
    pub(super) fn refuted(&mut self, m: Move, tried: &[Move], turn: Color, ply: u32, depth: u32) {
        self.add_killer(m, ply);
        let bonus = (depth * depth).min(400) as i32;
        self.add(m, turn, bonus);
        tried.iter().for_each(|m| self.add(*m, turn, -bonus));
    }

    fn add_killer(&mut self, m: Move, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }

    fn add(&mut self, m: Move, turn: Color, bonus: i32) {
        let (from, to) = squares(m);
        let value = &mut self.history[turn as usize][from][to];
        // The update decays near the bounds, so the value never exceeds them.
        *value +=
            32 * bonus - (i64::from(*value) * i64::from(bonus.abs()) * 32 / i64::from(MAX_HISTORY)) as i32;
    }
}

/// True for moves that are neither captures nor promotions.
#[inline]
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// The score of a capture or promotion: most valuable victim first, then least valuable attacker (MVV-LVA). Promotions
/// score by the gain in material.
#[inline]
pub(super) fn tactical(m: Move) -> i32 {
    let won = m.capture().map_or(0, piece_value)
        + m.promotion().map_or(0, |role| piece_value(role) - piece_value(Role::Pawn));
    16 * won - piece_value(m.role())
}

/// Moves a statistic toward its bound. The nearer it is, the smaller the steps.
fn update(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_STATISTIC) as i16;
}

fn victim(m: Move) -> usize {
    m.capture().map_or(0, |role| role as usize)
}

fn squares(m: Move) -> (usize, usize) {
    (m.from().map_or(0, usize::from), usize::from(m.to()))
}
