//! Captures whose gain is seen at first sight, such as recaptures.
//!
//! A puzzle on Lichess follows a mistake, so a plain recapture is not one. The few puzzles there that look like it are
//! hard for another reason, and trees that learned from them call every recapture hard. Generated positions are not
//! selected in this way. For such a capture the rating is therefore at most the one at which a player finds it, as the
//! policy of human moves has it.

use std::sync::LazyLock;

use super::{FEATURES, Puzzle};

/// A search gains less than this beyond what captures alone gain, in centipawns.
const MORE: f64 = 100.0;
/// The rating of the players whom the policy is asked about.
const ASKED: f64 = 1200.0;
/// The least and the greatest probability of a solution. Beyond them, a network only guesses.
const SURE: (f64, f64) = (0.001, 0.99);

/// The places of the features that are needed.
struct Places {
    mate: usize,
    score: usize,
    standing: usize,
    capture_gains: usize,
    log_found: usize,
}

/// The rating of a puzzle with these features that a player rated [`ASKED`] solves as often as the policy says,
/// according to Elo's formula; `None` if its first move is not a capture whose gain is seen at first sight.
pub(super) fn rating(features: &[f64]) -> Option<f64> {
    static PLACES: LazyLock<Places> = LazyLock::new(|| {
        let place = |name: &str| {
            FEATURES.iter().position(|feature| feature == name).expect("it is one of the features")
        };
        Places {
            mate: place("mate"),
            score: place("score"),
            standing: place("standing"),
            capture_gains: place("capture_gains"),
            log_found: place("1200s_sum"),
        }
    });
    let decided = |place: usize| features[place].min(f64::from(Puzzle::DECIDED));
    let is_seen = features[PLACES.mate] == 0.0
        && features[PLACES.capture_gains] > 0.0
        && decided(PLACES.score) - decided(PLACES.standing) < MORE;
    let found = features[PLACES.log_found].exp().clamp(SURE.0, SURE.1);
    is_seen.then(|| ASKED - 400.0 * (found / (1.0 - found)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_captures_that_gain_at_first_sight_have_such_a_rating() {
        let features = |changes: &[(&str, f64)]| {
            let given = [("score", 500.0), ("standing", 450.0), ("capture_gains", 1.0), ("1200s_sum", -0.1)];
            let value = |name: &String| {
                let same = |(known, _): &&(&str, f64)| known == name;
                changes.iter().find(same).or_else(|| given.iter().find(same)).map_or(0.0, |(_, value)| *value)
            };
            FEATURES.iter().map(value).collect::<Vec<f64>>()
        };
        // A probability of e^-0.1 = 0.905 is one of ten to one.
        let found = rating(&features(&[])).unwrap();
        assert!((found - 808.6).abs() < 0.1, "{found}");
        assert!(
            rating(&features(&[("1200s_sum", 0.0)])).is_some_and(|rating| (402.0..403.0).contains(&rating))
        );
        for changes in [("standing", 390.0), ("capture_gains", 0.0), ("mate", 1.0)] {
            assert_eq!(rating(&features(&[changes])), None, "{changes:?}");
        }
        assert!(rating(&features(&[("score", 1400.0), ("standing", 590.0)])).is_some(), "both are decided");
    }
}
