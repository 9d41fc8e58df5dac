//! One alternative of a constraint, in the form that the cost estimates need.

use std::{array, collections::HashMap, sync::Arc};

use shakmaty::{Bitboard, Chess, Color, Piece, Rank, Role, Square};

use super::{
    GuideError,
    game::GameWay,
    paths::{NO_PATH, Paths},
    side,
};
use crate::{
    Atom, Castling, Check, Counts, Diagram, End, Facts, KINDS, Literal, RIGHTS, Selection, Situation, Sum,
    Tally, homes,
};

/// A square on which a man of a given role must stand at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    pub role: Role,
    pub square: Square,
}

/// A region on which a man of a given kind must stand at the end.
#[derive(Clone)]
pub(super) struct Area {
    pub piece: Piece,
    pub squares: Bitboard,
    /// The cost from each square to the region, first for a man of the piece's role, then for a pawn that promotes to
    /// this role.
    pub costs: [[u16; 64]; 2],
}

/// A condition on a set, with the areas that its men must reach.
#[derive(Clone)]
pub(super) struct Quota {
    pub tally: Tally,
    /// For each kind of the men from which the set selects, the way to its region.
    pub areas: Vec<Area>,
}

impl Quota {
    /// The condition `tally` with the areas of its men.
    pub(super) fn new(tally: Tally, area: impl Fn(Piece, Bitboard) -> Area) -> Quota {
        let mut areas = Vec::new();
        for set in [Some(&tally.set), tally.minus.as_ref()].into_iter().flatten() {
            if let Selection::Men(kinds, Some(region)) = innermost(set) {
                areas.extend(kinds.pieces().map(|piece| area(piece, region.squares())));
            }
        }
        Quota { tally, areas }
    }
}

/// The men from which a set selects by properties; a relation is innermost, too.
fn innermost(set: &Selection) -> &Selection {
    match set {
        Selection::With(_, inner) => innermost(inner),
        other => other,
    }
}

/// The conditions of an alternative, all of which must hold.
#[derive(Clone)]
pub(super) struct Way {
    /// The numbers of men, including what the other conditions imply for them.
    pub counts: Counts,
    /// The fewest and the most men of each of the [`KINDS`].
    pub bounds: [(i8, i8); KINDS.len()],
    /// Places that men must reach, White's first.
    pub places: [Vec<Destination>; 2],
    /// Places of men that never move: unmoved pawns, and kings and rooks with castling rights. White's first.
    pub frozen: [Vec<Destination>; 2],
    pub areas: Vec<Area>,
    /// The content of every square is fixed.
    pub is_whole_diagram: bool,
    /// Squares that must be empty.
    pub empty: Bitboard,
    /// Sets of squares, each with at least one square that must be empty.
    pub gaps: Vec<Bitboard>,
    /// Squares that must not be empty.
    pub occupied: Bitboard,
    /// Kinds of men with the squares on which they must not stand.
    pub forbidden: Vec<(Piece, Bitboard)>,
    /// Diagrams that must not hold.
    pub negated_diagrams: Vec<Diagram>,
    /// Conditions on total numbers of men.
    pub sums: Vec<Sum>,
    /// Conditions on sets of men.
    pub quotas: Vec<Quota>,
    /// Castling rights that must remain, in the order of [`RIGHTS`].
    pub keep: [bool; 4],
    /// Castling rights that must be lost, in the order of [`RIGHTS`].
    pub lose: [bool; 4],
    /// Conditions on castling rights that must not hold.
    pub negated_castlings: Vec<Castling>,
    /// The side to move, if it is determined.
    pub turn: Option<Color>,
    /// Whether the side to move is in check, if that is determined.
    pub check: Option<bool>,
    /// How the game has ended, if that is determined.
    pub end: Option<End>,
    /// The fewest and the most plies from the root of the game.
    pub plies: (u32, u32),
    pub paths: Arc<Paths>,
    /// Squares of a colour on which bishops must not end, White's first. Bishops of this colour can only be captured.
    pub doomed_bishops: [Bitboard; 2],
    /// What the game must have.
    pub game: GameWay,
}

/// Paths by the men that never move. They are large, and all ways with the same unmoved men share them.
#[derive(Default)]
pub(super) struct SharedPaths(HashMap<[Bitboard; 3], Arc<Paths>>);

/// The most paths that are computed.
const MAX_PATHS: usize = 64;

impl SharedPaths {
    /// The paths around `obstacles`; `None` if too many different ones have been requested.
    fn around(&mut self, obstacles: Bitboard, pawns: [Bitboard; 2]) -> Option<Arc<Paths>> {
        let key = [obstacles, pawns[0], pawns[1]];
        if self.0.len() == MAX_PATHS && !self.0.contains_key(&key) {
            return None;
        }
        Some(Arc::clone(self.0.entry(key).or_insert_with(|| Arc::new(Paths::around(obstacles, pawns)))))
    }
}

impl Way {
    /// The number of men that must go to certain squares.
    pub(super) fn men_to_place(&self) -> usize {
        self.places.iter().map(Vec::len).sum()
    }

    /// The way for `facts` of games from `start`.
    ///
    /// # Errors
    /// [`GuideError`] if there are too many `shared` paths, or an earlier position is impossible or too complex.
    pub(super) fn new(
        facts: &Facts<'_>,
        start: Situation<'_>,
        shared: &mut SharedPaths,
    ) -> Result<Way, GuideError> {
        let mut way = Way {
            bounds: facts.counts.bounds(),
            counts: facts.counts.clone(),
            places: Default::default(),
            frozen: Default::default(),
            areas: Vec::new(),
            is_whole_diagram: false,
            empty: Bitboard::EMPTY,
            gaps: Vec::new(),
            occupied: Bitboard::EMPTY,
            forbidden: Vec::new(),
            negated_diagrams: Vec::new(),
            sums: Vec::new(),
            quotas: Vec::new(),
            keep: facts.keep,
            lose: [false; 4],
            negated_castlings: Vec::new(),
            turn: facts.turn,
            check: facts.check,
            end: facts.end,
            plies: facts.plies,
            paths: shared.around(Bitboard::EMPTY, [Bitboard::EMPTY; 2]).ok_or(GuideError::TooComplex)?,
            doomed_bishops: [Bitboard::EMPTY; 2],
            game: GameWay::new(facts, start)?,
        };
        let mut areas = Vec::new();
        let mut tallies = Vec::new();
        for Literal { atom, negated } in facts.conditions {
            match &**atom {
                Atom::Square(square) => {
                    way.add_square(square.man, square.region.squares(), *negated, &mut areas)
                }
                Atom::Diagram(diagram) if *negated => way.negated_diagrams.push((**diagram).clone()),
                Atom::Diagram(diagram) => {
                    way.is_whole_diagram |= diagram.unknown.is_empty();
                    way.empty |= !(diagram.unknown | diagram.board.occupied());
                    for (square, piece) in diagram.board.clone() {
                        way.add_place(piece, square);
                    }
                }
                Atom::Sum(sum) if *negated => {
                    way.sums.push(Sum { comparison: sum.comparison.negated(), ..*sum });
                }
                Atom::Sum(sum) => way.sums.push(*sum),
                Atom::Tally(tally) => {
                    let comparison = if *negated { tally.comparison.negated() } else { tally.comparison };
                    tallies.push(Tally { comparison, ..(**tally).clone() });
                }
                Atom::Castling(castling) => way.add_castling(*castling, *negated),
                // The side that is not to move is never in check. If the side to move is not determined, the condition
                // has no cost.
                Atom::Check(Check::Of(color)) if *negated && way.turn == Some(*color) => {
                    way.check = Some(false)
                }
                _ => {}
            }
        }
        way.freeze(start.position, shared).ok_or(GuideError::TooComplex)?;
        way.doom();
        let area = |piece, squares| Area::new(piece, squares, &way.paths);
        way.quotas = tallies.into_iter().map(|tally| Quota::new(tally, area)).collect();
        way.areas = areas.into_iter().map(|(piece, squares)| Area::new(piece, squares, &way.paths)).collect();
        Ok(way)
    }

    fn add_square(
        &mut self,
        man: Option<Piece>,
        squares: Bitboard,
        negated: bool,
        areas: &mut Vec<(Piece, Bitboard)>,
    ) {
        match (man, squares.single_square(), negated) {
            (Some(piece), Some(square), false) => self.add_place(piece, square),
            (Some(piece), None, false) => areas.push((piece, squares)),
            (Some(piece), _, true) => self.forbidden.push((piece, squares)),
            (None, Some(square), false) => self.empty.add(square),
            (None, None, false) => self.gaps.push(squares),
            (None, _, true) => self.occupied |= squares,
        }
    }

    fn add_place(&mut self, piece: Piece, square: Square) {
        let place = Destination { role: piece.role, square };
        let places = &mut self.places[side(piece.color)];
        if !places.contains(&place) {
            places.push(place);
        }
    }

    fn add_castling(&mut self, castling: Castling, negated: bool) {
        let wanted = castling.rights.iter().filter(|right| **right).count();
        match (negated, castling.at_least) {
            // With a single right, that right must be lost.
            (true, true) if wanted == 1 => {
                self.lose = array::from_fn(|right| self.lose[right] || castling.rights[right]);
            }
            (true, _) => self.negated_castlings.push(castling),
            (false, at_least) => {
                self.lose = array::from_fn(|right| self.lose[right] || !(castling.rights[right] || at_least));
            }
        }
    }

    /// Finds the men that never move, and the paths around them.
    fn freeze(&mut self, root: &Chess, shared: &mut SharedPaths) -> Option<()> {
        for color in Color::ALL {
            let home = color.fold_wb(Rank::Second, Rank::Seventh);
            // Pawns only go forward, so a pawn that ends on its initial rank has not moved.
            let never_moves = |place: &Destination| place.role == Role::Pawn && place.square.rank() == home;
            let (mut frozen, places): (Vec<Destination>, Vec<Destination>) =
                self.places[side(color)].drain(..).partition(never_moves);
            for ((_, side, wing), _) in RIGHTS.into_iter().zip(self.keep).filter(|(_, keep)| *keep) {
                for (square, piece) in homes(root, side, wing) {
                    let place = Destination { role: piece.role, square };
                    if side == color && !frozen.contains(&place) {
                        frozen.push(place);
                    }
                }
            }
            self.places[side(color)] = places.into_iter().filter(|place| !frozen.contains(place)).collect();
            self.frozen[side(color)] = frozen;
        }
        let squares = |pawns: bool, color: Color| {
            let frozen = self.frozen[side(color)].iter();
            frozen.filter(move |place| !pawns || place.role == Role::Pawn).map(|place| place.square)
        };
        let obstacles = Color::ALL.into_iter().flat_map(|color| squares(false, color)).collect();
        self.paths = shared.around(obstacles, Color::ALL.map(|color| squares(true, color).collect()))?;
        Some(())
    }

    /// Finds the colours of squares that are forbidden to bishops.
    fn doom(&mut self) {
        for color in Color::ALL {
            for same in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
                let bishop = Role::Bishop.of(color);
                let never =
                    |(piece, squares): &(Piece, Bitboard)| *piece == bishop && (same & !*squares).is_empty();
                if self.forbidden.iter().any(never) {
                    self.doomed_bishops[side(color)] |= same;
                }
            }
        }
    }
}

impl Area {
    fn new(piece: Piece, squares: Bitboard, paths: &Paths) -> Area {
        let cost = |role: Role, from: usize| {
            let from = Square::new(from as u32);
            squares
                .into_iter()
                .map(|to| paths.cost(piece.color, role, from, piece.role, to))
                .min()
                .unwrap_or(NO_PATH)
        };
        let costs = [piece.role, Role::Pawn].map(|role| array::from_fn(|from| cost(role, from)));
        Area { piece, squares, costs }
    }
}
