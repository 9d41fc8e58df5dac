//! Scores and the bounds of conditions on evaluations.

use entente_constraint::Comparison;
use entente_search::Score;

/// The value of a mate, in centipawns: the highest evaluation that the language allows.
const MAX: i32 = 10_000;

/// True if a score satisfies the comparison, even if it were up to `margin` higher or lower. With a negative margin,
/// true if it satisfies the comparison or a score within that distance does. Mates have no margin.
pub(super) fn is_well_within(comparison: Comparison<i16>, score: i32, margin: i32) -> bool {
    if score.abs() == MAX {
        return comparison.holds(score as i16);
    }
    let margin = match comparison {
        // A narrow window must keep some room.
        Comparison::In(range) => margin.min((i32::from(range.high()) - i32::from(range.low())) / 4),
        _ => margin,
    };
    // All nearby scores are tested, because the window may lie between the ends.
    let holds = |off: i32| comparison.holds((score + off).clamp(1 - MAX, MAX - 1) as i16);
    if margin >= 0 { (-margin..=margin).all(holds) } else { (margin..=-margin).any(holds) }
}

/// A score in centipawns. A mate is worth more than any evaluation.
pub(super) fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns.clamp(1 - MAX, MAX - 1),
        Score::Mate(moves) if moves > 0 => MAX,
        Score::Mate(_) => -MAX,
    }
}

#[cfg(test)]
mod tests {
    use entente_constraint::IntegerRange;

    use super::*;

    #[test]
    fn windows_are_narrower_for_conditions_that_must_hold_and_wider_for_others() {
        let window = |low, high| IntegerRange::new(low, high).unwrap();
        let within = Comparison::In(window(-30, 30));
        // A quarter of a window of 60 is 15.
        assert!(is_well_within(within, 15, 25) && !is_well_within(within, 16, 25));
        assert!(is_well_within(within, 55, -25) && !is_well_within(within, 56, -25));
        let single = Comparison::In(IntegerRange::exactly(7));
        assert!(is_well_within(single, 7, 25) && !is_well_within(single, 8, 25));
        // A number strictly between the ends of the margin counts.
        let other = Comparison::NotIn(IntegerRange::exactly(7));
        assert!(
            !is_well_within(other, 7, 25) && !is_well_within(other, 20, 25) && is_well_within(other, 33, 25)
        );
        assert!(is_well_within(Comparison::AtLeast(200), 225, 25));
        assert!(!is_well_within(Comparison::AtLeast(200), 224, 25));
    }

    #[test]
    fn a_mate_is_a_mate_without_any_margin() {
        for comparison in
            [Comparison::AtLeast(10_000), Comparison::Greater(9_980), Comparison::AtMost(10_000)]
        {
            assert!(is_well_within(comparison, 10_000, 25), "{comparison:?}");
        }
        assert!(!is_well_within(Comparison::AtLeast(10_000), centipawns(Score::Centipawns(31_000)), 0));
        assert_eq!(centipawns(Score::Mate(-3)), -10_000);
    }
}
