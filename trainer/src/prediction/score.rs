use std::collections::BTreeMap;

use entente::parallel::{self, map_in_order};
use entente_network::NetworkError;
use shakmaty::Position as _;

use super::{Positions, Predictor};
use crate::{progress::ProgressObserver, training::chance_among_first};

/// How well the moves of positions were predicted. The width of an interval is NaN if there are fewer than two games,
/// because intervals are computed from the differences between games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The number of positions.
    pub positions: usize,
    /// The share of positions in which the most likely move was played, where equally likely moves share the hit, and
    /// half the width of its 95% interval.
    pub top_1: [f64; 2],
    /// The mean of −ln of the probability of the move that was played, in nats, and half the width of its 95% interval.
    pub cross_entropy: [f64; 2],
}

/// The least probability of a move, so that no loss is infinite.
const LEAST: f32 = 1e-6;
/// Number of positions in a part for a thread.
const PART: usize = 512;

/// The scores of the predictor on each band, and then on all bands together. The number of threads does not change
/// them.
///
/// # Errors
///
/// If a network cannot be run.
pub fn compare(
    predictor: &Predictor,
    bands: &[Positions],
    threads: usize,
    observer: &dyn ProgressObserver,
) -> Result<Vec<Score>, NetworkError> {
    let mut all = Vec::new();
    let mut scores = Vec::new();
    for band in bands {
        let found = outcomes(predictor, band, threads, observer)?;
        scores.push(Score::of(&found));
        all.extend(found);
    }
    scores.push(Score::of(&all));
    Ok(scores)
}

/// The outcome of a position: its game, the chance that the move played is the most likely one, where equally likely
/// moves share the chance, and −ln of its probability.
type Outcome = (usize, f64, f64);

fn outcomes(
    predictor: &Predictor,
    band: &Positions,
    threads: usize,
    observer: &dyn ProgressObserver,
) -> Result<Vec<Outcome>, NetworkError> {
    let parts = band.samples.chunks(PART).zip(band.games.chunks(PART));
    let outcomes = map_in_order(parts, &mut parallel::threads(threads), |(), (samples, games)| {
        let predicted = predictor.predict(samples)?;
        let outcomes = samples.iter().zip(games).zip(predicted).map(|((sample, game), chances)| {
            let moves = sample.position.legal_moves();
            let played = moves.iter().position(|m| *m == sample.played).expect("games are legal");
            let (hit, loss) = judged(&chances, played);
            (*game, hit, loss)
        });
        let outcomes: Vec<Outcome> = outcomes.collect();
        observer.done(samples.len() as u64);
        Ok(outcomes)
    })?;
    Ok(outcomes.concat())
}

/// The chance that the move `played` is the most likely one, and −ln of its probability.
fn judged(chances: &[f32], played: usize) -> (f64, f64) {
    let own = chances[played];
    let better = chances.iter().filter(|chance| **chance > own).count();
    let alike = chances.iter().filter(|chance| **chance == own).count();
    (chance_among_first(1, better, alike), -f64::from(own.max(LEAST).ln()))
}

impl Score {
    fn of(outcomes: &[Outcome]) -> Score {
        let mut games: BTreeMap<usize, [f64; 3]> = BTreeMap::new();
        for (game, hit, loss) in outcomes {
            let sums = games.entry(*game).or_default();
            sums[0] += 1.0;
            sums[1] += hit;
            sums[2] += loss;
        }
        let positions = outcomes.len();
        let mean = |place: usize| -> [f64; 2] {
            let mean = games.values().map(|sums| sums[place]).sum::<f64>() / positions as f64;
            // The variance of a ratio of sums, with games as clusters (Cochran 1977, "Sampling Techniques", 6.4).
            let squares: f64 = games.values().map(|sums| (sums[place] - mean * sums[0]).powi(2)).sum();
            let count = games.len() as f64;
            let variance = if games.len() > 1 { squares * count / (count - 1.0) } else { f64::NAN };
            [mean, 1.96 * variance.sqrt() / positions as f64]
        };
        Score { positions, top_1: mean(1), cross_entropy: mean(2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_the_same_game_are_not_independent() {
        let outcome = |game: usize, hit: bool| if hit { (game, 1.0, 0.5) } else { (game, 0.0, 1.5) };
        let apart: Vec<_> = (0..400).map(|number| outcome(number, number % 2 == 0)).collect();
        let together: Vec<_> = (0..400).map(|number| outcome(number / 100, number / 100 % 2 == 0)).collect();
        let [apart, together] = [apart, together].map(|outcomes| Score::of(&outcomes));
        assert_eq!((apart.positions, apart.top_1[0], apart.cross_entropy[0]), (400, 0.5, 1.0));
        // The standard deviation of 0s and 1s in equal numbers n is √(n / (n − 1)) / 2.
        let error = |games: f64| 1.96 * (games / (games - 1.0)).sqrt() * 0.5 / games.sqrt();
        assert!((apart.top_1[1] - error(400.0)).abs() < 1e-9, "{apart:?}");
        assert!((together.top_1[1] - error(4.0)).abs() < 1e-9, "{together:?}");
    }

    #[test]
    fn equally_likely_moves_share_the_hit() {
        let hit = |chances: &[f32], played| judged(chances, played).0;
        assert_eq!([0, 1, 2].map(|played| hit(&[0.5, 0.3, 0.2], played)), [1.0, 0.0, 0.0]);
        assert_eq!([0, 1, 2].map(|played| hit(&[0.4, 0.4, 0.2], played)), [0.5, 0.5, 0.0]);
        assert_eq!(hit(&[0.25; 4], 3), 0.25, "a network that knows nothing guesses");
        assert!((judged(&[1.0, 0.0], 1).1 - 1e6f64.ln()).abs() < 1e-4);
    }

    #[test]
    fn a_single_game_has_no_interval() {
        let score = Score::of(&[(7, 1.0, 0.5), (7, 0.0, 1.5)]);
        assert_eq!((score.top_1[0], score.cross_entropy[0]), (0.5, 1.0));
        assert!(score.top_1[1].is_nan() && score.cross_entropy[1].is_nan(), "{score:?}");
    }
}
