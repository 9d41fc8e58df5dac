use std::sync::Arc;

use shakmaty::{CastlingSide, Chess, Color, Move, Position as _};

/// The most parts of a game: the moves before its root, its own, those of a search, and the moves that are tried next.
const PARTS: usize = 6;
/// A position and the game that led to it. Conditions are tested against this.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Chess,
    /// The number of plies from the root of the game.
    pub ply: u32,
    /// The game before the position, for conditions on the game.
    pub past: Past<'a>,
}

impl<'a> Situation<'a> {
    /// The start of a game.
    pub fn root(position: &'a Chess) -> Situation<'a> {
        Situation::first(position, 0)
    }

    /// A position whose game is not known except for its number of plies. The game counts as beginning here.
    pub fn first(position: &'a Chess, ply: u32) -> Situation<'a> {
        Situation { position, ply, past: Past::root(position) }
    }

    /// True if something has happened before the position; or in it, if `with_last`. `event` is the number by which
    /// notes know it, and `happens` is asked about positions that they do not know about.
    pub(crate) fn has_happened(
        &self,
        event: u64,
        with_last: bool,
        happens: impl Fn(Situation<'_>) -> bool,
    ) -> bool {
        let noted = self.past.noted(event, with_last);
        noted.unwrap_or_else(|| self.past.any(self.ply, with_last, happens))
    }

    /// The situation after further moves, which lead to `position`.
    pub fn after<'b>(&self, moves: &'b [Move], position: &'b Chess) -> Situation<'b>
    where
        'a: 'b,
    {
        Situation { position, ply: self.ply + moves.len() as u32, past: self.past.then(moves) }
    }
}

/// The game before a position: where it began, and its moves.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    root: &'a Chess,
    /// The moves, in parts that follow each other. Unused parts are empty.
    parts: [&'a [Move]; PARTS],
    /// What has happened in the game's first moves.
    notes: Option<&'a Notes>,
}

impl<'a> Past<'a> {
    /// A game that begins with `root`.
    pub fn root(root: &'a Chess) -> Past<'a> {
        Past { root, parts: [&[]; PARTS], notes: None }
    }

    /// The game after further moves.
    ///
    /// # Panics
    /// If the game already consists of six parts.
    pub fn then<'b>(&self, moves: &'b [Move]) -> Past<'b>
    where
        'a: 'b,
    {
        let mut longer: Past<'b> = *self;
        if !moves.is_empty() {
            let unused = longer.parts.iter_mut().find(|part| part.is_empty());
            *unused.expect("a game has at most six parts") = moves;
        }
        longer
    }

    /// The game with what is known to have happened in its first moves.
    pub fn with_notes(self, notes: &'a Notes) -> Past<'a> {
        Past { notes: Some(notes), ..self }
    }

    /// True if notes say what has happened in its first moves.
    pub(crate) fn has_notes(&self) -> bool {
        self.notes.is_some()
    }

    /// The first position of the game.
    pub fn first_position(&self) -> &'a Chess {
        self.root
    }

    /// The moves of the game.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<'a> {
        self.parts.into_iter().flatten().copied()
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    /// True if no move has been played.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.is_empty())
    }

    /// The game of its first `plies` moves.
    fn until(&self, mut plies: usize) -> Past<'a> {
        let parts = self.parts.map(|part| {
            let taken = plies.min(part.len());
            plies -= taken;
            &part[..taken]
        });
        Past { parts, ..*self }
    }

    /// How a side has castled, if it has.
    pub fn castled(&self, color: Color) -> Option<CastlingSide> {
        let mut turn = self.root.turn();
        self.moves().find_map(|m| {
            let mover = turn;
            turn = turn.other();
            m.castling_side().filter(|_| mover == color)
        })
    }

    /// True if `holds` is true of one of the positions before the last one; of the last one too if `with_last`.
    /// `ply` is the ply of the last position.
    fn any(&self, ply: u32, with_last: bool, holds: impl Fn(Situation<'_>) -> bool) -> bool {
        let all = self.len();
        let first = ply.saturating_sub(all as u32);
        let mut position = self.root.clone();
        let mut moves = self.moves();
        let end = if with_last { all + 1 } else { all };
        for plies in 0..end {
            if holds(Situation { position: &position, ply: first + plies as u32, past: self.until(plies) }) {
                return true;
            }
            if let Some(m) = moves.next() {
                position.play_unchecked(m);
            }
        }
        false
    }

    /// What the notes say about an event before the last position, or up to it if `with_last`.
    fn noted(&self, event: u64, with_last: bool) -> Option<bool> {
        let notes = self.notes?;
        let bit = 1 << notes.events.iter().position(|noted| *noted == event)?;
        match self.len().checked_sub(notes.plies)? {
            0 => Some((if with_last { notes.now } else { notes.before }) & bit != 0),
            1 if !with_last => Some(notes.now & bit != 0),
            _ if notes.now & bit != 0 => Some(true),
            _ => None,
        }
    }
}

/// What has happened in a game, so that conditions on it need not replay its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// A number for each event.
    pub(crate) events: Arc<[u64]>,
    /// The number of plies after which the notes were made.
    pub(crate) plies: usize,
    /// A bit for each event: it had happened before the last position.
    pub(crate) before: u64,
    /// It has happened, perhaps in the last position.
    pub(crate) now: u64,
}

/// The position after `m`, a legal move.
#[inline]
pub fn child_of(position: &Chess, m: Move) -> Chess {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

/// The number of plies played before `position` according to its move number, if the game began with White's move 1.
pub fn plies_before(position: &Chess) -> u32 {
    (position.fullmoves().get() - 1).saturating_mul(2).saturating_add(position.turn().fold_wb(0, 1))
}
