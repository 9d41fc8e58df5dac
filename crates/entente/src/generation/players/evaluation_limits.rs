//! What the populations of an attempt may take.

/// Evaluations of a population of common size that is kept, at most.
const EVALUATIONS: u64 = 20_000;
/// One in so many of the evaluations may besides go to populations that are given up, and as many more to others that die
/// out.
const TO_CHOOSE: u64 = 8;
/// … and one in so many where moves are reviewed: more populations are given up then. Once nothing is left for another, a
/// poor population goes on, and its games blunder until they meet the constraint.
const TO_CHOOSE_REVIEWED: u64 = 2;

/// When what ends, each a number of evaluations in all.
pub(super) struct EvaluationLimits {
    /// After so many none is given up for another,
    pub last_rejection: u64,
    /// … but for one that has died out, until so many.
    pub last_revival: u64,
    /// After so many the attempt ends.
    pub last: u64,
}

impl EvaluationLimits {
    /// That of populations of `size` games of so many plies, the first of which begins after `begun` evaluations, and the last
    /// of which ends after `most` at the latest.
    pub(super) fn new(size: usize, plies: u32, is_reviewed: bool, begun: u64, most: u64) -> EvaluationLimits {
        // A population of many may take what all of its plies take.
        let of_one = EVALUATIONS.max(2 * size as u64 * u64::from(plies));
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
    fn an_eighth_of_what_a_population_may_take_goes_to_choosing_one_and_half_where_moves_are_reviewed() {
        let evaluations = |size, is_reviewed, begun, most| {
            let budget = EvaluationLimits::new(size, 100, is_reviewed, begun, most);
            [budget.last_rejection, budget.last_revival, budget.last]
        };
        assert_eq!(evaluations(4, false, 500, u64::MAX), [3000, 5500, 23_000]);
        assert_eq!(evaluations(4, true, 500, u64::MAX), [10_500, 20_500, 30_500]);
        assert_eq!(evaluations(400, false, 0, u64::MAX), [10_000, 20_000, 90_000], "all of its plies");
        assert_eq!(evaluations(4, false, 500, 1300)[..2], [600, 700], "little is left");
    }
}
