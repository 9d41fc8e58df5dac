//! 95% confidence intervals.

use std::collections::BTreeMap;

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

/// An estimate with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The upper quantile of a two-sided interval.
const UPPER: f64 = 0.975;

/// The share of `successes` in `trials`, with Wilson's score interval (E. B. Wilson, 1927); `None` without trials.
pub fn share(successes: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 {
        return None;
    }
    let (successes, trials) = (successes as f64, trials as f64);
    let z = Normal::standard().inverse_cdf(UPPER);
    let value = successes / trials;
    let weight = 1.0 + z * z / trials;
    let middle = (value + z * z / (2.0 * trials)) / weight;
    let reach = z / weight * (value * (1.0 - value) / trials + z * z / (4.0 * trials * trials)).sqrt();
    // Exact at 0 and 1, in spite of rounding errors.
    let low = if successes == 0.0 { 0.0 } else { middle - reach };
    let high = if successes == trials { 1.0 } else { middle + reach };
    Some(Estimate { value, low, high })
}

/// The mean of numbers, given as their numbers of occurrences, with Student's interval. `None` without numbers; the
/// interval of a single number has no width.
pub fn mean(occurrences: &BTreeMap<usize, u64>) -> Option<Estimate> {
    let count: u64 = occurrences.values().sum();
    if count == 0 {
        return None;
    }
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        occurrences.iter().map(|(&number, &times)| term(number as f64) * times as f64).sum()
    };
    let value = sum(&|number| number) / count as f64;
    let reach = match count {
        1 => 0.0,
        _ => {
            let variance = sum(&|number| (number - value) * (number - value)) / (count - 1) as f64;
            let quantile = StudentsT::new(0.0, 1.0, (count - 1) as f64)
                .map_or(f64::NAN, |distribution| distribution.inverse_cdf(UPPER));
            quantile * (variance / count as f64).sqrt()
        }
    };
    Some(Estimate { value, low: value - reach, high: value + reach })
}

/// The median of numbers, given as their numbers of occurrences, with the interval between two order statistics whose
/// ranks the binomial distribution gives (Conover, Practical Nonparametric Statistics, section 3.2). If there are too
/// few numbers for this, the interval covers all of them. `None` without numbers.
pub fn median(occurrences: &BTreeMap<usize, u64>) -> Option<Estimate> {
    let count: u64 = occurrences.values().sum();
    let last = count.checked_sub(1)?;
    let value = (at(occurrences, last / 2)? + at(occurrences, count / 2)?) / 2.0;
    let below = Binomial::new(0.5, count).ok()?;
    // The largest rank for which at most 2.5% of all samples have fewer numbers below the median.
    let rank = below.inverse_cdf(1.0 - UPPER).min(last / 2);
    let rank = if below.cdf(rank) > 1.0 - UPPER { rank.saturating_sub(1) } else { rank };
    Some(Estimate { value, low: at(occurrences, rank)?, high: at(occurrences, last - rank)? })
}

/// The number with a rank in order, from 0.
fn at(occurrences: &BTreeMap<usize, u64>, rank: u64) -> Option<f64> {
    let mut counted = 0;
    occurrences.iter().find_map(|(&number, &times)| {
        counted += times;
        (counted > rank).then_some(number as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(estimate: Option<Estimate>, value: f64, low: f64, high: f64) {
        let Estimate { value: v, low: l, high: h } = estimate.expect("there are numbers");
        for (found, expected) in [(v, value), (l, low), (h, high)] {
            assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
        }
    }

    // Expected values from SciPy 1.11: binomtest(…).proportion_ci(method="wilson"), t.interval, and ranks by binom.ppf.
    #[test]
    fn shares_have_wilsons_interval() {
        near(share(198, 300), 0.66, 0.604_67, 0.711_28);
        near(share(0, 20), 0.0, 0.0, 0.161_13);
        near(share(20, 20), 1.0, 0.838_87, 1.0);
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn means_have_students_interval() {
        near(mean(&BTreeMap::from([(9, 2), (11, 1), (20, 1)])), 12.25, 3.892_92, 20.607_08);
        near(mean(&BTreeMap::from([(7, 1)])), 7.0, 7.0, 7.0);
        assert_eq!(mean(&BTreeMap::new()), None);
    }

    #[test]
    fn medians_have_intervals_between_order_statistics() {
        // For 1 to 20, the sixth and the fifteenth.
        let twenty: BTreeMap<usize, u64> = (1..=20).map(|number| (number, 1)).collect();
        near(median(&twenty), 10.5, 6.0, 15.0);
        near(median(&BTreeMap::from([(3, 1), (8, 1), (9, 1)])), 8.0, 3.0, 9.0);
        near(median(&BTreeMap::from([(5, 300)])), 5.0, 5.0, 5.0);
        assert_eq!(median(&BTreeMap::new()), None);
    }
}
