use shakmaty::{Chess, Move, Position};

use super::{Constraint, GoalError, Impossible, KINDS, Men, counts::Counts, men::changes_men};

/// A constraint on numbers of men alone, expanded into alternatives. Each alternative has a range for every kind of
/// man, and ranges for differences between kinds.
///
/// Satisfaction, distance and reachability take only a few comparisons of small integers. Contradictory alternatives
/// are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub(super) alternatives: Vec<Counts>,
    /// Why the first alternative is contradictory, if all alternatives are.
    pub(super) unmeetable: Option<Impossible>,
}

impl Goal {
    /// The goal of `constraint`: its disjunctive normal form.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if there are more than 1,024 alternatives. [`GoalError::NotAimedAt`] if a condition is
    /// not about numbers of men of single kinds.
    pub fn new(constraint: &Constraint) -> Result<Goal, GoalError> {
        if let Some(atom) = constraint.atoms().iter().find(|atom| !atom.counts_men()) {
            return Err(GoalError::NotAimedAt(atom.to_string()));
        }
        Ok(Goal::of(constraint.written_out()?.into_iter().map(|alternative| alternative.counts)))
    }

    /// The goal with these alternatives, one of which must be satisfied.
    pub(super) fn of(alternatives: impl Iterator<Item = Counts>) -> Goal {
        let mut goal = Goal { alternatives: Vec::new(), unmeetable: None };
        for counts in alternatives {
            match counts.settled() {
                Ok(counts) => goal.alternatives.push(counts),
                Err(reason) => _ = goal.unmeetable.get_or_insert(reason),
            }
        }
        if goal.alternatives.is_empty() {
            goal.unmeetable.get_or_insert(Impossible::Contradiction);
        } else {
            goal.unmeetable = None;
        }
        goal
    }

    /// True if the constraint holds in `position`.
    pub fn is_satisfied(&self, position: &Chess) -> bool {
        self.is_satisfied_by(&Men::on(position.board()))
    }

    /// True if the constraint holds for these men.
    #[inline]
    pub fn is_satisfied_by(&self, men: &Men) -> bool {
        self.distance_of(men) == 0
    }

    /// True if the constraint holds after `m`, a legal move, is played.
    pub fn is_satisfied_after(&self, position: &Chess, m: Move) -> bool {
        self.is_satisfied_by(&Men::on(position.board()).after(m, position.turn()))
    }

    /// The number of men missing or in excess for the nearest alternative; 0 if the goal is satisfied.
    ///
    /// Each difference adds the amount by which it is off, so a man may count more than once. For an exact tuple, the
    /// distance is the k of the thesis's k-PDR. For a contradictory goal it is [`u32::MAX`].
    pub fn distance(&self, position: &Chess) -> u32 {
        self.distance_of(&Men::on(position.board()))
    }

    /// [`Goal::distance`] if the men have already been counted.
    #[inline]
    pub fn distance_of(&self, men: &Men) -> u32 {
        self.alternatives.iter().map(|alternative| alternative.distance(men)).min().unwrap_or(u32::MAX)
    }

    /// False if `m` changes neither the goal's satisfaction nor its distance nor its reachability.
    ///
    /// Goals are about numbers of men, and only captures and promotions change these. Search and evaluators skip their
    /// work for other moves.
    #[inline]
    pub fn may_change_with(&self, m: Move) -> bool {
        changes_men(m)
    }

    /// White's numbers (Q, R, B, N, P), if the goal requires exactly these and nothing else.
    pub fn exact_white(&self) -> Option<[u8; 5]> {
        let [alternative] = self.alternatives.as_slice() else { return None };
        let stated = &alternative.stated;
        let exact = (0..5).all(|kind| stated.least[kind] == stated.most[kind]);
        let free = (5..KINDS.len()).all(|kind| stated.is_free(kind));
        (exact && free && alternative.differences.is_empty())
            .then(|| std::array::from_fn(|kind| stated.least[kind] as u8))
    }

    /// How many pawns each side, White first, must still promote to satisfy the nearest reachable alternative.
    pub fn promotions_needed(&self, men: &Men) -> [u32; 2] {
        let nearest = self.nearest(men);
        [0, 5].map(|side| nearest.map_or(0, |alternative| alternative.implied.promotions_needed(side, men)))
    }

    fn nearest(&self, men: &Men) -> Option<&Counts> {
        self.alternatives
            .iter()
            .filter(|alternative| alternative.is_reachable_from(men))
            .min_by_key(|alternative| alternative.distance(men))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        Atom, Comparison, IntegerRange, Tuple,
        arbitrary::{any_constraint, any_men},
    };

    /// Whether `constraint` holds for `men`, evaluated directly.
    fn holds(constraint: &Constraint, men: &Men) -> bool {
        match constraint {
            Constraint::All(parts) => parts.iter().all(|part| holds(part, men)),
            Constraint::Any(parts) => parts.iter().any(|part| holds(part, men)),
            Constraint::Not(inner) => !holds(inner, men),
            Constraint::Atom(Atom::Tuple(tuple)) => tuple.holds_for(men),
            Constraint::Atom(Atom::Count(count)) => count.holds_for(men),
            Constraint::Atom(_) => true,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn the_normal_form_is_equivalent_to_the_constraint(constraint in any_constraint(), men in any_men()) {
            let Ok(goal) = Goal::new(&constraint) else { return Ok(()) };
            prop_assert_eq!(goal.is_satisfied_by(&men), holds(&constraint, &men));
            prop_assert!(!goal.is_satisfied_by(&men) || goal.is_reachable_from(&men));
        }
    }

    fn goal(text: &str) -> Goal {
        Goal::new(&text.parse().expect(text)).expect(text)
    }

    fn men(white: [i8; 5], black: [i8; 5]) -> Men {
        Men(std::array::from_fn(|kind| if kind < 5 { white[kind] } else { black[kind - 5] }))
    }

    const FULL: [i8; 5] = [1, 2, 2, 2, 8];

    #[test]
    fn conditions_that_are_not_numbers_of_men_are_named_in_the_error() {
        for text in
            ["N@f5", "Q=0 (q=0 | castling=none)", "!checkmate", "elo=1500 Q=0", "ply<=40", "turn=white"]
        {
            let error = Goal::new(&text.parse().unwrap()).unwrap_err();
            assert!(matches!(&error, GoalError::NotAimedAt(atom) if text.contains(atom.as_str())), "{error}");
        }
        assert!(goal("material=KRPvKR").is_satisfied_by(&men([0, 1, 0, 0, 1], [0, 1, 0, 0, 0])));
        assert!(!goal("!material=KRPvKR").is_satisfied_by(&men([0, 1, 0, 0, 1], [0, 1, 0, 0, 0])));
    }

    #[test]
    fn tuples_fix_one_side_and_leave_the_other_free() {
        let constraint = goal("(1,2,1,1,7)");
        assert!(constraint.is_satisfied_by(&men([1, 2, 1, 1, 7], FULL)));
        assert!(constraint.is_satisfied_by(&men([1, 2, 1, 1, 7], [0; 5])));
        assert_eq!(constraint.distance_of(&men(FULL, FULL)), 3);
        assert_eq!(constraint.exact_white(), Some([1, 2, 1, 1, 7]));
        assert_eq!(goal("Q=1 R=2 B=1 N=1 P=7").exact_white(), Some([1, 2, 1, 1, 7]));
        assert_eq!(goal("black(1,2,1,1,7)").exact_white(), None);
        assert_eq!(goal("(1,2,1,1,7) q=1").exact_white(), None);
    }

    #[test]
    fn negation_reaches_every_comparison() {
        for (plain, negated) in
            [("Q!=1", "!(Q=1)"), ("Q<1 | R>=2", "!(Q>=1 R<2)"), ("Q>1", "!Q<=1"), ("Q=0 | Q=2..16", "!!Q!=1")]
        {
            for queens in 0..4 {
                let men = men([queens, 2, 2, 2, 8], FULL);
                assert_eq!(
                    goal(plain).is_satisfied_by(&men),
                    goal(negated).is_satisfied_by(&men),
                    "{plain} {queens}"
                );
            }
        }
    }

    #[test]
    fn differences_may_be_negative() {
        let constraint = goal("Q-q=-1");
        assert!(constraint.is_satisfied_by(&men([0, 2, 2, 2, 8], FULL)));
        assert_eq!(constraint.distance_of(&men(FULL, FULL)), 1);
    }

    #[test]
    fn contradictions_have_no_alternative_and_complexity_is_limited() {
        assert_eq!(goal("Q=1 Q=2").distance_of(&men(FULL, FULL)), u32::MAX);
        let complex = ["Q", "R", "B", "N", "P", "q", "r", "b", "n", "p", "Q-q"]
            .map(|kind| format!("{kind}!=1"))
            .join(" ");
        assert_eq!(Goal::new(&complex.parse().unwrap()), Err(GoalError::TooComplex { denies_tuple: false }));
    }

    #[test]
    fn too_complex_mentions_negated_tuples_only_if_there_are_any() {
        let error = |text: &str| Goal::new(&text.parse().unwrap()).unwrap_err().to_string();
        let negated = ["!(1,2,2,2,7)", "!black(1,2,2,2,7)", "!(1,2,2,2,8)", "!black(1,2,2,2,8)"].join(" ");
        assert!(error(&negated).contains("'!' before a tuple"), "{}", error(&negated));
        let plain =
            ["Q", "R", "B", "N", "P", "q", "r", "b", "n", "p", "Q-q"].map(|kind| format!("{kind}!=1"));
        let plain = format!("{} !!(1,2,2,2,7)", plain.join(" "));
        assert!(!error(&plain).contains("tuple"), "{}", error(&plain));
    }

    #[test]
    fn impossibly_large_numbers_neither_overflow_nor_change_the_meaning() {
        use crate::Count as C;
        let queens = |comparison| {
            let count = C { piece: KINDS[0], minus: None, comparison };
            Goal::new(&count.into()).unwrap()
        };
        let one = men(FULL, FULL);
        for comparison in
            [Comparison::Less(i8::MIN), Comparison::Greater(i8::MAX), Comparison::AtLeast(i8::MAX)]
        {
            assert!(!queens(comparison).is_satisfied_by(&one), "{comparison:?}");
        }
        for comparison in
            [Comparison::AtMost(i8::MAX), Comparison::AtLeast(i8::MIN), Comparison::Less(i8::MAX)]
        {
            assert!(queens(comparison).is_satisfied_by(&one), "{comparison:?}");
        }
        let all = IntegerRange::new(i8::MIN, i8::MAX).unwrap();
        assert!(!queens(Comparison::NotIn(all)).is_satisfied_by(&one));
        let tuple = Tuple { color: shakmaty::Color::White, counts: [255; 5] };
        assert!(!Goal::new(&tuple.into()).unwrap().is_reachable_from(&one));
        assert_eq!(goal("(1,2,1,1,7) q<=20 r>=0").exact_white(), Some([1, 2, 1, 1, 7]));
    }
}
