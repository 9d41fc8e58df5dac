use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::{Estimate, Grid, SatisfyingGame};

/// The ranges of plies in which surprise is compared: name, first ply, and the ply after the last.
pub const RANGES: [(&str, usize, usize); 3] =
    [("plies 0–9", 0, 10), ("plies 10–29", 10, 30), ("plies 30+", 30, usize::MAX)];

/// How games are chosen if there are more than are compared.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Maximum number of human games for each generated game. The more there are, the less the human figures depend on
    /// the choice.
    pub human_per_generated: usize,
    /// Seed of the choice.
    pub seed: u64,
}

/// The human games and the games of a method that are compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison<'a> {
    /// Human games with weights. The weights for each constraint and rating window add up to the number of generated
    /// games there.
    pub human: Vec<(&'a SatisfyingGame, f64)>,
    /// Generated games.
    pub generated: Vec<&'a SatisfyingGame>,
}

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Human games.
    Human,
    /// Generated games.
    Generated,
}

/// The measures of games; `None` if no game has a ply there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The number of games.
    pub games: usize,
    /// Mean surprise over all plies, in nats.
    pub surprise: Option<Estimate>,
    /// Mean surprise in each of the [`RANGES`].
    pub by_range: [Option<Estimate>; RANGES.len()],
    /// The share of plies whose move is rare.
    pub rare: Option<Estimate>,
    /// Median length in plies.
    pub median_plies: f64,
    /// Mean length in plies.
    pub mean_plies: Option<Estimate>,
}

/// Chooses the games to compare, for each constraint and window for which `is_wanted` is true: at most as many
/// generated games as there are human ones, and as many human games as `choice` allows. If there are more, the seed
/// decides which. Methods with equally many games are compared with the same human games, and a method with fewer games
/// with the first of these.
pub fn matched<'a>(
    human: &'a [SatisfyingGame],
    generated: impl IntoIterator<Item = &'a SatisfyingGame>,
    grid: &Grid,
    is_wanted: impl Fn(usize, usize) -> bool,
    choice: Choice,
) -> Comparison<'a> {
    let mut rng = ChaCha8Rng::seed_from_u64(choice.seed);
    let cells = grid.targets.len() * grid.windows.len();
    let mut by_cell = |games: &mut dyn Iterator<Item = &'a SatisfyingGame>| -> Vec<Vec<&'a SatisfyingGame>> {
        let mut by_cell = vec![Vec::new(); cells];
        for game in games.filter(|game| is_wanted(game.constraint, game.rating)) {
            by_cell[game.constraint * grid.windows.len() + game.rating].push(game);
        }
        by_cell.iter_mut().for_each(|games| games.shuffle(&mut rng));
        by_cell
    };
    let (human, generated) = (by_cell(&mut human.iter()), by_cell(&mut generated.into_iter()));
    let mut comparison = Comparison::default();
    for (human, generated) in human.into_iter().zip(generated) {
        let count = human.len().min(generated.len());
        comparison.generated.extend(&generated[..count]);
        let theirs = human.len().min(choice.human_per_generated * count);
        let weight = count as f64 / theirs as f64;
        comparison.human.extend(human[..theirs].iter().map(|game| (*game, weight)));
    }
    comparison
}

/// Keeps only as many human games for each constraint and window as the comparisons with all methods need.
pub fn enough(
    human: Vec<SatisfyingGame>,
    methods: &[Vec<SatisfyingGame>],
    grid: &Grid,
    choice: Choice,
) -> Vec<SatisfyingGame> {
    let cell = |game: &SatisfyingGame| game.constraint * grid.windows.len() + game.rating;
    let mut most = vec![0_usize; grid.targets.len() * grid.windows.len()];
    for games in methods {
        let mut counts = vec![0; most.len()];
        games.iter().for_each(|game| counts[cell(game)] += 1);
        most.iter_mut()
            .zip(counts)
            .for_each(|(most, count)| *most = (choice.human_per_generated * count).max(*most));
    }
    let mut order: Vec<usize> = (0..human.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(choice.seed));
    let mut is_needed = vec![false; human.len()];
    for index in order {
        let left = &mut most[cell(&human[index])];
        is_needed[index] = *left > 0;
        *left = left.saturating_sub(1);
    }
    human.into_iter().zip(is_needed).filter_map(|(game, is_needed)| is_needed.then_some(game)).collect()
}

impl<'a> Comparison<'a> {
    /// The games of one side with their weights.
    pub fn weighed(&self, side: Side) -> Vec<(&'a SatisfyingGame, f64)> {
        match side {
            Side::Human => self.human.clone(),
            Side::Generated => self.generated.iter().map(|game| (*game, 1.0)).collect(),
        }
    }

    /// The measures of one side.
    pub fn figures(&self, side: Side) -> Figures {
        let games = self.weighed(side);
        let mean = |sum: &dyn Fn(&SatisfyingGame) -> f64, count: &dyn Fn(&SatisfyingGame) -> usize| {
            let parts = games
                .iter()
                .map(|(game, weight)| (game.game, weight * sum(game), weight * count(game) as f64));
            Estimate::of_games(parts)
        };
        let surprise_within = |from: usize, to: usize| {
            mean(&|game| game.surprise_within(from, to), &|game| game.surprise.len().clamp(from, to) - from)
        };
        Figures {
            games: games.len(),
            surprise: surprise_within(0, usize::MAX),
            by_range: RANGES.map(|(_, from, to)| surprise_within(from, to)),
            rare: mean(&|game| game.rare() as f64, &|game| game.moves.len()),
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
pub(super) mod tests {
    use entente_constraint::Target;
    use entente_network::encoding::goal_policy::RatingScale;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::{realism::Window, samples::goal::GameInfo};

    const CHOICE: Choice = Choice { human_per_generated: 4, seed: 1 };

    pub(crate) fn game(constraint: usize, rating: usize, surprise: &[f32]) -> SatisfyingGame {
        let m = Chess::default().legal_moves()[0];
        SatisfyingGame {
            game: 0,
            constraint,
            rating,
            info: GameInfo::generated([1500; 2], RatingScale::Online),
            moves: vec![m; surprise.len()],
            last: Chess::default(),
            delivered_by: None,
            surprise: surprise.to_vec(),
        }
    }

    pub(crate) fn grid() -> Grid {
        let target = |text: &str| Target::new(text.parse().unwrap()).unwrap();
        Grid {
            targets: vec![target("Q=0"), target("q=0")],
            windows: Window::around([1200, 1500].map(|rating| (rating, RatingScale::Online)), 100),
            max_plies: 101,
        }
    }

    #[test]
    fn both_sides_have_equal_weights_for_each_constraint_and_window() {
        let human: Vec<SatisfyingGame> = (0..5).map(|index| game(index % 2, 0, &[1.0])).collect();
        let generated = [game(0, 0, &[2.0]), game(0, 1, &[2.0]), game(1, 0, &[2.0]), game(1, 0, &[2.0])];
        let kinds_of = |choice, is_wanted: &dyn Fn(usize, usize) -> bool| {
            let comparison = matched(&human, &generated, &grid(), is_wanted, choice);
            [Side::Human, Side::Generated].map(|side| -> Vec<(usize, usize, f64)> {
                let games = comparison.weighed(side).into_iter();
                games.map(|(game, weight)| (game.constraint, game.rating, weight)).collect()
            })
        };
        let pairs = Choice { human_per_generated: 1, ..CHOICE };
        let [theirs, ours] = kinds_of(pairs, &|_, _| true);
        assert_eq!(ours, [(0, 0, 1.0), (1, 0, 1.0), (1, 0, 1.0)]);
        assert_eq!(theirs, ours);
        // Three human games have the weight of one generated game, and two that of two.
        let [theirs, same] = kinds_of(CHOICE, &|_, _| true);
        let third = (0, 0, 1.0 / 3.0);
        assert_eq!((theirs, same), (vec![third, third, third, (1, 0, 1.0), (1, 0, 1.0)], ours));
        let [theirs, _] = kinds_of(pairs, &|constraint, _| constraint == 0);
        assert_eq!(theirs, [(0, 0, 1.0)]);
    }

    #[test]
    fn only_human_games_that_are_compared_are_kept() {
        let human: Vec<SatisfyingGame> = (0..40).map(|index| game(index % 2, 0, &[1.0])).collect();
        let methods = [vec![game(0, 0, &[]); 2], vec![game(0, 0, &[]), game(1, 1, &[])]];
        let left = enough(human.clone(), &methods, &grid(), CHOICE);
        assert_eq!(left.iter().map(|game| game.constraint).collect::<Vec<_>>(), [0; 8]);
        let many = [vec![game(1, 0, &[]); 9]];
        assert_eq!(enough(human, &many, &grid(), CHOICE).len(), 20, "all of them");
    }

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
        let figures = comparison.figures(Side::Generated);
        assert_eq!(figures.by_range.map(mean), [13.0 / 11.0, 1.0, 5.0]);
        assert_eq!(figures.by_range.map(|range| range.unwrap().error.is_some()), [true, false, false]);
        assert_eq!(
            (mean(figures.rare), figures.median_plies, mean(figures.mean_plies)),
            (1.0 / 32.0, 16.0, 16.0)
        );
        let weighed = comparison.figures(Side::Human);
        assert_eq!(weighed.by_range.map(mean), [16.0 / 12.0, 1.0, 5.0]);
        assert_eq!(
            (mean(weighed.rare), weighed.median_plies, mean(weighed.mean_plies)),
            (1.0 / 33.0, 1.0, 11.0)
        );
        assert_eq!(Comparison::default().figures(Side::Human), Figures::default());
    }

    #[test]
    fn both_players_must_be_in_the_window() {
        let window = |ratings| grid().window(ratings, RatingScale::Online);
        assert_eq!(window([1300, 1101]), Some(0));
        assert_eq!(window([1300, 1400]), None);
        assert_eq!(window([1400, 1600]), Some(1));
        assert_eq!(grid().window([1400, 1600], RatingScale::Fide), None);
    }
}
