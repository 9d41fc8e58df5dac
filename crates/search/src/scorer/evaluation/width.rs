//! The numbers of neurons of the networks in the program.

/// The number of neurons of the network `evaluation` for each side. It is for playouts, and for short searches, to which
/// the skill of human players is fitted, so it does not change.
pub const NARROW: usize = 128;
/// The number of neurons of the network `evaluation-wide` for each side. It is for the strongest searches.
pub const WIDE: usize = 384;
