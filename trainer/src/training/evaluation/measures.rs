use serde::{Deserialize, Serialize};

/// How well the expected scores of a network agree with those of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Measures {
    /// The number of positions.
    pub positions: u64,
    /// The mean squared difference of the expected scores.
    pub squared_error: f64,
    /// Pearson's correlation of the expected scores.
    pub correlation: f64,
    /// Among the positions that the engine does not consider equal, the share in which both favour the same side.
    pub sign_agreement: f64,
}

/// Measures of the best network and of the hand-written evaluation, as the engine computes them.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Test {
    /// The network on the validation split.
    pub validation: Measures,
    /// The network on the test split.
    pub network: Measures,
    /// The hand-written evaluation on the test split.
    pub hand_written: Measures,
}

impl Measures {
    /// Computes the measures from pairs of expected scores: the network's and the engine's.
    pub fn of(pairs: impl Iterator<Item = (f32, f32)>) -> Measures {
        let mut measures = Measures::default();
        let [mut sum_x, mut sum_y, mut sum_xx, mut sum_yy, mut sum_xy] = [0.0f64; 5];
        let (mut uneven, mut agreeing) = (0u64, 0u64);
        for (found, expected) in pairs {
            let (x, y) = (f64::from(found), f64::from(expected));
            measures.positions += 1;
            measures.squared_error += (x - y).powi(2);
            (sum_x, sum_y) = (sum_x + x, sum_y + y);
            (sum_xx, sum_yy, sum_xy) = (sum_xx + x * x, sum_yy + y * y, sum_xy + x * y);
            if expected != 0.5 {
                uneven += 1;
                agreeing += u64::from((found > 0.5) == (expected > 0.5));
            }
        }
        let count = measures.positions.max(1) as f64;
        let covariance = sum_xy / count - sum_x * sum_y / count.powi(2);
        let variance = |sum: f64, squares: f64| squares / count - (sum / count).powi(2);
        measures.squared_error /= count;
        measures.correlation = covariance / (variance(sum_x, sum_xx) * variance(sum_y, sum_yy)).sqrt();
        measures.sign_agreement = agreeing as f64 / uneven.max(1) as f64;
        measures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_numpy() {
        // numpy: ((x-y)**2).mean(), corrcoef(x, y)[0, 1]
        let pairs = [(0.2, 0.1), (0.6, 0.7), (0.45, 0.55), (0.9, 0.8), (0.4, 0.5)];
        let measures = Measures::of(pairs.into_iter());
        assert!((measures.squared_error - 0.01).abs() < 1e-7, "{measures:?}");
        assert!((measures.correlation - 0.914_659_120_760).abs() < 1e-6, "{measures:?}");
        assert_eq!((measures.positions, measures.sign_agreement), (5, 0.75));
    }
}
