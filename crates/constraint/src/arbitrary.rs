//! Random constraints and men, for property tests.

use proptest::prelude::*;
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Color, File, Piece, Rank};

use super::{
    Atom, Captures, Castled, Castling, Check, Class, Comparison, Constraint, Count, Diagram, Earlier, End,
    HowCastled, IntegerRange, KINDS, Legal, Material, Men, Ply, Region, Square, Sum, Tuple, Turn,
    described::any_tally, reader::MAX_NUMBER,
};

/// Any constraint on numbers of men. Most of its numbers occur on boards.
pub(super) fn any_constraint() -> impl Strategy<Value = Constraint> {
    combined(any_count())
}

/// Any constraint without ratings, which are not allowed everywhere.
pub(super) fn any_conditions() -> impl Strategy<Value = Constraint> {
    let place = prop_oneof![
        (0..64_u32).prop_map(|index| Region::Square(shakmaty::Square::new(index))),
        (0..8_u32, 0..8_u32).prop_map(|(a, b)| Region::Files(File::new(a.min(b)), File::new(a.max(b)))),
        (0..8_u32, 0..8_u32).prop_map(|(a, b)| Region::Ranks(Rank::new(a.min(b)), Rank::new(a.max(b)))),
        Just(Region::Light),
        Just(Region::Dark),
        Just(Region::Centre),
    ];
    let man = prop::sample::select("QRBNPKqrbnpk-".chars().collect::<Vec<_>>()).prop_map(Piece::from_char);
    let color = any::<bool>().prop_map(Color::from_white);
    let state = prop_oneof![
        (any::<[bool; 4]>(), any::<bool>())
            .prop_map(|(rights, at_least)| Atom::Castling(Castling { rights, at_least })),
        color.clone().prop_map(|color| Atom::Check(Check::Of(color))),
        prop::sample::select(vec![Check::Any, Check::None]).prop_map(Atom::Check),
        prop::sample::select(vec![End::Checkmate, End::Stalemate]).prop_map(Atom::End),
        color.prop_map(|color| Atom::Turn(Turn(color))),
        (0..=1000_i16).prop_map(|ply| Atom::Ply(Ply(Comparison::AtMost(ply)))),
        (0..=60_i16).prop_map(|number| Atom::Legal(Legal(Comparison::AtLeast(number)))),
        (0..=40_i16).prop_map(|number| Atom::Captures(Captures(Comparison::AtMost(number)))),
        (prop::option::of(any::<bool>().prop_map(Color::from_white)), prop::sample::select(CASTLED.to_vec()))
            .prop_map(|(player, how)| Atom::Castled(Castled { player, how })),
        (man, place).prop_map(|(man, region)| Atom::Square(Square { man, region })),
        (prop::array::uniform5(0..=9_u8), prop::array::uniform5(0..=9_u8))
            .prop_map(|(white, black)| Atom::Material(Material { white, black })),
        prop::collection::vec(prop::sample::select("?Kq..P".chars().collect::<Vec<_>>()), 64)
            .prop_map(diagram),
    ];
    let class = || {
        prop::sample::subsequence(KINDS.to_vec(), 1..=KINDS.len())
            .prop_map(|pieces| pieces.into_iter().collect::<Class>())
    };
    let sum = (class(), prop::option::of(class()), any_comparison())
        .prop_map(|(class, minus, comparison)| Atom::Sum(Sum { class, minus, comparison }).into());
    let tally = any::<u64>().prop_map(|seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Atom::Tally(Box::new(any_tally(None, &mut rng))).into()
    });
    let one = prop_oneof![any_count(), sum, tally, state.prop_map(Constraint::Atom)].boxed();
    let earlier = combined(one.clone()).prop_map(|inner| Atom::Earlier(Box::new(Earlier(inner))).into());
    combined(prop_oneof![8 => one, 1 => earlier])
}

const CASTLED: [HowCastled; 4] = [HowCastled::NONE, HowCastled::SHORT, HowCastled::LONG, HowCastled::YES];

/// The diagram with these characters on its squares. A dot is an empty square.
fn diagram(squares: Vec<char>) -> Atom {
    let ranks: Vec<String> =
        squares.chunks(8).map(|rank| rank.iter().collect::<String>().replace('.', "1")).collect();
    Atom::Diagram(Box::new(Diagram::parse(&ranks.join("/")).expect("eight ranks of eight squares")))
}

fn any_comparison() -> impl Strategy<Value = Comparison> {
    let number = prop_oneof![4 => -3..=10_i8, 1 => -MAX_NUMBER..=MAX_NUMBER];
    let range = (number.clone(), number.clone())
        .prop_map(|(a, b)| IntegerRange::new(a.min(b), a.max(b)).expect("ordered"));
    prop_oneof![
        range.clone().prop_map(Comparison::In),
        range.prop_map(Comparison::NotIn),
        number.clone().prop_map(Comparison::Less),
        number.clone().prop_map(Comparison::AtMost),
        number.clone().prop_map(Comparison::Greater),
        number.prop_map(Comparison::AtLeast),
    ]
}

fn any_count() -> impl Strategy<Value = Constraint> {
    let piece = prop::sample::select(KINDS.to_vec());
    let count = (piece.clone(), prop::option::of(piece), any_comparison())
        .prop_map(|(piece, minus, comparison)| Count { piece, minus, comparison }.into());
    let tuple = (any::<bool>(), prop::array::uniform5(0..=9u8))
        .prop_map(|(white, counts)| Tuple { color: Color::from_white(white), counts }.into());
    prop_oneof![count, tuple]
}

/// These conditions, combined and negated in any way.
fn combined(conditions: impl Strategy<Value = Constraint> + 'static) -> impl Strategy<Value = Constraint> {
    conditions.prop_recursive(4, 24, 4, |inner| {
        let parts = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            parts.clone().prop_map(Constraint::All),
            parts.prop_map(Constraint::Any),
            inner.prop_map(|part| Constraint::Not(Box::new(part))),
        ]
    })
}

/// Any numbers of men. Each may occur on a board, though not necessarily together with the others.
pub(super) fn any_men() -> impl Strategy<Value = Men> {
    prop::array::uniform10(0..=10_i8).prop_map(Men)
}
