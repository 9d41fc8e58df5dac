//! The cost of conditions on sets of men: how many plies it may take until a set has enough members, or few enough.
//!
//! A member of a set costs what it takes to bring a man of the right kind to the region, and what it takes to give it
//! each property there. The costs of properties are rough: captures of the pawns in the way are priced, and the rest
//! are constants of a few plies.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::{
    estimate::{Estimate, NEVER},
    force::{Force, Man},
    paths::{NO_PATH, PLY},
    side,
    way::{Area, Quota, Way},
};
use crate::{
    Kinds, Property, Relation, Selection,
    selection::{ahead, beside, fronts},
};

/// The cost of the things that pawns can rarely do at once: a capture to another file, an exchange of a pawn.
const PAWN_WORK: u32 = 2 * PLY;
/// The most alternatives for one more member that are compared.
const MAX_MEMBERS: usize = 64;

/// A man that may become a member of a set.
#[derive(Clone, Copy)]
struct Candidate {
    piece: Piece,
    /// Where it stands.
    from: Square,
    /// Where it will stand.
    to: Square,
    cost: u32,
}

/// What the costs depend on.
pub(super) struct View<'a> {
    pub way: &'a Way,
    pub quota: &'a Quota,
    pub board: &'a Board,
    pub forces: &'a [Force; 2],
}

impl Way {
    /// Adds the cost of conditions on sets that do not hold.
    pub(super) fn add_quotas(&self, board: &Board, forces: &[Force; 2], estimate: &mut Estimate) {
        for quota in &self.quotas {
            let number = quota.tally.number(board);
            if quota.tally.comparison.holds(number) {
                continue;
            }
            // The smallest change that satisfies the comparison.
            let changes = (1..=i8::MAX).flat_map(|change| [change, -change]);
            let change = changes.into_iter().find(|change| {
                number.checked_add(*change).is_some_and(|number| quota.tally.comparison.holds(number))
            });
            let view = View { way: self, quota, board, forces };
            let (more, fewer) = (Some(&quota.tally.set), quota.tally.minus.as_ref());
            let cost = match change {
                Some(change @ 1..) => view.change(more, fewer, change as usize),
                Some(change) => view.change(fewer, more, change.unsigned_abs().into()),
                None => NEVER,
            };
            estimate.add(cost.clamp(PLY, NEVER));
        }
    }
}

impl View<'_> {
    /// The cost of changing a difference by `number`: the set `more` gains members, or `fewer` loses them.
    fn change(&self, more: Option<&Selection>, fewer: Option<&Selection>, number: usize) -> u32 {
        let mut costs = [NEVER; 2 * MAX_MEMBERS];
        let mut len = 0;
        let mut push = |cost: u32| {
            if len < costs.len() {
                costs[len] = cost.min(NEVER);
                len += 1;
            }
        };
        if let Some(set) = more {
            self.gains(set, &mut push);
        }
        if let Some(set) = fewer {
            self.losses(set, &mut push);
        }
        costs.sort_unstable();
        costs[..number.min(costs.len())].iter().sum()
    }

    /// The costs of one more member each.
    fn gains(&self, set: &Selection, push: &mut impl FnMut(u32)) {
        match set {
            Selection::Men(Kinds::EMPTY_SQUARE, region) => {
                let occupied =
                    self.board.occupied() & region.map_or(Bitboard::FULL, |region| region.squares());
                occupied.into_iter().for_each(|_| push(PLY));
            }
            Selection::With(Property::Mobility, _) => (0..8).for_each(|_| push(PLY)),
            Selection::With(Property::Islands, _) => (0..4).for_each(|_| push(PAWN_WORK + PLY)),
            Selection::Related(Relation::Attacks, pair) => self.attack_more(pair, push),
            Selection::Related(Relation::Forks, pair) => self.fork(pair, push),
            Selection::Related(..) => (0..4).for_each(|_| push(3 * PLY)),
            _ => {
                let members = set.squares(self.board);
                for candidate in self.candidates(set) {
                    if !members.contains(candidate.from) || candidate.from != candidate.to {
                        push(candidate.cost.max(PLY));
                    }
                }
            }
        }
    }

    /// The costs of one member less each.
    fn losses(&self, set: &Selection, push: &mut impl FnMut(u32)) {
        let members = set.squares(self.board);
        let is_placed = matches!(set, Selection::Men(..));
        for square in members {
            // A pawn leaves a region rarely; it loses a property more easily.
            let is_pawn = is_placed && self.board.pawns().contains(square);
            push(if is_pawn { PAWN_WORK } else { PLY });
        }
    }

    /// The men that are members of a set or may become members, with the cost.
    fn candidates(&self, set: &Selection) -> Vec<Candidate> {
        match set {
            Selection::Men(kinds, None) => kinds.pieces().flat_map(|piece| self.present(piece)).collect(),
            Selection::Men(kinds, Some(region)) => {
                let squares = region.squares();
                let areas = self.quota.areas.iter();
                let here = areas.filter(|area| kinds.contains(area.piece) && area.squares == squares);
                here.flat_map(|area| self.approaching(area)).collect()
            }
            Selection::With(property, inner) => {
                let mut candidates = self.candidates(inner);
                for candidate in &mut candidates {
                    candidate.cost += self.price(*property, candidate);
                }
                candidates
            }
            Selection::Related(..) => {
                let member = |square| {
                    let piece = self.board.piece_at(square)?;
                    Some(Candidate { piece, from: square, to: square, cost: 0 })
                };
                set.squares(self.board).into_iter().filter_map(member).collect()
            }
        }
    }

    fn present(&self, piece: Piece) -> impl Iterator<Item = Candidate> {
        let squares = self.board.by_piece(piece).into_iter();
        squares.map(move |square| Candidate { piece, from: square, to: square, cost: 0 })
    }

    /// The men that are in an area or can reach it.
    fn approaching(&self, area: &Area) -> Vec<Candidate> {
        let piece = area.piece;
        let here = self.present(piece).filter(|candidate| area.squares.contains(candidate.from));
        let others = self.force(piece.color).men().iter().filter_map(|man| {
            let is_inside = man.role == piece.role && area.squares.contains(man.square);
            if man.doomed || is_inside {
                return None;
            }
            let from = man.square.to_usize();
            let cost = match man.role {
                role if role == piece.role => {
                    man.approach(area.costs[0][from], piece.color, area.squares, self.board.occupied())
                }
                Role::Pawn if piece.role != Role::King => area.costs[1][from],
                _ => NO_PATH,
            };
            let to = self.nearest(area, man.role, man.square);
            (cost < NO_PATH).then_some(Candidate { piece, from: man.square, to, cost: cost.into() })
        });
        here.chain(others).collect()
    }

    /// The square of an area that a man reaches first.
    fn nearest(&self, area: &Area, role: Role, from: Square) -> Square {
        let Piece { color, role: wanted } = area.piece;
        let cost = |to: &Square| self.way.paths.cost(color, role, from, wanted, *to);
        area.squares.into_iter().min_by_key(cost).unwrap_or(from)
    }

    fn force(&self, color: Color) -> &Force {
        &self.forces[side(color)]
    }

    /// The cost of capturing the men on `squares`, which are of `color`.
    fn captures(&self, squares: Bitboard, color: Color) -> u32 {
        let enemy = self.force(color.other());
        let cost = |man: &Man| self.way.capture(man, enemy, self.board.occupied()).max(PLY);
        let men = self.force(color).men().iter();
        let known: u32 = men.filter(|man| squares.contains(man.square)).map(cost).sum();
        // Men that never move are not in the list. They cannot be captured.
        let frozen =
            squares.count() - self.force(color).men().iter().filter(|m| squares.contains(m.square)).count();
        (known + NEVER * frozen as u32).min(NEVER)
    }

    /// The cost of giving a candidate a property where it will stand.
    fn price(&self, property: Property, candidate: &Candidate) -> u32 {
        let Candidate { piece, to, .. } = *candidate;
        let color = piece.color;
        let at = Bitboard::from(to);
        let set = Selection::With(property, Box::new(Selection::Men([piece].into_iter().collect(), None)));
        if candidate.from == to && set.squares(self.board).contains(to) {
            return 0;
        }
        let pawns = |color: Color| self.board.by_piece(color.pawn());
        match property {
            Property::Isolated => self.captures(pawns(color).without(candidate.from) & beside(at), color),
            Property::Passed => self.captures(pawns(color.other()) & fronts(at, color), color.other()),
            Property::Doubled => {
                let neighbours = pawns(color) & beside(at);
                if neighbours.any() { PAWN_WORK } else { 2 * PAWN_WORK }
            }
            Property::Locked => {
                let facing = pawns(color.other()) & ahead(at, color);
                match facing.into_iter().map(|square| square.distance(to)).min() {
                    Some(distance) => PLY * distance.saturating_sub(1),
                    None => 2 * PAWN_WORK,
                }
            }
            Property::Connected | Property::Chain => {
                if (pawns(color) & beside(at)).any() {
                    PLY
                } else {
                    2 * PAWN_WORK
                }
            }
            Property::Backward => PAWN_WORK + PLY,
            Property::Outpost | Property::Open | Property::HalfOpen => self.to_place(property, candidate),
            Property::Attacked | Property::Defended => PLY + PLY / 2,
            Property::Supported | Property::Battery => 2 * PLY,
            Property::Hanging => {
                let is_attacked = self.board.attacks_to(to, color.other(), self.board.occupied()).any();
                if is_attacked { PLY } else { 2 * PLY }
            }
            Property::Pinned | Property::Skewered => 3 * PLY,
            Property::Trapped => {
                let moves = self.board.attacks_from(candidate.from) & !self.board.by_color(color);
                2 * PLY + moves.count() as u32 * PLY / 4
            }
            Property::Islands | Property::Mobility => 0,
        }
    }

    /// The cost for a man to reach a square with a property that squares have.
    fn to_place(&self, property: Property, candidate: &Candidate) -> u32 {
        let Candidate { piece, from, to, .. } = *candidate;
        let squares = property.places(self.board, piece.color);
        if squares.is_empty() || piece.role == Role::Pawn {
            // Pawns must be exchanged first.
            return if property == Property::Outpost { 3 * PLY } else { 2 * PAWN_WORK };
        }
        if from != to {
            return if squares.contains(to) { 0 } else { 3 * PLY };
        }
        let cost = |to| u32::from(self.way.paths.cost(piece.color, piece.role, from, piece.role, to));
        squares.into_iter().map(cost).min().unwrap_or(NEVER).min(NEVER)
    }
}
