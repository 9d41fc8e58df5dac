use super::backup::Known;

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct TreeProgress {
    /// Visits so far.
    pub visits: u64,
    /// Plies of a visit, on average, rounded down; at least 1.
    pub depth: u32,
    /// Plies of the longest visit.
    pub selective_depth: u32,
    /// How full the memory is, in thousandths.
    pub full: u32,
    /// Visits of the most visited move of the root, and of the next.
    pub most_visited: [u32; 2],
    /// What is proved of the root by those of its moves that may be looked at.
    pub known: Option<Known>,
}
