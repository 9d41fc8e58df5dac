use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    exchange::worth,
    ply::{PLACES, placed},
    value::MAX_PLY,
};

/// What the search has learnt of quiet moves: which refuted siblings (killers), and which refuted most elsewhere (history).
#[derive(Debug)]
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY as usize],
    /// By side, from and to.
    history: Box<[[[i32; 64]; 64]; 2]>,
    /// By the man that moved a ply or two before, and where to, and the same of the move; none if the search is short.
    continuations: Vec<[i16; PLACES]>,
}

/// What came before a move: the men that moved a ply and two plies before, and where to.
pub(super) type Before = [Option<u16>; 2];

/// How much the history of what follows a move counts beside that of the move alone.
const CONTINUATION: i32 = 32;
const KILLER: i32 = 1 << 22;
const MOST_CONTINUATION: i32 = 1 << 14;
/// The history never outweighs a killer.
const MOST_HISTORY: i32 = 1 << 20;

impl Ordering {
    /// Of a search that is deep, or of one that is not worth to learn much from.
    pub(super) fn new(is_deep: bool) -> Ordering {
        Ordering {
            killers: [[None; 2]; MAX_PLY as usize],
            history: Box::new([[[0; 64]; 64]; 2]),
            continuations: vec![[0; PLACES]; if is_deep { PLACES } else { 0 }],
        }
    }

    /// What is known of a quiet move after others.
    fn continuation(&self, before: Before, m: u16) -> i32 {
        if self.continuations.is_empty() {
            return 0;
        }
        let of = |before: u16| i32::from(self.continuations[usize::from(before)][usize::from(m)]);
        before.into_iter().flatten().map(of).sum()
    }

    /// A quiet move after others was good, or was not.
    pub(super) fn learn_continuation(&mut self, before: Before, m: u16, bonus: i32) {
        if self.continuations.is_empty() {
            return;
        }
        for before in before.into_iter().flatten() {
            let value = &mut self.continuations[usize::from(before)][usize::from(m)];
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / MOST_CONTINUATION) as i16;
        }
    }

    /// Forgets killers; the history fades.
    pub(super) fn fade(&mut self) {
        self.killers = [[None; 2]; MAX_PLY as usize];
        self.history.iter_mut().flatten().flatten().for_each(|value| *value /= 8);
    }

    /// How promising a quiet move is at this ply, after these moves.
    pub(super) fn quiet(&self, position: &Chess, m: Move, ply: u32, before: Before) -> i32 {
        match self.killers[ply as usize].iter().position(|killer| *killer == Some(m)) {
            Some(place) => KILLER - place as i32,
            None => self.experience(position, m, before),
        }
    }

    /// How often a quiet move was good, by itself and after these moves.
    pub(super) fn experience(&self, position: &Chess, m: Move, before: Before) -> i32 {
        self.history(m, position.turn()) + CONTINUATION * self.continuation(before, placed(position, m))
    }

    /// What the history says of a quiet move.
    pub(super) fn history(&self, m: Move, turn: Color) -> i32 {
        let (from, to) = squares(m);
        self.history[turn as usize][from][to]
    }

    /// A quiet move refuted the opponent's; `tried` are the quiet ones that had not.
    pub(super) fn refuted(&mut self, m: Move, tried: &[Move], turn: Color, ply: u32, depth: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let bonus = (depth * depth).min(400) as i32;
        self.add(m, turn, bonus);
        tried.iter().for_each(|m| self.add(*m, turn, -bonus));
    }

    fn add(&mut self, m: Move, turn: Color, bonus: i32) {
        let (from, to) = squares(m);
        let value = &mut self.history[turn as usize][from][to];
        // Moves towards the bounds and never past them.
        *value +=
            32 * bonus - (i64::from(*value) * i64::from(bonus.abs()) * 32 / i64::from(MOST_HISTORY)) as i32;
    }
}

/// True for moves that neither capture nor promote.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// Captures by what is won, then by what wins it; promotions by what is gained.
pub(super) fn tactical(m: Move) -> i32 {
    let won = m.capture().map_or(0, worth) + m.promotion().map_or(0, |role| worth(role) - worth(Role::Pawn));
    16 * won - worth(m.role())
}

fn squares(m: Move) -> (usize, usize) {
    (m.from().map_or(0, usize::from), usize::from(m.to()))
}
