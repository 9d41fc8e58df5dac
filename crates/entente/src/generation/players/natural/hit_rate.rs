//! How often games satisfy judged conditions of which no network says how likely they are.

use entente_search::PortableMath as _;

/// The rate that is assumed before games are played, per ply.
const FIRST: f64 = 1e-3;
/// The number of plies for which the assumed rate counts.
const PLIES: f64 = 500.0;

/// The estimated rate at which games satisfy the judged conditions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HitRate {
    plies: f64,
    hits: f64,
}

impl HitRate {
    /// Counts a ply, after which the conditions hold with this probability.
    pub(super) fn count(&mut self, probability: f64) {
        self.plies += 1.0;
        self.hits += probability;
    }

    /// ln of the probability that a game reaches the conditions within `plies` plies.
    pub(super) fn promise(self, plies: u32) -> f64 {
        let rate = (self.hits + FIRST * PLIES) / (self.plies + PLIES);
        (1.0 - (-rate * f64::from(plies.max(1))).portable_exp()).portable_ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_hit_more_often_and_have_more_time_promise_more() {
        let chance = |hits: &[f64], plies| {
            let mut rate = HitRate::default();
            hits.iter().for_each(|hit| rate.count(*hit));
            rate.promise(plies).portable_exp()
        };
        // Before any game, a tenth of the games of a hundred plies is expected to hit.
        assert!((chance(&[], 100) - 0.095).abs() < 0.001);
        // Half of the weight is on what was counted after as many plies as are assumed.
        assert!((chance(&[0.005; 500], 1) - 0.003).abs() < 0.0001);
        assert!(chance(&[0.0; 2000], 100) < 0.025);
        assert!(chance(&[], 10) < chance(&[], 50));
        assert!(chance(&[1.0; 500], 100) <= 1.0 && chance(&[0.0; 500], 0) > 0.0);
    }
}
