//! What is asked of a search for a move, and what it tells.

use shakmaty::Move;

use super::{Limits, Score, Timer};

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Request {
    /// The moves to choose from, all legal; not empty.
    pub moves: Vec<Move>,
    /// The deepest iteration, in plies; of a tree search, the plies of the longest line followed.
    pub depth: u32,
    /// Ends the search when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Use the time up even where nothing can change any more.
    pub patient: bool,
    /// How many of the best moves to report a line of.
    pub lines: usize,
}

impl Request {
    /// True if looking deeper than so many plies cannot give a better answer than one of this score.
    pub(super) fn is_answered(&self, score: Score, depth: u32, limits: Limits<'_>) -> bool {
        let mate = match score {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        };
        if let (Some(moves), Some(most)) = (mate, self.mate) {
            return (1..=i64::from(most)).contains(&i64::from(moves));
        }
        let timed = limits.timer.is_some_and(Timer::is_set);
        // No mate is sooner than one found within the plies of an iteration.
        let decided = mate.is_some_and(|moves| 2 * moves.unsigned_abs() <= depth);
        timed && !self.patient && (decided || self.moves.len() == 1)
    }
}

/// A line of play and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The value.
    pub score: Score,
    /// The chances to win, draw and lose, in thousandths that add up to 1000.
    pub chances: [u32; 3],
    /// The moves; never empty.
    pub moves: Vec<Move>,
}

impl Variation {
    /// A line of which nothing but the score is known.
    pub(super) fn of(score: Score, moves: Vec<Move>) -> Variation {
        Variation { score, chances: score.chances(), moves }
    }
}

/// How far a search has come.
#[derive(Debug)]
pub struct Report<'a> {
    /// Plies of the iteration; of a tree search, those of a visit on average.
    pub depth: u32,
    /// The most plies that any line was followed.
    pub selective_depth: u32,
    /// What there is to tell.
    pub news: News<'a>,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// How full the memory is, in thousandths; 0 beside [`News::Move`].
    pub hashfull: u32,
}

/// What a search tells on its way.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// An iteration has ended, with these lines, the best first.
    Variations(&'a [Variation]),
    /// It turns to this move of the root, the so-manyth, from 1.
    Move(Move, u32),
}

/// What is told of a search.
pub type Reporter<'a> = dyn FnMut(&Report<'_>) + 'a;
