use super::{LossGame, PlyLoss};
use crate::realism::{Estimate, RANGES};

/// The stretches of a game for which losses are reported: the whole game, and the [`RANGES`].
pub const STRETCHES: [(&str, usize, usize); 1 + RANGES.len()] =
    [("all plies", 0, usize::MAX), RANGES[0], RANGES[1], RANGES[2]];

/// The losses of the moves of games, in each of the [`STRETCHES`]; `None` if no game has a ply there.
#[derive(Clone, Debug, PartialEq)]
pub struct LossFigures {
    /// The number of games.
    pub games: usize,
    /// Mean loss per ply, in centipawns.
    pub mean: [Option<Estimate>; STRETCHES.len()],
    /// Share of the moves that lose more than 100 centipawns.
    pub over_100: [Option<Estimate>; STRETCHES.len()],
    /// Share of the moves that lose more than 200 centipawns.
    pub over_200: [Option<Estimate>; STRETCHES.len()],
}

impl LossFigures {
    /// Computes the figures of games.
    pub fn of(games: &[LossGame]) -> LossFigures {
        let by_stretch = |measure: &dyn Fn(PlyLoss) -> f64| {
            STRETCHES.map(|(_, from, to)| {
                Estimate::of_games(games.iter().map(|LossGame { game, weight, plies, .. }| {
                    let plies = &plies[from.min(plies.len())..to.min(plies.len())];
                    let sum: f64 = plies.iter().map(|ply| measure(*ply)).sum();
                    (*game, weight * sum, weight * plies.len() as f64)
                }))
            })
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
    use entente_search::Score;

    use super::*;
    use crate::realism::loss::Value;

    fn game(number: usize, losses: &[i32]) -> LossGame {
        let ply =
            |loss: &i32| PlyLoss { before: Value::default(), after: Value::of(Score::Centipawns(-loss)) };
        LossGame { game: number, constraint: 0, weight: 1.0, plies: losses.iter().map(ply).collect() }
    }

    #[test]
    fn losses_are_means_over_plies_with_games_as_clusters() {
        let games = [game(0, &[0, 100]), game(1, &[200, 101, 1, 2]), game(2, &[300, 10])];
        let figures = LossFigures::of(&games);
        let all = figures.mean[0].unwrap();
        // 714 centipawns in 8 plies.
        assert_eq!((figures.games, all.mean), (3, 89.25));
        assert!((all.error.unwrap() - (1.5_f64 * 26263.5).sqrt() / 8.0).abs() < 1e-9, "{all:?}");
        let share = |figures: &[Option<Estimate>]| figures[0].unwrap().mean;
        assert_eq!(share(&figures.over_100), 3.0 / 8.0, "100 is not over 100");
        assert_eq!(share(&figures.over_200), 1.0 / 8.0, "200 is not over 200");
    }

    #[test]
    fn games_count_by_their_weight() {
        let twice = LossGame { weight: 2.0, ..game(1, &[40]) };
        let figures = LossFigures::of(&[game(0, &[10]), twice]);
        assert_eq!((figures.games, figures.mean[0].unwrap().mean), (2, 30.0));
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
}
