use rand::{SeedableRng, rngs::ChaCha8Rng, seq::index};

use crate::realism::{Choice, Comparison, Grid, MetGame, matched};

/// Games of one window of which the moves are valued: people's and a method's, as many of each constraint.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    /// Index into [`Grid::windows`].
    pub window: usize,
    /// Which method.
    pub method: usize,
    /// Its games and people's.
    pub games: Comparison<'a>,
}

/// `most` of the games that are compared in each window, for each method; all of them where there are no more.
///
/// The seed draws pairs of games of one constraint, the same for every method that has as many games.
pub fn sampled<'a>(
    people: &'a [MetGame],
    methods: &'a [Vec<MetGame>],
    grid: &Grid,
    most: usize,
    choice: Choice,
) -> Vec<Sample<'a>> {
    let mut samples = Vec::new();
    for window in 0..grid.windows.len() {
        for (method, generated) in methods.iter().enumerate() {
            let all = matched(people, generated, grid, |_, rating| rating == window, choice);
            let count = all.people.len();
            let mut rng = ChaCha8Rng::seed_from_u64(choice.seed);
            let mut chosen = index::sample(&mut rng, count, most.min(count)).into_vec();
            chosen.sort_unstable();
            let of = |games: &[&'a MetGame]| chosen.iter().map(|place| games[*place]).collect();
            let games = Comparison {
                people: of(&all.people),
                generated: of(&all.generated),
                ..Comparison::default()
            };
            if count > 0 {
                samples.push(Sample { window, method, games });
            }
        }
    }
    samples
}
