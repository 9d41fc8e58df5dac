/// How well predictions agree with labels.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Score {
    /// The number of samples.
    pub samples: usize,
    /// Mean binary cross-entropy, in nats.
    pub loss: f64,
    /// Area under the ROC curve for the event "label ≥ ½"; `None` if that holds for all samples or for none.
    pub auc: Option<f64>,
}

/// Loss and AUC of `probabilities` against `labels`, both in [0, 1].
pub fn score(probabilities: &[f32], labels: &[f32]) -> Score {
    Score { samples: labels.len(), loss: mean_bce(probabilities, labels), auc: auc(probabilities, labels) }
}

/// The mean of −(y ln p + (1 − y) ln(1 − p)), with logarithms of at least −100, as in PyTorch.
///
/// 0 if there are no samples; NaN if a prediction is NaN.
pub fn mean_bce(probabilities: &[f32], labels: &[f32]) -> f64 {
    let sum: f64 = probabilities
        .iter()
        .zip(labels)
        .map(|(p, y)| {
            let (p, y) = (f64::from(*p), f64::from(*y));
            let bounded = |logarithm: f64| logarithm.clamp(-100.0, 0.0);
            -(y * bounded(p.ln()) + (1.0 - y) * bounded((-p).ln_1p()))
        })
        .sum();
    sum / labels.len().max(1) as f64
}

/// The probability that a positive sample has a higher prediction than a negative one, where ties count half (the
/// statistic of Mann and Whitney, computed from ranks). A sample is positive if its label is at least ½.
///
/// `None` if there are no positive or no negative samples.
pub fn auc(predictions: &[f32], labels: &[f32]) -> Option<f64> {
    let mut samples: Vec<(f32, bool)> =
        predictions.iter().zip(labels).map(|(prediction, label)| (*prediction, *label >= 0.5)).collect();
    samples.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let positives = samples.iter().filter(|sample| sample.1).count();
    let negatives = samples.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    let mut below = 0.0;
    let mut rank_sum = 0.0;
    for tied in samples.chunk_by(|a, b| a.0 == b.0) {
        let mean_rank = below + (tied.len() as f64 + 1.0) / 2.0;
        rank_sum += mean_rank * tied.iter().filter(|sample| sample.1).count() as f64;
        below += tied.len() as f64;
    }
    let positives = positives as f64;
    Some((rank_sum - positives * (positives + 1.0) / 2.0) / (positives * negatives as f64))
}

/// The probability that a move is among the first `places` if moves are ordered by their probability and equally likely
/// ones are in random order. `better` moves are more likely than it, and `alike` are as likely, including the move
/// itself.
pub fn probability_in_top(places: usize, better: usize, alike: usize) -> f64 {
    (places.saturating_sub(better) as f64 / alike.max(1) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn equally_likely_moves_share_the_places() {
        let chances = |better, alike| [1, 3, 5].map(|places| probability_in_top(places, better, alike));
        assert_eq!(chances(0, 1), [1.0, 1.0, 1.0]);
        assert_eq!(chances(1, 1), [0.0, 1.0, 1.0]);
        assert_eq!(chances(0, 2), [0.5, 1.0, 1.0]);
        assert_eq!(chances(2, 4), [0.0, 0.25, 0.75]);
        assert_eq!(chances(9, 1), [0.0; 3]);
    }

    #[test]
    fn the_auc_is_the_share_of_correctly_ordered_pairs() {
        let mut random = StdRng::seed_from_u64(1);
        for size in [2, 3, 10, 60] {
            // Coarse predictions, so that there are ties.
            let predictions: Vec<f32> = (0..size).map(|_| random.random_range(0..6) as f32 / 5.0).collect();
            let labels: Vec<f32> = (0..size).map(|_| random.random_range(0..4) as f32 / 3.0).collect();
            let (mut right, mut pairs) = (0.0, 0.0);
            for (p, _) in predictions.iter().zip(&labels).filter(|sample| *sample.1 >= 0.5) {
                for (n, _) in predictions.iter().zip(&labels).filter(|sample| *sample.1 < 0.5) {
                    pairs += 1.0;
                    right += if p > n {
                        1.0
                    } else if p == n {
                        0.5
                    } else {
                        0.0
                    };
                }
            }
            match auc(&predictions, &labels) {
                Some(area) => assert!((area - right / pairs).abs() < 1e-12),
                None => assert_eq!(pairs, 0.0),
            }
        }
    }

    #[test]
    fn the_loss_is_that_of_libtorch() {
        let probabilities = [0.1f32, 0.5, 0.9, 1.0, 0.0, 0.25];
        let labels = [0.0f32, 0.5, 1.0, 0.0, 0.0, 0.3];
        let theirs = tch::Tensor::from_slice(&probabilities).binary_cross_entropy::<tch::Tensor>(
            &tch::Tensor::from_slice(&labels),
            None,
            tch::Reduction::Mean,
        );
        assert!((mean_bce(&probabilities, &labels) - theirs.double_value(&[])).abs() < 1e-5);
        assert_eq!(mean_bce(&[], &[]), 0.0);
    }

    #[test]
    fn a_prediction_of_nan_has_a_loss_of_nan() {
        assert!(mean_bce(&[0.5, f32::NAN], &[0.0, 1.0]).is_nan());
        assert!(mean_bce(&[0.5, f32::NAN], &[0.0, 0.0]).is_nan());
    }
}
