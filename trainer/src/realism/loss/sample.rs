use rand::{SeedableRng, rngs::ChaCha8Rng, seq::index};

use crate::realism::{Choice, Comparison, Grid, SatisfyingGame, matched};

/// Games of one window and method whose moves are evaluated.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    /// Index into [`Grid::windows`].
    pub window: usize,
    /// The index of the method.
    pub method: usize,
    /// The games of the method and the human games.
    pub games: Comparison<'a>,
}

/// For each window and method, draws up to `most` of the compared games of the method, and up to `most` human games.
///
/// The seed decides which games of the method. If there are fewer than `most`, each has several human games, as many as
/// `most` allows.
pub fn sampled<'a>(
    human: &'a [SatisfyingGame],
    methods: &'a [Vec<SatisfyingGame>],
    grid: &Grid,
    most: usize,
    seed: u64,
) -> Vec<Sample<'a>> {
    let mut samples = Vec::new();
    for window in 0..grid.windows.len() {
        for (method, generated) in methods.iter().enumerate() {
            let is_wanted = |_, rating| rating == window;
            let all =
                matched(human, generated, grid, is_wanted, Choice { human_per_generated: 1, seed }).generated;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let chosen = index::sample(&mut rng, all.len(), most.min(all.len()));
            let chosen: Vec<&SatisfyingGame> = chosen.iter().map(|place| all[place]).collect();
            if !chosen.is_empty() {
                let choice = Choice { human_per_generated: most / chosen.len(), seed };
                samples.push(Sample {
                    window,
                    method,
                    games: matched(human, chosen, grid, is_wanted, choice),
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
    fn human_games_fill_the_sample_if_fewer_games_were_generated() {
        let human: Vec<SatisfyingGame> = (0..12).map(|index| game(0, index % 2, &[1.0])).collect();
        let methods = [vec![game(0, 0, &[1.0]); 2], vec![game(0, 1, &[1.0]); 3]];
        let samples = |most| {
            let samples = sampled(&human, &methods, &grid(), most, 1);
            assert_eq!(samples.iter().map(|sample| sample.method).collect::<Vec<_>>(), [0, 1]);
            assert_eq!(samples.iter().map(|sample| sample.window).collect::<Vec<_>>(), [0, 1]);
            samples.into_iter().map(|sample| sample.games).collect::<Vec<_>>()
        };
        let counts = |games: &Comparison<'_>| (games.human.len(), games.generated.len());
        assert_eq!(samples(1).iter().map(counts).collect::<Vec<_>>(), [(1, 1), (1, 1)]);
        assert_eq!(samples(5).iter().map(counts).collect::<Vec<_>>(), [(4, 2), (3, 3)]);
        assert_eq!(samples(100).iter().map(counts).collect::<Vec<_>>(), [(6, 2), (6, 3)]);
        for games in samples(100) {
            let weights = [Side::Human, Side::Generated]
                .map(|side| games.weighed(side).iter().map(|(_, weight)| weight).sum::<f64>());
            assert!((weights[0] - weights[1]).abs() < 1e-9, "{weights:?}");
        }
    }
}
