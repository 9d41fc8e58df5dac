//! Limits on the evaluations of an attempt with populations.

/// The maximum number of predictions for a kept population of common size.
const PREDICTIONS: u64 = 10_000;
/// In addition, one in this number of predictions may go to populations that are given up, and as many to populations
/// that die out.
const TO_CHOOSE: u64 = 8;
/// The same if moves are reviewed, because more populations are given up then. When the evaluations are spent, a poor
/// population must continue, and its games blunder until they satisfy the constraint.
const TO_CHOOSE_REVIEWED: u64 = 2;

/// The limits, as total numbers of evaluations.
pub(super) struct EvaluationLimits {
    /// After this number, no population is given up,
    pub last_rejection: u64,
    /// except those that die out, which are replaced up to this number.
    pub last_revival: u64,
    /// After this number, the attempt ends.
    pub last: u64,
}

impl EvaluationLimits {
    /// The limits for populations of `size` games of `plies` plies, with `each` evaluations per prediction. The first
    /// population begins after `begun` evaluations, and the last one may take at most `most` evaluations in total.
    pub(super) fn new(
        (size, plies): (usize, u32),
        each: u64,
        is_reviewed: bool,
        (begun, most): (u64, u64),
    ) -> EvaluationLimits {
        // A large population may take what all its plies need.
        let of_one = each * PREDICTIONS.max(size as u64 * u64::from(plies));
        let share = if is_reviewed { TO_CHOOSE_REVIEWED } else { TO_CHOOSE };
        let to_choose = of_one.min(most.saturating_sub(begun)) / share;
        let after = |more: u64| begun.saturating_add(more);
        EvaluationLimits {
            last_rejection: after(to_choose),
            last_revival: after(2 * to_choose),
            last: after(to_choose + of_one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eighth_of_the_evaluations_goes_to_choosing_a_population_and_half_with_reviews() {
        let evaluations = |size, is_reviewed, begun, most| {
            let budget = EvaluationLimits::new((size, 100), 2, is_reviewed, (begun, most));
            [budget.last_rejection, budget.last_revival, budget.last]
        };
        assert_eq!(evaluations(4, false, 500, u64::MAX), [3000, 5500, 23_000]);
        assert_eq!(evaluations(4, true, 500, u64::MAX), [10_500, 20_500, 30_500]);
        assert_eq!(evaluations(400, false, 0, u64::MAX), [10_000, 20_000, 90_000], "all of its plies");
        assert_eq!(evaluations(4, false, 500, 1300)[..2], [600, 700], "little is left");
    }
}
