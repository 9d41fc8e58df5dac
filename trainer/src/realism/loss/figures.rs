use std::collections::BTreeMap;

use super::{LossGame, PlyLoss};
use crate::realism::RANGES;

/// Stretches of a game that losses are summed up in: all of it, and the [`RANGES`].
pub const STRETCHES: [(&str, usize, usize); 1 + RANGES.len()] =
    [("all plies", 0, usize::MAX), RANGES[0], RANGES[1], RANGES[2]];

/// A mean over the plies of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// It.
    pub mean: f64,
    /// Its standard error; `None` if one game has all the plies.
    pub error: Option<f64>,
}

impl Estimate {
    /// The mean of `measure` over plies `from` up to `to` of games; `None` if no game has such a ply.
    ///
    /// It is a ratio, the sum over the number of plies, and games are drawn, not plies: those of one game are alike, so
    /// they are a cluster. With s and n of each of G games and the ratio m, the squared error is G / (G − 1) · Σ (s − m
    /// n)² / (Σ n)² (W. G. Cochran, Sampling Techniques, 1977, section 6.4). A game that is there several times is one
    /// cluster.
    pub fn of(
        games: &[LossGame],
        (from, to): (usize, usize),
        measure: impl Fn(PlyLoss) -> f64,
    ) -> Option<Estimate> {
        let mut clusters: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for game in games {
            let plies = game.plies.iter().take(to).skip(from);
            let (sum, count) = plies.fold((0.0, 0.0), |(sum, count), ply| (sum + measure(*ply), count + 1.0));
            if count > 0.0 {
                let cluster = clusters.entry(game.game).or_default();
                (cluster.0, cluster.1) = (cluster.0 + sum, cluster.1 + count);
            }
        }
        let (sum, plies) = clusters.values().fold((0.0, 0.0), |(sum, plies), (s, n)| (sum + s, plies + n));
        let mean = (plies > 0.0).then(|| sum / plies)?;
        let squares: f64 = clusters.values().map(|(s, n)| (s - mean * n).powi(2)).sum();
        let count = clusters.len() as f64;
        let error = (clusters.len() > 1).then(|| (count / (count - 1.0) * squares).sqrt() / plies);
        Some(Estimate { mean, error })
    }

    /// The 95% interval, not below 0, as no loss is; `None` without a standard error.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.error.map(|error| ((self.mean - 1.96 * error).max(0.0), self.mean + 1.96 * error))
    }
}

/// What moves of games lose, in each of the [`STRETCHES`]; `None` where no game has a ply.
#[derive(Clone, Debug, PartialEq)]
pub struct LossFigures {
    /// How many games.
    pub games: usize,
    /// Mean loss a ply, in centipawns.
    pub mean: [Option<Estimate>; STRETCHES.len()],
    /// Share of the moves that lose more than 100 centipawns.
    pub over_100: [Option<Estimate>; STRETCHES.len()],
    /// Share of the moves that lose more than 200 centipawns.
    pub over_200: [Option<Estimate>; STRETCHES.len()],
}

impl LossFigures {
    /// Those of games.
    pub fn of(games: &[LossGame]) -> LossFigures {
        let by_stretch = |measure: &dyn Fn(PlyLoss) -> f64| {
            STRETCHES.map(|(_, from, to)| Estimate::of(games, (from, to), measure))
        };
        let over = |least: i32| by_stretch(&|ply| f64::from(u8::from(ply.centipawns() > least)));
        LossFigures {
            games: games.len(),
            mean: by_stretch(&|ply| f64::from(ply.centipawns())),
            over_100: over(100),
            over_200: over(200),
        }
    }
}

#[cfg(test)]
mod tests {
    use entente::search::Score;

    use super::*;
    use crate::realism::loss::Value;

    fn game(number: usize, losses: &[i32]) -> LossGame {
        let ply =
            |loss: &i32| PlyLoss { before: Value::default(), after: Value::of(Score::Centipawns(-loss)) };
        LossGame { game: number, constraint: 0, plies: losses.iter().map(ply).collect() }
    }

    #[test]
    fn losses_are_means_over_plies_with_games_as_clusters() {
        let games = [game(0, &[0, 100]), game(1, &[200, 101, 1, 2]), game(2, &[300, 10])];
        let figures = LossFigures::of(&games);
        let all = figures.mean[0].unwrap();
        // 714 centipawns in 8 plies. Residuals 100 − 178.5, 304 − 357 and 310 − 178.5; √(3/2 · 26263.5) / 8.
        assert_eq!((figures.games, all.mean), (3, 89.25));
        assert!((all.error.unwrap() - (1.5_f64 * 26263.5).sqrt() / 8.0).abs() < 1e-9, "{all:?}");
        let (low, high) = all.interval().unwrap();
        assert!((low - (89.25 - 1.96 * all.error.unwrap())).abs() < 1e-9 && high > 130.0);
        let share = |figures: &[Option<Estimate>]| figures[0].unwrap().mean;
        assert_eq!(share(&figures.over_100), 3.0 / 8.0, "100 is not over 100");
        assert_eq!(share(&figures.over_200), 1.0 / 8.0, "200 is not over 200");
    }

    #[test]
    fn each_stretch_has_its_own_plies_and_games() {
        let long: Vec<i32> = (0..31).map(|ply| if ply < 10 { 10 } else { 40 }).collect();
        let figures = LossFigures::of(&[game(0, &long), game(1, &[20; 10])]);
        let means = figures.mean.map(|figure| figure.unwrap().mean);
        assert_eq!(means[1..], [15.0, 40.0, 40.0]);
        assert_eq!(figures.mean[2].unwrap().error, None, "one game has all these plies");
        assert_eq!(figures.mean[2].unwrap().interval(), None);
        let short = LossFigures::of(&[game(0, &[1]), game(1, &[1])]);
        assert_eq!(short.mean[2..], [None, None]);
        assert_eq!(short.mean[0].unwrap().interval(), Some((1.0, 1.0)));
        assert_eq!(LossFigures::of(&[]).mean[0], None);
    }

    #[test]
    fn a_game_that_is_there_twice_is_one_cluster() {
        let games = [game(0, &[0, 100]), game(1, &[50]), game(2, &[0; 4])];
        let doubled: Vec<LossGame> = games.iter().flat_map(|game| [game.clone(), game.clone()]).collect();
        assert_eq!(LossFigures::of(&doubled).mean, LossFigures::of(&games).mean);
    }

    #[test]
    fn an_interval_does_not_go_below_nothing() {
        let estimate = Estimate { mean: 1.0, error: Some(2.0) };
        assert_eq!(estimate.interval(), Some((0.0, 4.92)));
    }
}
