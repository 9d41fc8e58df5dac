use shakmaty::Move;

use super::Variation;

/// The progress of a search.
#[derive(Debug)]
pub struct SearchReport<'a> {
    /// The depth of the iteration in plies; for a tree search, the average depth of a visit.
    pub depth: u32,
    /// The length of the longest line searched, in plies.
    pub selective_depth: u32,
    /// The event that is reported.
    pub event: SearchEvent<'a>,
    /// The nodes of the whole search so far.
    pub nodes: u64,
    /// How full the memory is, in thousandths; 0 except with [`SearchEvent::Variations`].
    pub hashfull: u32,
    /// The number of results that tables of endings gave.
    pub table_hits: u64,
}

/// An event during a search.
#[derive(Clone, Copy, Debug)]
pub enum SearchEvent<'a> {
    /// An iteration has ended with these lines, the best first.
    Variations(&'a [Variation]),
    /// The search has ended with these lines, the best first. Other threads that helped may still be running.
    Answer(&'a [Variation]),
    /// The search begins this root move. The number counts root moves from 1.
    Move(Move, u32),
}

/// A callback for the progress of a search.
pub type Reporter<'a> = dyn FnMut(&SearchReport<'_>) + 'a;
