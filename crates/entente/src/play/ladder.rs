//! Tables of ratings and efforts. Between two ratings the effort is interpolated geometrically.

use entente_search::PortableMath as _;

/// The entries on either side of `elo`, and how far it is from the first to the second, from 0 to 1. A rating outside
/// the table counts as the nearest one in it.
///
/// `ladder` must have at least two entries, in ascending order of rating.
pub(super) fn rungs<T: Copy>(ladder: &[(u32, T)], elo: u32) -> (T, T, f64) {
    let elo = elo.clamp(ladder[0].0, ladder[ladder.len() - 1].0);
    let above = ladder.iter().position(|(rating, _)| *rating >= elo).unwrap_or(0).max(1);
    let ((low, less), (high, more)) = (ladder[above - 1], ladder[above]);
    (less, more, f64::from(elo - low) / f64::from(high - low))
}

/// The geometric mean of two numbers; `share` is the weight of the second.
pub(super) fn between(low: f64, high: f64, share: f64) -> f64 {
    low * (high / low).portable_powf(share)
}
