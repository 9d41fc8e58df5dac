use std::collections::BTreeMap;

/// Half the width of a 95% interval, in standard errors.
pub(super) const IN_95_PERCENT: f64 = 1.96;

/// A mean, or a ratio of two means, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub mean: f64,
    /// The standard error; `None` if there is only one game.
    pub error: Option<f64>,
}

impl Estimate {
    /// A mean over items that are grouped in games. Each part has the number of its game, the sum over its items, and
    /// their number (or weight). `None` if there are no items.
    ///
    /// The mean is a ratio estimate, the total sum divided by the total number. Items of the same game are correlated,
    /// so each game is a cluster. With the sums s and numbers n of G games and the ratio m, the squared standard error
    /// is G / (G − 1) · Σ (s − m n)² / (Σ n)² (W. G. Cochran, Sampling Techniques, 1977, section 6.4). A game with
    /// several parts is one cluster.
    pub fn of_games(parts: impl IntoIterator<Item = (usize, f64, f64)>) -> Option<Estimate> {
        let mut clusters: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (game, sum, count) in parts.into_iter().filter(|(.., count)| *count > 0.0) {
            let cluster = clusters.entry(game).or_default();
            (cluster.0, cluster.1) = (cluster.0 + sum, cluster.1 + count);
        }
        let (sum, all) = clusters.values().fold((0.0, 0.0), |(sum, all), (s, n)| (sum + s, all + n));
        let mean = (all > 0.0).then(|| sum / all)?;
        let squares: f64 = clusters.values().map(|(s, n)| (s - mean * n).powi(2)).sum();
        let count = clusters.len() as f64;
        let error = (clusters.len() > 1).then(|| (count / (count - 1.0) * squares).sqrt() / all);
        Some(Estimate { mean, error })
    }

    /// The ratio to an estimate from other games; `None` if that is not positive.
    ///
    /// The squares of the relative errors add up, because the logarithm of the ratio is a difference of two independent
    /// variables.
    pub fn over(self, other: Estimate) -> Option<Estimate> {
        let mean = (other.mean > 0.0).then(|| self.mean / other.mean)?;
        let error = |own: f64, theirs: f64| (own / other.mean).hypot(mean * theirs / other.mean);
        Some(Estimate { mean, error: self.error.zip(other.error).map(|(own, theirs)| error(own, theirs)) })
    }

    /// Half the width of the 95% interval; `None` without a standard error.
    pub fn reach(self) -> Option<f64> {
        self.error.map(|error| IN_95_PERCENT * error)
    }

    /// The 95% interval; `None` without a standard error. It ends at 0, because no quantity measured here is negative.
    pub fn interval(self) -> Option<(f64, f64)> {
        self.reach().map(|reach| ((self.mean - reach).max(0.0), self.mean + reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_games_as_clusters() {
        let all = Estimate::of_games([(0, 100.0, 2.0), (1, 304.0, 4.0), (2, 310.0, 2.0)]).unwrap();
        // The sum is 714 over 8 items. The residuals are 100 − 178.5, 304 − 357 and 310 − 178.5, and the error is √(3/2
        // · 26263.5) / 8.
        assert_eq!(all.mean, 89.25);
        assert!((all.error.unwrap() - (1.5_f64 * 26263.5).sqrt() / 8.0).abs() < 1e-9, "{all:?}");
        assert_eq!(Estimate::of_games([]), None);
        assert_eq!(
            Estimate::of_games([(0, 0.0, 0.0), (1, 2.0, 1.0)]),
            Some(Estimate { mean: 2.0, error: None })
        );
        assert_eq!(Estimate { mean: 2.0, error: None }.interval(), None);
    }

    #[test]
    fn a_game_that_occurs_twice_is_one_cluster() {
        let games = [(0, 100.0, 2.0), (1, 50.0, 1.0), (2, 0.0, 4.0)];
        let doubled = games.into_iter().flat_map(|game| [game, game]);
        assert_eq!(Estimate::of_games(doubled), Estimate::of_games(games));
    }

    #[test]
    fn a_common_weight_of_all_items_changes_nothing() {
        let games = [(0, 100.0, 2.0), (1, 50.0, 1.0), (2, 0.0, 4.0)];
        let quarters = games.map(|(game, sum, count)| (game, sum / 4.0, count / 4.0));
        assert_eq!(Estimate::of_games(quarters), Estimate::of_games(games));
    }

    #[test]
    fn an_interval_does_not_extend_below_zero() {
        let estimate = Estimate { mean: 1.0, error: Some(2.0) };
        assert_eq!((estimate.reach(), estimate.interval()), (Some(3.92), Some((0.0, 4.92))));
    }

    #[test]
    fn the_relative_errors_of_a_ratio_add_up_in_squares() {
        let of = |mean, error| Estimate { mean, error };
        let ratio = of(3.0, Some(0.09)).over(of(2.0, Some(0.08))).unwrap();
        assert_eq!(ratio.mean, 1.5);
        // 3% and 4% give 5%.
        assert!((ratio.error.unwrap() - 0.05 * 1.5).abs() < 1e-12, "{ratio:?}");
        assert_eq!(of(0.0, Some(0.02)).over(of(2.0, Some(1.0))), Some(of(0.0, Some(0.01))));
        assert_eq!(of(3.0, None).over(of(2.0, Some(0.1))), Some(of(1.5, None)));
        assert_eq!(of(3.0, None).over(of(0.0, None)), None);
    }
}
