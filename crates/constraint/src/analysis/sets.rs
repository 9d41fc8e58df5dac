//! Conditions on sets of men: which men they require, and contradictions between them.
//!
//! Every condition that counts men of one kind on some squares is a lower or an upper bound. Two bounds contradict each
//! other if the men that one of them requires do not fit into the other.

use shakmaty::{Bitboard, Chess, Color, Position, Role};

use super::{
    Literal,
    room::{bounds, collected, disjoint, squares_for},
};
use crate::{Atom, Kinds, Men, Property, Region, Relation, Selection, Tally, counts::Counts, men};

/// Adds the numbers of men that conditions on sets imply to `counts`, or says why the conditions contradict each other.
pub(super) fn count(way: &[Literal], root: &Chess, counts: &mut Counts) -> Result<(), String> {
    let tallies: Vec<(&Atom, Tally)> = way.iter().filter_map(required).collect();
    let men = Men::on(root.board());
    for (atom, tally) in &tallies {
        let (least, most) = bounds(tally);
        let highest = highest(&tally.set, Kinds::ALL, &men);
        let lowest = -tally.minus.as_ref().map_or(0, |minus| self::highest(minus, Kinds::ALL, &men));
        if !(lowest..=highest).any(|number| tally.comparison.holds(number)) {
            return Err(format!(
                "{atom}: the number is at most {highest}{}",
                match lowest {
                    0 => String::new(),
                    lowest => format!(" and at least {lowest}"),
                }
            ));
        }
        demand(&tally.set, least, counts);
        if let Some(minus) = &tally.minus {
            demand(minus, most.saturating_neg(), counts);
        }
    }
    let all = collected(way, &tallies);
    for least in &all.least {
        let room = (least.squares & squares_for(least.piece)).count() as i8;
        if least.number > room {
            return Err(format!(
                "{}: at most {room} {}s have room there",
                least.source,
                men::name(least.piece)
            ));
        }
    }
    for most in &all.most {
        let needed = disjoint(&all.least, most.piece, most.squares);
        if needed > most.number {
            let name = men::name(most.piece);
            let allowed = match most.number {
                ..=0 => format!("no {name}"),
                1 => format!("at most 1 {name}"),
                number => format!("at most {number} {name}s"),
            };
            // A condition that must not hold allows nothing.
            let negation = if matches!(most.source, Atom::Square(_)) { "!" } else { "" };
            return Err(format!(
                "{negation}{} allows {allowed}, but other conditions need at least {needed} there",
                most.source
            ));
        }
    }
    for piece in crate::KINDS {
        counts.demand(piece, disjoint(&all.least, piece, Bitboard::FULL));
    }
    tallies.iter().try_for_each(|(atom, tally)| all.leave_squares_for(atom, tally, counts))
}

/// The condition on a set that must hold for `literal` to hold, if it is one.
fn required(literal: &Literal) -> Option<(&Atom, Tally)> {
    let Atom::Tally(tally) = &*literal.atom else { return None };
    let comparison = if literal.negated { tally.comparison.negated() } else { tally.comparison };
    Some((&*literal.atom, Tally { comparison, ..(**tally).clone() }))
}

/// The most members that a set can have in games from a position with these men. Only `kinds` count.
fn highest(set: &Selection, kinds: Kinds, men: &Men) -> i8 {
    match set {
        Selection::Men(Kinds::EMPTY_SQUARE, region) => {
            region.map_or(Bitboard::FULL, Region::squares).count() as i8
        }
        Selection::Men(these, region) => {
            let these = these.and(kinds);
            let room = these.pieces().fold(Bitboard::EMPTY, |all, piece| all | squares_for(piece));
            let room = (room & region.map_or(Bitboard::FULL, Region::squares)).count() as i8;
            let of_side = |color: Color| -> i8 {
                let kinds = || these.pieces().filter(move |piece| piece.color == color);
                let present: i8 = kinds().map(|piece| men.count(piece) as i8).sum();
                let promotes = !these.contains(color.pawn()) && kinds().any(|piece| piece.role != Role::King);
                present + if promotes { men.count(color.pawn()) as i8 } else { 0 }
            };
            Color::ALL.map(of_side).iter().sum::<i8>().min(room)
        }
        Selection::With(Property::Mobility, _) => 64,
        Selection::With(property, inner) => {
            let most = highest(inner, kinds.and(property.kinds(inner.kinds())), men);
            // Islands are at least a file apart.
            let sides = Color::ALL.iter().filter(|color| inner.kinds().contains(color.pawn())).count() as i8;
            if *property == Property::Islands { most.min(4 * sides) } else { most }
        }
        Selection::Related(Relation::Attacks | Relation::Xray, pair) => highest(&pair[1], kinds, men),
        Selection::Related(Relation::Forks | Relation::Shields, pair) => highest(&pair[0], kinds, men),
    }
}

/// Adds to `counts` the men that a set with at least `least` members requires.
fn demand(set: &Selection, least: i8, counts: &mut Counts) {
    if least <= 0 {
        return;
    }
    match set {
        Selection::Men(kinds, _) => {
            if let Some(piece) = kinds.single().filter(|piece| piece.role != Role::King) {
                counts.demand(piece, least);
            }
        }
        Selection::With(property, inner) => {
            let pawns = inner.kinds().single();
            match property {
                Property::Mobility => demand(inner, 1, counts),
                // The other pawn need not be in the set.
                Property::Doubled | Property::Connected | Property::Chain => {
                    demand(inner, least, counts);
                    if let Some(pawn) = pawns {
                        counts.demand(pawn, least.max(2));
                    }
                }
                // The first of all pawns is not backward.
                Property::Backward => {
                    demand(inner, least, counts);
                    if let Some(pawn) = pawns {
                        counts.demand(pawn, least.saturating_add(1));
                        counts.demand(men::mirrored(pawn), 1);
                    }
                }
                Property::Locked => {
                    demand(inner, least, counts);
                    if let Some(pawn) = pawns {
                        counts.demand(men::mirrored(pawn), least);
                    }
                }
                Property::Outpost | Property::Supported => {
                    demand(inner, least, counts);
                    if let Some(man) = pawns.filter(|man| man.role != Role::Pawn) {
                        counts.demand(man.color.pawn(), 1);
                    }
                }
                Property::HalfOpen => {
                    demand(inner, least, counts);
                    if let Some(man) = pawns {
                        counts.demand(man.color.other().pawn(), 1);
                    }
                }
                _ => demand(inner, least, counts),
            }
        }
        Selection::Related(relation, pair) => {
            let [first, second] = match relation {
                Relation::Attacks | Relation::Xray => [1, least],
                Relation::Forks => [least, 2],
                Relation::Shields => [least, 1],
            };
            demand(&pair[0], first, counts);
            demand(&pair[1], second, counts);
        }
    }
}
