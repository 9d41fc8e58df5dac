use super::backup::Known;

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub struct TreeProgress {
    /// The number of visits so far.
    pub visits: u64,
    /// The average length of a visit in plies, rounded down; at least 1.
    pub depth: u32,
    /// The length of the longest visit in plies.
    pub selective_depth: u32,
    /// How full the memory is, in thousandths.
    pub full: u32,
    /// The numbers of visits of the two most visited root moves.
    pub most_visited: [u32; 2],
    /// The proved result of the root, considering only the root moves that may be searched.
    pub known: Option<Known>,
}
