use std::ops::RangeInclusive;

use shakmaty::{Chess, Move, Piece, Position};
use thiserror::Error;

use super::{Atom, Comparison, Constraint, Count, KINDS, Men, Tuple, men::kind_index};

/// The most alternatives a goal may have; `!=` and `|` under `&` multiply them.
const MAX_ALTERNATIVES: usize = 1024;
/// The bounds of a count that nothing limits: more than any side can have.
const UNBOUNDED: RangeInclusive<i8> = 0..=16;

/// A constraint in the form that search works on: alternatives, each a range for every kind of man.
///
/// `!` is pushed down to the comparisons and `&` is distributed over `|`, so that satisfaction,
/// distance and reachability are a few comparisons of small integers. A goal without alternatives
/// contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub(super) alternatives: Vec<Alternative>,
}

/// One way to meet the goal: all ranges and differences at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    /// Least and most men of each of the [`KINDS`].
    pub least: [i8; KINDS.len()],
    pub most: [i8; KINDS.len()],
    pub differences: Vec<Difference>,
}

/// Bounds on the number of one kind of man minus that of another, as indices into [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub minuend: usize,
    pub subtrahend: usize,
    pub least: i8,
    pub most: i8,
}

/// A constraint that cannot be brought into normal form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoalError {
    /// Written out, it has too many alternatives.
    #[error(
        "the constraint is too complex: written out, its '|' and '!=' give more than {MAX_ALTERNATIVES} alternatives"
    )]
    TooComplex,
}

impl Goal {
    /// The normal form of `constraint`.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if there are more than 1,024 alternatives.
    pub fn new(constraint: &Constraint) -> Result<Goal, GoalError> {
        Ok(Goal { alternatives: alternatives(constraint, false)? })
    }

    /// True if the constraint holds for the position.
    pub fn is_satisfied(&self, position: &Chess) -> bool {
        self.is_satisfied_by(&Men::on(position.board()))
    }

    /// True if the constraint holds for these men.
    pub fn is_satisfied_by(&self, men: &Men) -> bool {
        self.distance_of(men) == 0
    }

    /// True if the constraint holds after `m`, a legal move, is played.
    pub fn is_satisfied_after(&self, position: &Chess, m: Move) -> bool {
        self.is_satisfied_by(&Men::on(position.board()).after(m, position.turn()))
    }

    /// How many men are too many or too few, for the nearest alternative; 0 if satisfied.
    ///
    /// For an exact tuple this is the k of the thesis's k-PDR. A goal that contradicts itself is
    /// [`u32::MAX`] away.
    pub fn distance(&self, position: &Chess) -> u32 {
        self.distance_of(&Men::on(position.board()))
    }

    /// [`Goal::distance`] for men already counted.
    #[inline]
    pub fn distance_of(&self, men: &Men) -> u32 {
        self.alternatives.iter().map(|alternative| alternative.distance(men)).min().unwrap_or(u32::MAX)
    }

    /// White's (Q, R, B, N, P), if the goal is exactly these counts and nothing else.
    pub fn exact_white(&self) -> Option<[u8; 5]> {
        let [alternative] = self.alternatives.as_slice() else { return None };
        let (white, black) = (0..5, 5..10);
        let exact = white.clone().all(|kind| alternative.least[kind] == alternative.most[kind]);
        let free = black.clone().all(|kind| {
            alternative.least[kind] == *UNBOUNDED.start() && alternative.most[kind] == *UNBOUNDED.end()
        });
        (exact && free && alternative.differences.is_empty())
            .then(|| std::array::from_fn(|kind| alternative.least[kind] as u8))
    }

    /// How many pawns each side, White first, must still promote to meet the nearest reachable alternative.
    pub(crate) fn promotions_needed(&self, men: &Men) -> [u32; 2] {
        let nearest = self.nearest(men);
        [0, 5].map(|side| {
            nearest.map_or(0, |alternative| alternative.promotions_needed(side, men).max(0) as u32)
        })
    }

    fn nearest(&self, men: &Men) -> Option<&Alternative> {
        self.alternatives
            .iter()
            .filter(|alternative| alternative.unreachable_reason(men).is_none())
            .min_by_key(|alternative| alternative.distance(men))
    }
}

impl Alternative {
    const FREE: Alternative = Alternative {
        least: [*UNBOUNDED.start(); KINDS.len()],
        most: [*UNBOUNDED.end(); KINDS.len()],
        differences: Vec::new(),
    };

    #[inline]
    fn distance(&self, men: &Men) -> u32 {
        let mut distance = 0;
        for kind in 0..KINDS.len() {
            let count = men.0[kind];
            distance += (self.least[kind] - count).max(count - self.most[kind]).max(0) as u32;
        }
        for difference in &self.differences {
            let value = men.0[difference.minuend] - men.0[difference.subtrahend];
            distance += (difference.least - value).max(value - difference.most).max(0) as u32;
        }
        distance
    }

    /// Both alternatives at once; `None` if they contradict each other.
    fn and(&self, other: &Alternative) -> Option<Alternative> {
        let both = Alternative {
            least: std::array::from_fn(|kind| self.least[kind].max(other.least[kind])),
            most: std::array::from_fn(|kind| self.most[kind].min(other.most[kind])),
            differences: self.differences.iter().chain(&other.differences).copied().collect(),
        };
        (0..KINDS.len()).all(|kind| both.least[kind] <= both.most[kind]).then_some(both)
    }

    fn of_count(count: &Count, range: RangeInclusive<i8>) -> Option<Alternative> {
        let kind = |piece: Piece| kind_index(piece.color, piece.role).expect("counts never name kings");
        let mut alternative = Alternative::FREE;
        if let Some(minus) = count.minus {
            alternative.differences.push(Difference {
                minuend: kind(count.piece),
                subtrahend: kind(minus),
                least: *range.start(),
                most: *range.end(),
            });
            return Some(alternative);
        }
        let kind = kind(count.piece);
        alternative.least[kind] = *range.start().max(UNBOUNDED.start());
        alternative.most[kind] = *range.end();
        (alternative.least[kind] <= alternative.most[kind]).then_some(alternative)
    }
}

fn alternatives(constraint: &Constraint, negated: bool) -> Result<Vec<Alternative>, GoalError> {
    match (constraint, negated) {
        (Constraint::Not(inner), _) => alternatives(inner, !negated),
        (Constraint::All(parts), false) | (Constraint::Any(parts), true) => {
            let mut product = vec![Alternative::FREE];
            for part in parts {
                let factor = alternatives(part, negated)?;
                product = limited(
                    product.iter().flat_map(|left| factor.iter().filter_map(|right| left.and(right))),
                )?;
            }
            Ok(product)
        }
        (Constraint::Any(parts), false) | (Constraint::All(parts), true) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(alternatives(part, negated)?);
            }
            limited(sum.into_iter())
        }
        (Constraint::Atom(Atom::Count(count)), _) => Ok(of_count(count, negated)),
        (Constraint::Atom(Atom::Tuple(tuple)), _) => {
            let counts: Vec<Constraint> = tuple_counts(tuple).map(Constraint::from).collect();
            alternatives(&Constraint::All(counts), negated)
        }
    }
}

/// The five counts that a tuple stands for.
fn tuple_counts(tuple: &Tuple) -> impl Iterator<Item = Count> {
    KINDS.into_iter().filter(|piece| piece.color == tuple.color).zip(tuple.counts).map(|(piece, count)| {
        Count { piece, minus: None, comparison: Comparison::In(super::IntegerRange::exactly(count as i8)) }
    })
}

fn of_count(count: &Count, negated: bool) -> Vec<Alternative> {
    let (low, high) = (i8::MIN / 2, i8::MAX / 2);
    let comparison = if negated { count.comparison.negated() } else { count.comparison };
    let ranges = match comparison {
        Comparison::In(range) => vec![range.low()..=range.high()],
        Comparison::NotIn(range) => vec![low..=range.low() - 1, range.high() + 1..=high],
        Comparison::Less(bound) => vec![low..=bound - 1],
        Comparison::AtMost(bound) => vec![low..=bound],
        Comparison::Greater(bound) => vec![bound + 1..=high],
        Comparison::AtLeast(bound) => vec![bound..=high],
    };
    ranges.into_iter().filter_map(|range| Alternative::of_count(count, range)).collect()
}

fn limited(alternatives: impl Iterator<Item = Alternative>) -> Result<Vec<Alternative>, GoalError> {
    let collected: Vec<_> = alternatives.take(MAX_ALTERNATIVES + 1).collect();
    if collected.len() > MAX_ALTERNATIVES { Err(GoalError::TooComplex) } else { Ok(collected) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(text: &str) -> Goal {
        Goal::new(&text.parse().expect(text)).expect(text)
    }

    fn men(white: [i8; 5], black: [i8; 5]) -> Men {
        Men(std::array::from_fn(|kind| if kind < 5 { white[kind] } else { black[kind - 5] }))
    }

    const FULL: [i8; 5] = [1, 2, 2, 2, 8];

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
        assert_eq!(Goal::new(&complex.parse().unwrap()), Err(GoalError::TooComplex));
    }
}
