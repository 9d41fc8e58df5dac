//! The expansion of constraints into alternatives (disjunctive normal form): `!` is pushed down to single conditions,
//! and `&` is distributed over `|`.

use std::sync::Arc;

use shakmaty::{Color, Piece};

use super::{
    Atom, Castled, Comparison, Constraint, Count, GoalError, IntegerRange, KINDS, Kinds, Selection, Square,
    Sum, Tally, Tuple, counts::Counts, normal_form::MAX_ALTERNATIVES,
};

/// One way to satisfy a constraint. Everything in it must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The conditions on numbers of men of single kinds.
    pub counts: Counts,
    /// The other conditions.
    pub conditions: Vec<Literal>,
}

/// A condition that must hold, or must not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The condition.
    pub atom: Arc<Atom>,
    /// True if it must not hold.
    pub negated: bool,
}

impl Constraint {
    /// The alternatives of the constraint, in the order in which they are written. Alternatives whose numbers of men
    /// contradict each other are left out, and so are ratings.
    ///
    /// # Errors
    /// [`GoalError::TooComplex`] if there are more than [`MAX_ALTERNATIVES`], together with those of constraints on
    /// earlier positions in each of them.
    pub(super) fn written_out(&self) -> Result<Vec<Alternative>, GoalError> {
        let alternatives = written_out(self, false);
        let limited = alternatives.filter(|alternatives| in_depth(alternatives, MAX_ALTERNATIVES).is_some());
        limited.ok_or_else(|| GoalError::TooComplex { denies_tuple: denies_tuple(self, false) })
    }
}

impl Alternative {
    const FREE: Alternative = Alternative { counts: Counts::FREE, conditions: Vec::new() };

    /// Both alternatives at once; `None` if their numbers of men contradict each other.
    fn and(&self, other: &Alternative) -> Option<Alternative> {
        let counts = self.counts.and(&other.counts)?;
        Some(Alternative { counts, conditions: [&self.conditions[..], &other.conditions].concat() })
    }
}

/// The alternatives of a constraint, or of its negation if `negated`; `None` if there are too many.
fn written_out(constraint: &Constraint, negated: bool) -> Option<Vec<Alternative>> {
    match (constraint, negated) {
        (Constraint::Not(inner), _) => written_out(inner, !negated),
        (Constraint::All(parts), false) | (Constraint::Any(parts), true) => {
            let mut product = vec![Alternative::FREE];
            for part in parts {
                let factor = written_out(part, negated)?;
                let both = product.iter().flat_map(|left| factor.iter().filter_map(|right| left.and(right)));
                product = limited(both)?;
            }
            Some(product)
        }
        (Constraint::Any(parts), false) | (Constraint::All(parts), true) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(written_out(part, negated)?);
            }
            limited(sum.into_iter())
        }
        (Constraint::Atom(Atom::Count(count)), _) => {
            let counts = Counts::of(count, negated).into_iter();
            Some(counts.map(|counts| Alternative { counts, ..Alternative::FREE }).collect())
        }
        (Constraint::Atom(Atom::Tuple(tuple)), _) => {
            written_out(&Constraint::All(counts_of(tuple).map(Constraint::from).collect()), negated)
        }
        (Constraint::Atom(Atom::Material(material)), _) => {
            written_out(&Constraint::All(material.tuples().map(Constraint::from).to_vec()), negated)
        }
        (Constraint::Atom(Atom::Sum(sum)), _) if excludes_all(sum, negated) => {
            let counts = sum.class.pieces().map(|piece| exactly(piece, 0));
            written_out(&Constraint::All(counts.map(Constraint::from).collect()), false)
        }
        (Constraint::Atom(Atom::Tally(tally)), _) => {
            let conditions = match as_squares(tally) {
                Some(squares) if negated => {
                    return written_out(&Constraint::Not(Box::new(squares)), false);
                }
                Some(squares) => return written_out(&squares, false),
                None => vec![Literal { atom: Arc::new(Atom::Tally(tally.clone())), negated }],
            };
            Some(vec![Alternative { conditions, ..Alternative::FREE }])
        }
        (Constraint::Atom(Atom::Castled(castled)), _) if castled.player.is_none() => {
            let of = |color| Atom::Castled(Castled { player: Some(color), ..*castled }).into();
            written_out(&Constraint::All(Color::ALL.map(of).to_vec()), negated)
        }
        (Constraint::Atom(Atom::Rating(_)), _) => Some(vec![Alternative::FREE]),
        (Constraint::Atom(atom), _) => {
            let literal = Literal { atom: Arc::new(atom.clone()), negated };
            Some(vec![Alternative { conditions: vec![literal], ..Alternative::FREE }])
        }
    }
}

/// What is left of `most` after counting alternatives and those of constraints on earlier positions in each of them;
/// `None` if there are more.
fn in_depth(alternatives: &[Alternative], most: usize) -> Option<usize> {
    let mut left = most.checked_sub(alternatives.len())?;
    for Literal { atom, .. } in alternatives.iter().flat_map(|alternative| &alternative.conditions) {
        if let Atom::Earlier(earlier) = &**atom {
            left = in_depth(&written_out(&earlier.0, false)?, left)?;
        }
    }
    Some(left)
}

/// The conditions on squares that say the same, if the comparison asks whether there are any men of some kinds, or
/// any empty squares, in a region: `P@d>=1`, `[Nn]@e5=0`.
fn as_squares(tally: &Tally) -> Option<Constraint> {
    let Tally { set: Selection::Men(kinds, Some(region)), minus: None, comparison } = tally else {
        return None;
    };
    let square = |man| Constraint::Atom(Atom::Square(Square { man, region: *region }));
    let any = match *kinds {
        Kinds::EMPTY_SQUARE => square(None),
        kinds => match kinds.single() {
            Some(piece) => square(Some(piece)),
            None => Constraint::Any(kinds.pieces().map(|piece| square(Some(piece))).collect()),
        },
    };
    match comparison {
        Comparison::AtLeast(1) | Comparison::Greater(0) => Some(any),
        Comparison::AtMost(0) | Comparison::Less(1) => Some(Constraint::Not(Box::new(any))),
        Comparison::In(range) if (range.low(), range.high()) == (0, 0) => {
            Some(Constraint::Not(Box::new(any)))
        }
        Comparison::NotIn(range) if (range.low(), range.high()) == (0, 0) => Some(any),
        _ => None,
    }
}

/// The five counts that are equivalent to a tuple.
fn counts_of(tuple: &Tuple) -> impl Iterator<Item = Count> {
    let kinds = KINDS.into_iter().filter(|piece| piece.color == tuple.color);
    kinds.zip(tuple.counts).map(|(piece, count)| exactly(piece, i8::try_from(count).unwrap_or(i8::MAX)))
}

fn exactly(piece: Piece, number: i8) -> Count {
    Count { piece, minus: None, comparison: Comparison::In(IntegerRange::exactly(number)) }
}

/// True if the total, or its negation, says that there is no man of its kinds: `[QR]=0`, `![QR]>=1`. Networks know numbers
/// of single kinds.
fn excludes_all(sum: &Sum, negated: bool) -> bool {
    let holds = |number: i8| sum.comparison.holds(number) != negated;
    sum.minus.is_none() && holds(0) && !(1..=i8::MAX).any(holds)
}

fn limited(alternatives: impl Iterator<Item = Alternative>) -> Option<Vec<Alternative>> {
    let collected: Vec<_> = alternatives.take(MAX_ALTERNATIVES + 1).collect();
    (collected.len() <= MAX_ALTERNATIVES).then_some(collected)
}

/// True if a tuple in `constraint` is negated, where `negated` tells whether `constraint` as a whole is.
fn denies_tuple(constraint: &Constraint, negated: bool) -> bool {
    match constraint {
        Constraint::Not(inner) => denies_tuple(inner, !negated),
        Constraint::All(parts) | Constraint::Any(parts) => {
            parts.iter().any(|part| denies_tuple(part, negated))
        }
        Constraint::Atom(Atom::Tuple(_) | Atom::Material(_)) => negated,
        Constraint::Atom(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::{Men, Situation, arbitrary::any_conditions, described::sharp_move};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn the_alternatives_are_equivalent_to_the_constraint(
            constraint in any_conditions(), seed in any::<u64>(), ply in 0..40_u32,
        ) {
            let Ok(alternatives) = constraint.written_out() else { return Ok(()) };
            let (root, mut position) = (Chess::default(), Chess::default());
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut moves = Vec::new();
            for _ in 0..ply {
                let Some(m) = sharp_move(&position, &mut rng) else { break };
                position.play_unchecked(m);
                moves.push(m);
            }
            let situation = Situation::root(&root).after(&moves, &position);
            let men = Men::on(position.board());
            let holds = |alternative: &Alternative| {
                let literals = &alternative.conditions;
                alternative.counts.distance(&men) == 0
                    && literals.iter().all(|literal| literal.atom.holds(situation) != literal.negated)
            };
            prop_assert_eq!(alternatives.iter().any(holds), constraint.holds(situation));
        }
    }

    #[test]
    fn alternatives_of_earlier_positions_count_in_each_alternative() {
        let is_simple = |text: &str| text.parse::<Constraint>().unwrap().written_out().is_ok();
        let two = "(N@f3 | N@c3)";
        assert!(is_simple(&[two; 8].join(" then ")));
        // Two, four, eight and so on, for each position.
        let four = format!("({two} {two})");
        assert!(
            is_simple(&[four.as_str(); 4].join(" then ")) && !is_simple(&[four.as_str(); 5].join(" then "))
        );
    }

    #[test]
    fn numbers_of_men_are_combined_and_other_conditions_kept() {
        let written = |text: &str| text.parse::<Constraint>().unwrap().written_out().unwrap();
        let [both] = &written("Q=0 turn=white elo=1500 q<=2 check=none")[..] else {
            panic!("one alternative")
        };
        assert_eq!((both.counts.bounds()[0], both.conditions.len()), ((0, 0), 2));
        assert_eq!(written("Q!=1 turn=white").len(), 2);
        assert_eq!(written("!(Q=1 turn=white)").len(), 3);
        // Whether there are any men on some squares is a condition on squares.
        for (tally, square) in
            [("P@d=0", "!P@d"), ("P@d>=1", "P@d"), ("!P@d!=0", "!P@d"), ("[Nn]@e5<1", "!N@e5 !n@e5")]
        {
            assert_eq!(written(tally), written(square), "{tally}");
        }
        assert!(written("P@d=1") != written("P@d"));
        // A total that must be zero is written out as numbers of single kinds.
        for (total, counts) in [
            ("[QRq]=0", "Q=0 R=0 q=0"),
            ("[QR]<1", "Q=0 R=0"),
            ("![QR]>=1", "Q=0 R=0"),
            ("![Qq]!=0", "Q=0 q=0"),
        ] {
            assert_eq!(written(total), written(counts), "{total}");
        }
        for total in ["[QR]>=1", "![QR]=0", "[QR]<=1", "[QR]-[qr]=0"] {
            assert_eq!(written(total)[0].conditions.len(), 1, "{total}");
        }
        // Contradictory combinations are left out.
        assert_eq!(written("(Q=1 | N@f5) (Q=2 | N@f6)").len(), 3);
    }
}
