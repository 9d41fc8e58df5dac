use rand::{SeedableRng, rngs::ChaCha8Rng, seq::index};

use crate::realism::{Choice, Comparison, Grid, MetGame, matched};

/// Games of one window of which the moves are valued.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    /// Index into [`Grid::windows`].
    pub window: usize,
    /// Which method.
    pub method: usize,
    /// Its games and people's.
    pub games: Comparison<'a>,
}

/// Up to `most` of the games that are compared in each window, for each method, and up to `most` of people's.
///
/// The seed draws those of the method. Where these are fewer, there are several of people's for each, as many as `most`
/// allows.
pub fn sampled<'a>(
    people: &'a [MetGame],
    methods: &'a [Vec<MetGame>],
    grid: &Grid,
    most: usize,
    seed: u64,
) -> Vec<Sample<'a>> {
    let mut samples = Vec::new();
    for window in 0..grid.windows.len() {
        for (method, generated) in methods.iter().enumerate() {
            let is_wanted = |_, rating| rating == window;
            let all =
                matched(people, generated, grid, is_wanted, Choice { people_a_game: 1, seed }).generated;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let chosen = index::sample(&mut rng, all.len(), most.min(all.len()));
            let chosen: Vec<&MetGame> = chosen.iter().map(|place| all[place]).collect();
            if !chosen.is_empty() {
                let choice = Choice { people_a_game: most / chosen.len(), seed };
                samples.push(Sample {
                    window,
                    method,
                    games: matched(people, chosen, grid, is_wanted, choice),
                });
            }
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realism::{
        Side,
        compare::tests::{game, grid},
    };

    #[test]
    fn there_are_as_many_of_peoples_games_as_asked_for_where_fewer_are_generated() {
        let people: Vec<MetGame> = (0..12).map(|index| game(0, index % 2, &[1.0])).collect();
        let methods = [vec![game(0, 0, &[1.0]); 2], vec![game(0, 1, &[1.0]); 3]];
        let samples = |most| {
            let samples = sampled(&people, &methods, &grid(), most, 1);
            assert_eq!(samples.iter().map(|sample| sample.method).collect::<Vec<_>>(), [0, 1]);
            assert_eq!(samples.iter().map(|sample| sample.window).collect::<Vec<_>>(), [0, 1]);
            samples.into_iter().map(|sample| sample.games).collect::<Vec<_>>()
        };
        let counts = |games: &Comparison<'_>| (games.people.len(), games.generated.len());
        assert_eq!(samples(1).iter().map(counts).collect::<Vec<_>>(), [(1, 1), (1, 1)]);
        assert_eq!(samples(5).iter().map(counts).collect::<Vec<_>>(), [(4, 2), (3, 3)]);
        assert_eq!(samples(100).iter().map(counts).collect::<Vec<_>>(), [(6, 2), (6, 3)]);
        for games in samples(100) {
            let weights = [Side::People, Side::Generated]
                .map(|side| games.weighed(side).iter().map(|(_, weight)| weight).sum::<f64>());
            assert!((weights[0] - weights[1]).abs() < 1e-9, "{weights:?}");
        }
    }
}
