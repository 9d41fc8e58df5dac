//! The highest rating of a line that nearly every player finds at first sight, such as a recapture.
//!
//! A puzzle on Lichess follows a mistake, so a plain recapture is not one. The few puzzles there that look like it are
//! hard for another reason, and trees that learned from them call every recapture hard. Generated positions are not
//! selected in this way. For them, the policy of human moves bounds the rating.

use std::sync::LazyLock;

use entente_search::PortableMath as _;

use super::{FEATURES, Puzzle};
use crate::solution::Solution;

/// A search gains less than this beyond what captures alone gain, in centipawns.
const MORE: f64 = 100.0;
/// The rating of the players whom the policy is asked about.
const ASKED: f64 = 1200.0;
/// The least and the greatest probability of a solution. Beyond them, a network only guesses.
const SURE: (f64, f64) = (0.001, 0.99);
/// A line may be this much harder than the policy says, if players rated [`EASY`] find it every other time.
const HARDER: f64 = 200.0;
/// Above this rating, the bound rises by [`RISE`] for each point, because the trees know more than the policy.
const EASY: f64 = 800.0;
const RISE: f64 = 4.0;

/// The places of the features that are needed.
struct Places {
    mate: usize,
    score: usize,
    standing: usize,
    capture_gains: usize,
    log_found: usize,
}

/// The highest rating of a puzzle with these features.
///
/// By Elo's formula, a player rated 1200 solves a puzzle rated R with probability 1 / (1 + 10^((R − 1200) / 400)). The
/// R for which that is the policy's probability of the whole line is the bound, if the first move is a capture that
/// gains by a static exchange, and either captures alone already win, or the search gains hardly more than they do. For
/// other lines the bound is higher.
pub(super) fn bound(features: &[f64]) -> f64 {
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
    let found = features[PLACES.log_found].portable_exp().clamp(SURE.0, SURE.1);
    let rating = ASKED - 400.0 * (found / (1.0 - found)).portable_log10();
    let decided = |place: usize| features[place].min(f64::from(Puzzle::DECIDED));
    let is_capture_seen = features[PLACES.mate] == 0.0
        && features[PLACES.capture_gains] > 0.0
        && (decided(PLACES.score) - decided(PLACES.standing) < MORE
            || features[PLACES.standing] >= f64::from(Solution::WIN));
    if is_capture_seen { rating } else { rating + HARDER + RISE * (rating - EASY).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound_with(changes: &[(&str, f64)]) -> f64 {
        let given = [("score", 300.0), ("standing", 190.0), ("capture_gains", 1.0), ("1200s_sum", -0.1)];
        let value = |name: &String| {
            let same = |(known, _): &&(&str, f64)| known == name;
            changes.iter().find(same).or_else(|| given.iter().find(same)).map_or(0.0, |(_, value)| *value)
        };
        bound(&FEATURES.iter().map(value).collect::<Vec<f64>>())
    }

    #[test]
    fn captures_seen_at_first_sight_are_rated_as_the_policy_says() {
        // A probability of e^-0.1 = 0.905 has odds of 9.51, and 400 times their logarithm is 391.2.
        for changes in
            [&[("standing", 201.0)][..], &[("standing", 250.0)], &[("score", 1500.0), ("standing", 590.0)]]
        {
            assert!((bound_with(changes) - 808.8).abs() < 0.1, "{changes:?}: {}", bound_with(changes));
        }
        for changes in
            [&[][..], &[("standing", 250.0), ("capture_gains", 0.0)], &[("standing", 250.0), ("mate", 1.0)]]
        {
            let expected = 808.8 + 200.0 + 4.0 * 8.8;
            assert!((bound_with(changes) - expected).abs() < 0.5, "{changes:?}: {}", bound_with(changes));
        }
    }

    #[test]
    fn certain_lines_are_easy_and_others_are_left_to_the_trees() {
        // A probability of 0.99 has odds of 99.
        assert!((bound_with(&[("1200s_sum", 0.0)]) - 601.7).abs() < 0.1);
        assert!(bound_with(&[("1200s_sum", -0.7)]) > 2800.0);
    }
}
