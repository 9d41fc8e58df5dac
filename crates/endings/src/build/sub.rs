//! Results of positions after a capture, a promotion or a move of a pawn, from tables and slices that are complete.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use shakmaty::Role;

use crate::{
    layout::{Layout, Squares},
    material::{Material, ROLES},
    men::{Man, legal},
    squares::{Symmetry, bit, squares},
    table::{Slice, Table, pair},
};

/// Where a man of a position after a move stands: where a man of the slice stands, or on a fixed square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Man(usize),
    Square(u8),
}

impl Place {
    #[inline]
    fn square(self, at: &Squares) -> u8 {
        match self {
            Self::Man(man) => at[man],
            Self::Square(square) => square,
        }
    }
}

/// A man after a move: its colour, its role, and where it stands.
pub(super) type Placed = (usize, Role, Place);

/// What a slice in progress can look up.
pub(super) struct Tables<'a> {
    /// The tables of the endings that captures and promotions lead to.
    pub(super) smaller: &'a HashMap<Material, Arc<Table>>,
    pub(super) layout: &'a Layout,
    /// The slices of the ending itself, where they are complete.
    pub(super) slices: &'a [OnceLock<Slice>],
    /// For slices in which a pawn may have just made a double step past another: for each side to move and word, in
    /// which positions there is no move, not even in check to be answered, except perhaps en passant.
    pub(super) stalemates: &'a [OnceLock<Vec<u64>>],
}

/// The men after a move, and where their results are.
pub(super) struct Sub<'a> {
    men: Vec<Placed>,
    /// None if the ending is always drawn.
    source: Option<Source<'a>>,
}

struct Source<'a> {
    layout: &'a Layout,
    slice: &'a Slice,
    stalemates: Option<&'a [u64]>,
    /// The places of the men in the order of the layout.
    places: [Place; 5],
    /// Mirrors the files and ranks, so that the stronger side is White and the pawns are those of the slice.
    symmetry: Symmetry,
    is_exchanged: bool,
}

/// The results, for the side that moved, of the positions that a move leads to: sets of squares of one man.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Outcome {
    /// The move is legal.
    pub(super) any: u64,
    /// It does not lose.
    pub(super) safe: u64,
    /// It wins.
    pub(super) win: u64,
}

impl Outcome {
    pub(super) fn add(&mut self, other: Self, mask: u64) {
        self.any |= other.any & mask;
        self.safe |= other.safe & mask;
        self.win |= other.win & mask;
    }

    pub(super) fn mirrored(self, symmetry: Symmetry) -> Self {
        Self {
            any: symmetry.source(self.any),
            safe: symmetry.source(self.safe),
            win: symmetry.source(self.win),
        }
    }

    pub(super) fn of(legal: u64, win: u64, loss: u64) -> Self {
        Self { any: legal, safe: legal & !win, win: legal & !win & loss }
    }
}

impl<'a> Sub<'a> {
    /// Finds where the results of positions with these men are.
    pub(super) fn new(tables: &Tables<'a>, men: Vec<Placed>) -> Self {
        let mut sides = [[0; 5]; 2];
        for &(color, role, _) in &men {
            if let Some(index) = ROLES.iter().position(|&other| other == role) {
                sides[color][index] += 1;
            }
        }
        let (material, is_exchanged) = Material::of_sides(sides);
        if material.is_drawn() {
            return Self { men, source: None };
        }
        let table = (material != tables.layout.material).then(|| {
            tables
                .smaller
                .get(&material)
                .unwrap_or_else(|| panic!("{material} is made before {}", tables.layout.material))
        });
        let layout = table.map_or(tables.layout, |table| &table.layout);
        let ranks = if is_exchanged { 56 } else { 0 };
        let of_color = |color: usize, is_pawn: bool| {
            let side = if is_exchanged { 1 - color } else { color };
            men.iter().filter(move |man| man.0 == side && (man.1 == Role::Pawn) == is_pawn)
        };
        let pawns: Vec<u8> = (0..2)
            .flat_map(|color| of_color(color, true))
            .map(|&(_, _, place)| match place {
                Place::Square(square) => square ^ ranks,
                Place::Man(_) => unreachable!("pawns have fixed squares"),
            })
            .collect();
        let (slice, is_mirrored) = layout.pawns.find(&pawns).expect("pawns stand where pawns can");
        let mut used = vec![false; men.len()];
        let mut places = [Place::Square(0); 5];
        for (place, &(color, role)) in places.iter_mut().zip(&layout.men) {
            let side = if is_exchanged { 1 - color } else { color };
            let index =
                (0..men.len()).find(|&index| !used[index] && men[index].0 == side && men[index].1 == role);
            let index = index.expect("the table is that of these men");
            used[index] = true;
            *place = men[index].2;
        }
        let source = Source {
            layout,
            slice: match table {
                Some(table) => &table.slices[slice],
                None => tables.slices[slice].get().expect("slices with pawns further ahead are complete"),
            },
            stalemates: if table.is_none() {
                tables.stalemates[slice].get().map(Vec::as_slice)
            } else {
                None
            },
            places,
            symmetry: Symmetry(u8::from(is_mirrored) | u8::from(is_exchanged) << 1),
            is_exchanged,
        };
        Self { men, source: Some(source) }
    }

    /// For which squares of a man the position is legal with `turn` to move.
    pub(super) fn legal(&self, turn: usize, at: &Squares, inner: Place) -> u64 {
        let mut others = [Man { color: 0, role: Role::King, square: 0 }; 5];
        let mut count = 0;
        let mut kind = (0, Role::King);
        for &(color, role, place) in &self.men {
            if place == inner {
                kind = (color, role);
            } else {
                others[count] = Man { color, role, square: place.square(at) };
                count += 1;
            }
        }
        legal(&others[..count], kind, turn)
    }

    /// The wins and losses of the side to move for the squares `wanted` of a man.
    pub(super) fn results(&self, turn: usize, at: &Squares, inner: Place, wanted: u64) -> [u64; 2] {
        let Some(source) = &self.source else { return [0, 0] };
        if wanted == 0 {
            return [0, 0];
        }
        if source.is_direct(inner) {
            let (word, whole) = source.word(at);
            let side = source.side(turn);
            return pair(source.slice, side, word).map(|set| source.symmetry.source(whole.source(set)));
        }
        source.gather(turn, at, inner, wanted)
    }

    /// The outcome for the side that has moved, for the squares `wanted` of a man.
    pub(super) fn outcome(&self, mover: usize, at: &Squares, inner: Place, wanted: u64) -> Outcome {
        let legal = self.legal(1 - mover, at, inner) & wanted;
        let [win, loss] = self.results(1 - mover, at, inner, legal);
        Outcome::of(legal, win, loss)
    }

    /// The outcome for the side that has moved, with all men on their squares: no bits or all of them.
    pub(super) fn outcome_at(&self, mover: usize, at: &Squares) -> Outcome {
        // White's king takes the part of the inner man.
        let outcome = self.outcome(mover, at, Place::Man(0), bit(at[0]));
        let all = |set: u64| if set == 0 { 0 } else { !0 };
        Outcome { any: all(outcome.any), safe: all(outcome.safe), win: all(outcome.win) }
    }

    /// The stalemates of the side to move, for all squares of the inner man of the slice.
    pub(super) fn stalemates(&self, turn: usize, at: &Squares) -> u64 {
        let source = self.source.as_ref().expect("endings with pawns have tables");
        let stalemates = source.stalemates.expect("kept where en passant is possible");
        let (word, whole) = source.word(at);
        source.symmetry.source(whole.source(stalemates[source.side(turn) * source.layout.words() + word]))
    }
}

impl Source<'_> {
    /// Whether the man is the inner man here, too, so that whole words can be read.
    fn is_direct(&self, inner: Place) -> bool {
        self.places[self.layout.men.len() - 1] == inner
    }

    fn side(&self, turn: usize) -> usize {
        if self.is_exchanged { 1 - turn } else { turn }
    }

    fn squares(&self, at: &Squares) -> Squares {
        self.places.map(|place| self.symmetry.square(place.square(at)))
    }

    fn word(&self, at: &Squares) -> (usize, Symmetry) {
        self.layout.word(&self.squares(at))
    }

    /// The wins and losses of the side to move for the squares `wanted` of a man that is an outer man here.
    fn gather(&self, turn: usize, at: &Squares, man: Place, wanted: u64) -> [u64; 2] {
        let last = self.layout.men.len() - 1;
        let place =
            self.places[..last].iter().position(|&place| place == man).expect("the man is on the board");
        let mut moved = self.squares(at);
        let fixed = moved;
        let side = self.side(turn);
        let mut found = [0, 0];
        if place == 0 && self.layout.is_triangle {
            for square in squares(wanted) {
                moved[0] = self.symmetry.square(square);
                let (word, inner) = self.layout.position(&moved);
                let pair = pair(self.slice, side, word);
                found = [0, 1].map(|plane| found[plane] | (pair[plane] >> inner & 1) << square);
            }
            return found;
        }
        moved[place] = 0;
        // The man's square is the only part of the number of the word that changes.
        let (word, symmetry) = self.layout.word(&moved);
        let rest =
            word - if place == 0 { 0 } else { usize::from(symmetry.square(0)) << (6 * (last - 1 - place)) };
        let inner = symmetry.square(fixed[last]);
        for square in squares(wanted) {
            let place_square = usize::from(symmetry.square(self.symmetry.square(square)));
            let word = rest + (place_square << (6 * (last - 1 - place)));
            let pair = pair(self.slice, side, word);
            found = [0, 1].map(|plane| found[plane] | (pair[plane] >> inner & 1) << square);
        }
        found
    }
}
