use shakmaty::Move;

use super::Variation;

/// How far a search has come.
#[derive(Debug)]
pub struct SearchReport<'a> {
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
pub type Reporter<'a> = dyn FnMut(&SearchReport<'_>) + 'a;
