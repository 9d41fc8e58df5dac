use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::{Grid, SatisfyingGame};

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

/// Chooses the games to compare, for each constraint and window for which `is_wanted` is true: at most as many
/// generated games as there are human ones, and as many human games as `choice` allows. If there are more, the seed
/// decides which. Methods with equally many games are compared with the same human games, and a method with fewer games
/// with the first of these.
pub fn matched<'a>(
    human: impl IntoIterator<Item = &'a SatisfyingGame>,
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
    let (human, generated) = (by_cell(&mut human.into_iter()), by_cell(&mut generated.into_iter()));
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
}

#[cfg(test)]
pub(super) mod tests {
    use entente_constraint::Target;
    use entente_network::encoding::goal_policy::RatingScale;
    use shakmaty::{Chess, Move, Position, uci::UciMove};

    use super::*;
    use crate::{realism::Window, samples::goal::GameInfo};

    const CHOICE: Choice = Choice { human_per_generated: 4, seed: 1 };

    /// The moves of a game from the initial position, written as UCI moves.
    pub(crate) fn moves(text: &str) -> Vec<Move> {
        let mut position = Chess::default();
        let play = |word: &str| {
            let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        };
        text.split_whitespace().map(play).collect()
    }

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
            surprise: vec![surprise.to_vec()],
            losses: Vec::new(),
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
    fn both_players_must_be_in_the_window() {
        let window = |ratings| grid().window(ratings, RatingScale::Online);
        assert_eq!(window([1300, 1101]), Some(0));
        assert_eq!(window([1300, 1400]), None);
        assert_eq!(window([1400, 1600]), Some(1));
        assert_eq!(grid().window([1400, 1600], RatingScale::Fide), None);
    }
}
