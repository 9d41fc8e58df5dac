use super::{Comparison, Estimate, SatisfyingGame, Side};

/// The ranges of plies in which surprise is compared: name, first ply, and the ply after the last.
pub const RANGES: [(&str, usize, usize); 3] =
    [("plies 0–9", 0, 10), ("plies 10–29", 10, 30), ("plies 30+", 30, usize::MAX)];

/// The measures of games; `None` if no game has a ply there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of games.
    pub games: usize,
    /// The measures according to each judge.
    pub judged: Vec<JudgedFigures>,
    /// Median length in plies.
    pub median_plies: f64,
    /// Mean length in plies.
    pub mean_plies: Option<Estimate>,
}

/// How surprising the moves of games are to a judge; `None` if no game has a ply there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JudgedFigures {
    /// Mean surprise over all plies, in nats.
    pub surprise: Option<Estimate>,
    /// Mean surprise in each of the [`RANGES`].
    pub by_range: [Option<Estimate>; RANGES.len()],
    /// The share of plies whose move is rare.
    pub rare: Option<Estimate>,
}

impl Figures {
    /// The measures of one side of a comparison.
    pub fn of(comparison: &Comparison<'_>, side: Side) -> Figures {
        let games = comparison.weighed(side);
        let mean = |sum: &dyn Fn(&SatisfyingGame) -> f64, count: &dyn Fn(&SatisfyingGame) -> usize| {
            let parts = games
                .iter()
                .map(|(game, weight)| (game.game, weight * sum(game), weight * count(game) as f64));
            Estimate::of_games(parts)
        };
        let judged = |judge: usize| {
            let surprise_within = |from: usize, to: usize| {
                mean(&|game| game.surprise_within(judge, from, to), &|game| {
                    game.moves.len().clamp(from, to) - from
                })
            };
            JudgedFigures {
                surprise: surprise_within(0, usize::MAX),
                by_range: RANGES.map(|(_, from, to)| surprise_within(from, to)),
                rare: mean(&|game| game.rare(judge) as f64, &|game| game.moves.len()),
            }
        };
        let judges = games.first().map_or(0, |(game, _)| game.surprise.len());
        Figures {
            games: games.len(),
            judged: (0..judges).map(judged).collect(),
            median_plies: median(games.iter().map(|(game, weight)| (game.moves.len(), *weight)).collect()),
            mean_plies: mean(&|game| game.moves.len() as f64, &|_| 1),
        }
    }
}

/// The weighted median. It is the mean of two numbers: the least up to which (inclusive) the weights add up to at least
/// half of the total weight, and the least up to which they add up to more than half. 0 if there are no numbers.
fn median(mut numbers: Vec<(usize, f64)>) -> f64 {
    /// The relative difference below which sums of weights count as equal.
    const NEAR: f64 = 1e-9;
    numbers.sort_unstable_by_key(|(number, _)| *number);
    let half = numbers.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let least = |wanted: f64| {
        let mut weight = 0.0;
        let found = numbers.iter().find(|(_, own)| {
            weight += own;
            weight >= wanted
        });
        found.map_or(0.0, |(number, _)| *number as f64)
    };
    (least(half * (1.0 - NEAR)) + least(half * (1.0 + NEAR))) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::compare::tests::game;

    #[test]
    fn a_median_has_half_of_the_weight_on_each_side() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![(7, 0.5), (1, 0.5), (3, 0.5)]), 3.0);
        assert_eq!(median(vec![(7, 1.0), (1, 1.0)]), 4.0, "between the two");
        assert_eq!(median(vec![(1, 1.0), (9, 1.0), (7, 5.0)]), 7.0);
        let third = 1.0 / 3.0;
        assert_eq!(median(vec![(2, third), (2, third), (2, third), (8, 1.0)]), 5.0, "three thirds are one");
    }

    #[test]
    fn surprise_is_a_mean_over_plies_and_rare_means_below_one_percent() {
        let long: Vec<f32> = (0..31).map(|ply| if ply == 30 { 5.0 } else { 1.0 }).collect();
        let games = [game(0, 0, &long), SatisfyingGame { game: 1, ..game(0, 0, &[3.0]) }];
        let [long, short] = games.each_ref();
        let comparison = Comparison { human: vec![(long, 1.0), (short, 2.0)], generated: vec![long, short] };
        let mean = |estimate: Option<Estimate>| estimate.unwrap().mean;
        let figures = Figures::of(&comparison, Side::Generated);
        let judged = figures.judged[0];
        assert_eq!(judged.by_range.map(mean), [13.0 / 11.0, 1.0, 5.0]);
        assert_eq!(judged.by_range.map(|range| range.unwrap().error.is_some()), [true, false, false]);
        assert_eq!(
            (mean(judged.rare), figures.median_plies, mean(figures.mean_plies)),
            (1.0 / 32.0, 16.0, 16.0)
        );
        let weighed = Figures::of(&comparison, Side::Human);
        let judged = weighed.judged[0];
        assert_eq!(judged.by_range.map(mean), [16.0 / 12.0, 1.0, 5.0]);
        assert_eq!(
            (mean(judged.rare), weighed.median_plies, mean(weighed.mean_plies)),
            (1.0 / 33.0, 1.0, 11.0)
        );
        assert_eq!(Figures::of(&Comparison::default(), Side::Human), Figures::default());
    }

    #[test]
    fn each_judge_has_its_own_figures() {
        let mut one = game(0, 0, &[1.0, 2.0]);
        one.surprise.push(vec![5.0, 9.0]);
        let comparison = Comparison { human: vec![(&one, 1.0)], generated: vec![&one] };
        let figures = Figures::of(&comparison, Side::Generated);
        let means =
            figures.judged.iter().map(|judged| [judged.surprise, judged.rare].map(|it| it.unwrap().mean));
        assert_eq!(means.collect::<Vec<_>>(), [[1.5, 0.0], [7.0, 1.0]]);
    }
}
