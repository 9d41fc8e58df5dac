//! Random constraints and men, for property tests.

use proptest::prelude::*;
use shakmaty::Color;

use super::{Comparison, Constraint, Count, IntegerRange, KINDS, Men, Tuple, parser::MAX_NUMBER};

/// Any constraint; most of its numbers are such as boards have.
pub(super) fn any_constraint() -> impl Strategy<Value = Constraint> {
    let piece = prop::sample::select(KINDS.to_vec());
    let number = prop_oneof![4 => -3..=10_i8, 1 => -MAX_NUMBER..=MAX_NUMBER];
    let range = (number.clone(), number.clone())
        .prop_map(|(a, b)| IntegerRange::new(a.min(b), a.max(b)).expect("ordered"));
    let comparison = prop_oneof![
        range.clone().prop_map(Comparison::In),
        range.prop_map(Comparison::NotIn),
        number.clone().prop_map(Comparison::Less),
        number.clone().prop_map(Comparison::AtMost),
        number.clone().prop_map(Comparison::Greater),
        number.prop_map(Comparison::AtLeast),
    ];
    let count = (piece.clone(), prop::option::of(piece), comparison)
        .prop_map(|(piece, minus, comparison)| Count { piece, minus, comparison }.into());
    let tuple = (any::<bool>(), prop::array::uniform5(0..=9u8))
        .prop_map(|(white, counts)| Tuple { color: Color::from_white(white), counts }.into());
    prop_oneof![count, tuple].prop_recursive(4, 24, 4, |inner| {
        let parts = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            parts.clone().prop_map(Constraint::All),
            parts.prop_map(Constraint::Any),
            inner.prop_map(|part| Constraint::Not(Box::new(part))),
        ]
    })
}

/// Men of any numbers that a board may have, whether or not it could have all of them at once.
pub(super) fn any_men() -> impl Strategy<Value = Men> {
    prop::array::uniform10(0..=10_i8).prop_map(Men)
}
