//! Bounds on the men on some squares, and whether they leave room for a man with certain properties.
//!
//! A property of a pawn or of a square forbids pawns on some squares and needs them on others, which depend on where
//! the man stands. If the bounds leave no square for it, the conditions contradict each other.

use shakmaty::{Bitboard, Piece, Rank, Role, Square};

use super::Literal;
use crate::{
    Atom, Comparison, Kinds, Property, Region, Selection, Tally,
    counts::Counts,
    selection::{ahead, beside, fronts, next_to, step},
};

/// At least, or at most, this many men of a kind on these squares.
pub(super) struct Bound<'a> {
    pub piece: Piece,
    pub squares: Bitboard,
    pub number: i8,
    /// The condition that says so.
    pub source: &'a Atom,
}

/// Where pawns stand, as far as the conditions say.
pub(super) struct Bounds<'a> {
    pub least: Vec<Bound<'a>>,
    pub most: Vec<Bound<'a>>,
}

/// The squares on which a man can stand.
pub(super) fn squares_for(piece: Piece) -> Bitboard {
    let edges = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
    if piece.role == Role::Pawn { !edges } else { Bitboard::FULL }
}

/// The least and the most that the comparison allows. If nothing is subtracted, the number is at least 0.
pub(super) fn bounds(tally: &Tally) -> (i8, i8) {
    let least = if tally.minus.is_some() { -i8::MAX } else { 0 };
    let (low, high) = match tally.comparison {
        Comparison::In(range) => (range.low(), range.high()),
        Comparison::NotIn(range) if range.low() <= least => (range.high().saturating_add(1), i8::MAX),
        Comparison::NotIn(_) => (least, i8::MAX),
        Comparison::Less(bound) => (least, bound.saturating_sub(1)),
        Comparison::AtMost(bound) => (least, bound),
        Comparison::Greater(bound) => (bound.saturating_add(1), i8::MAX),
        Comparison::AtLeast(bound) => (bound, i8::MAX),
    };
    (low.max(least), high)
}

/// The bounds on men on squares in all conditions.
pub(super) fn collected<'a>(way: &'a [Literal], tallies: &[(&'a Atom, Tally)]) -> Bounds<'a> {
    let mut all = Bounds { least: Vec::new(), most: Vec::new() };
    for literal in way {
        let source = &*literal.atom;
        match source {
            Atom::Square(square) => {
                let Some(piece) = square.man else { continue };
                let (list, number) = if literal.negated { (&mut all.most, 0) } else { (&mut all.least, 1) };
                list.push(Bound { piece, squares: square.region.squares(), number, source });
            }
            Atom::Diagram(diagram) if !literal.negated => {
                let men = diagram.board.clone().into_iter();
                all.least.extend(men.map(|(square, piece)| Bound {
                    piece,
                    squares: square.into(),
                    number: 1,
                    source,
                }));
            }
            _ => {}
        }
    }
    for (source, tally) in tallies.iter().filter(|(_, tally)| tally.minus.is_none()) {
        let (least, most) = bounds(tally);
        let (properties, kinds, region) = base(&tally.set);
        let Some(piece) = kinds.single() else { continue };
        let squares = region.map_or(Bitboard::FULL, Region::squares);
        if least > 0 && !properties.contains(&Property::Mobility) {
            all.least.push(Bound { piece, squares, number: least, source });
        }
        if properties.is_empty() && most < i8::MAX {
            all.most.push(Bound { piece, squares, number: most, source });
        }
    }
    all
}

/// The properties of a set, and the men and the region from which it selects. For a relation, no properties and no men.
fn base(set: &Selection) -> (Vec<Property>, Kinds, Option<Region>) {
    match set {
        Selection::Men(kinds, region) => (Vec::new(), *kinds, *region),
        Selection::With(property, inner) => {
            let (mut properties, kinds, region) = base(inner);
            properties.push(*property);
            (properties, kinds, region)
        }
        Selection::Related(..) => (Vec::new(), Kinds::NONE, None),
    }
}

/// A lower bound on the number of men of a kind on `squares`: disjoint sets of squares need different men.
pub(super) fn disjoint(least: &[Bound<'_>], piece: Piece, squares: Bitboard) -> i8 {
    let of_piece = |bound: &&Bound<'_>| bound.piece == piece && (bound.squares & !squares).is_empty();
    let mut bounds: Vec<&Bound<'_>> = least.iter().filter(of_piece).collect();
    // The small sets first: they overlap with few others. Of equal sets, the one that needs more.
    bounds.sort_by_key(|bound| (bound.squares.count(), -i16::from(bound.number)));
    let mut taken = Bitboard::EMPTY;
    let mut number = 0_i8;
    let mut largest = 0;
    for bound in bounds {
        largest = largest.max(bound.number);
        if (bound.squares & taken).is_empty() {
            taken |= bound.squares;
            number = number.saturating_add(bound.number);
        }
    }
    number.max(largest)
}

impl Bounds<'_> {
    /// Checks that enough squares are left on which a man can have the properties that a condition requires.
    pub(super) fn leave_squares_for(
        &self,
        atom: &Atom,
        tally: &Tally,
        counts: &Counts,
    ) -> Result<(), String> {
        let (properties, kinds, region) = base(&tally.set);
        let (least, _) = bounds(tally);
        let Some(piece) = kinds.single().filter(|_| least > 0) else { return Ok(()) };
        // Several islands do not mean several pawns with a property.
        let least = if properties.iter().any(|p| matches!(p, Property::Islands | Property::Mobility)) {
            1
        } else {
            least
        };
        let squares = region.map_or(Bitboard::FULL, Region::squares) & squares_for(piece);
        let suits = |square: &Square| {
            self.allow(piece, *square)
                && properties.iter().all(|p| self.allow_with(*p, piece, *square, counts))
        };
        if squares.into_iter().filter(suits).count() < least as usize {
            return Err(format!("{atom} contradicts the other conditions on pawns and squares"));
        }
        Ok(())
    }

    /// True if a man of this kind may stand on `square`.
    fn allow(&self, piece: Piece, square: Square) -> bool {
        !self.most.iter().any(|most| most.piece == piece && most.number <= 0 && most.squares.contains(square))
            && !self.least.iter().any(|least| {
                least.piece != piece && least.number > 0 && least.squares.single_square() == Some(square)
            })
    }

    /// True if a man of this kind on `square` may have `property`.
    fn allow_with(&self, property: Property, piece: Piece, square: Square, counts: &Counts) -> bool {
        let Piece { color, .. } = piece;
        let (own, enemy) = (color.pawn(), color.other().pawn());
        let at = Bitboard::from(square);
        let file = Bitboard::from(square.file());
        let behind = step(at, color.other());
        let none = |pawn, squares| self.none(pawn, squares) && (piece != pawn || (at & squares).is_empty());
        let some = |pawn, squares, number| self.some(pawn, squares, number, counts);
        match property {
            Property::Isolated => none(own, beside(at)),
            Property::Doubled => some(own, file, 2),
            Property::Passed => none(enemy, fronts(at, color)),
            Property::Backward => {
                none(own, next_to(at | ahead(at, color.other())))
                    && some(own, next_to(ahead(at, color)), 1)
                    && some(enemy, next_to(step(step(at, color), color)), 1)
            }
            Property::Connected => some(own, next_to(at | step(at, color) | behind), 1),
            Property::Chain => some(own, next_to(step(at, color) | behind), 1),
            Property::Locked => some(enemy, step(at, color), 1),
            Property::Open => none(own, file) && none(enemy, file),
            Property::HalfOpen => none(own, file) && some(enemy, file, 1),
            Property::Supported => some(own, next_to(behind), 1),
            Property::Outpost => {
                none(enemy, next_to(ahead(at, color)))
                    && some(own, next_to(behind), 1)
                    && (3..=5).contains(&color.fold_wb(square.rank() as u32, 7 - square.rank() as u32))
            }
            _ => true,
        }
    }

    /// True if all of `squares` may be without pawns of this kind.
    fn none(&self, pawn: Piece, squares: Bitboard) -> bool {
        !self.least.iter().any(|least| {
            least.piece == pawn
                && ((least.squares & squares_for(pawn) & !squares).count() as i8) < least.number
        })
    }

    /// True if `squares` may hold at least this many pawns of this kind.
    fn some(&self, pawn: Piece, squares: Bitboard, number: i8, counts: &Counts) -> bool {
        let squares = squares & squares_for(pawn);
        counts.most(pawn) >= number
            && squares.count() as i8 >= number
            && !self.most.iter().any(|most| {
                most.piece == pawn && most.number < number && (squares & !most.squares).is_empty()
            })
    }
}
