use std::collections::BTreeMap;

/// Standard errors on either side of a 95% interval.
pub(super) const IN_95_PERCENT: f64 = 1.96;

/// A mean, or a ratio of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// It.
    pub mean: f64,
    /// Its standard error; `None` if one game tells all.
    pub error: Option<f64>,
}

impl Estimate {
    /// The mean over things that come in games: of each part of a game, the number of the game, the sum over its things, and
    /// how many they are (or weigh). `None` without a thing.
    ///
    /// It is a ratio, the sum over the number of things, and games are drawn, not things: those of one game are alike, so
    /// they are a cluster. With s and n of each of G games and the ratio m, the squared error is G / (G − 1) · Σ (s − m
    /// n)² / (Σ n)² (W. G. Cochran, Sampling Techniques, 1977, section 6.4). A game that is there several times is one
    /// cluster.
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

    /// The ratio of it to one of other games; `None` if that is not above 0.
    ///
    /// The errors relative to either add up in squares: the ratio's logarithm is a difference of two that know nothing of
    /// each other.
    pub fn over(self, other: Estimate) -> Option<Estimate> {
        let mean = (other.mean > 0.0).then(|| self.mean / other.mean)?;
        let error = |own: f64, theirs: f64| (own / other.mean).hypot(mean * theirs / other.mean);
        Some(Estimate { mean, error: self.error.zip(other.error).map(|(own, theirs)| error(own, theirs)) })
    }

    /// How far the 95% interval reaches to either side; `None` without a standard error.
    pub fn reach(self) -> Option<f64> {
        self.error.map(|error| IN_95_PERCENT * error)
    }

    /// The 95% interval, not below 0, as nothing measured here is; `None` without a standard error.
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
        // 714 in 8. Residuals 100 − 178.5, 304 − 357 and 310 − 178.5; √(3/2 · 26263.5) / 8.
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
    fn a_game_that_is_there_twice_is_one_cluster() {
        let games = [(0, 100.0, 2.0), (1, 50.0, 1.0), (2, 0.0, 4.0)];
        let doubled = games.into_iter().flat_map(|game| [game, game]);
        assert_eq!(Estimate::of_games(doubled), Estimate::of_games(games));
    }

    #[test]
    fn weights_that_all_things_share_change_nothing() {
        let games = [(0, 100.0, 2.0), (1, 50.0, 1.0), (2, 0.0, 4.0)];
        let quarters = games.map(|(game, sum, count)| (game, sum / 4.0, count / 4.0));
        assert_eq!(Estimate::of_games(quarters), Estimate::of_games(games));
    }

    #[test]
    fn an_interval_does_not_go_below_nothing() {
        let estimate = Estimate { mean: 1.0, error: Some(2.0) };
        assert_eq!((estimate.reach(), estimate.interval()), (Some(3.92), Some((0.0, 4.92))));
    }

    #[test]
    fn a_ratio_is_as_uncertain_as_both() {
        let of = |mean, error| Estimate { mean, error };
        let ratio = of(3.0, Some(0.09)).over(of(2.0, Some(0.08))).unwrap();
        assert_eq!(ratio.mean, 1.5);
        // 3% and 4% make 5%.
        assert!((ratio.error.unwrap() - 0.05 * 1.5).abs() < 1e-12, "{ratio:?}");
        assert_eq!(of(0.0, Some(0.02)).over(of(2.0, Some(1.0))), Some(of(0.0, Some(0.01))));
        assert_eq!(of(3.0, None).over(of(2.0, Some(0.1))), Some(of(1.5, None)));
        assert_eq!(of(3.0, None).over(of(0.0, None)), None);
    }
}
