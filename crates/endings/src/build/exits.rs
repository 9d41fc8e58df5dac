//! Moves that change the material or the pawns: captures, promotions and moves of pawns.

use shakmaty::Role;

use super::{
    moves::Moves,
    sub::{Outcome, Place, Placed, Sub, Tables},
    view::View,
};
use crate::{
    layout::Squares,
    material::ROLES,
    squares::{attacked, between, bit, squares},
};

/// All such moves of one side in the positions of a slice.
pub(super) struct Exits<'a> {
    side: usize,
    /// Colours and roles of the men other than pawns; the last is the inner man.
    men: &'a [(usize, Role)],
    captures: Vec<Capture>,
    /// For outer men of the side: what their capture of the inner man leads to.
    captures_of_inner: Vec<(usize, View)>,
    pawn_moves: Vec<PawnMove<'a>>,
}

/// Captures by pieces of an outer man or of a pawn.
struct Capture {
    victim: Place,
    view: View,
}

enum PawnMove<'a> {
    /// A step to an empty square, over squares that are empty.
    Step { empty: u64, ends: Vec<Sub<'a>>, en_passant: Vec<Sub<'a>> },
    /// A capture of a pawn; the square is occupied in all positions.
    TakePawn { ends: Vec<Sub<'a>> },
    /// A capture of the piece with this number.
    Take { square: u8, victim: usize, ends: Vec<Sub<'a>> },
}

impl<'a> Exits<'a> {
    pub(super) fn new(tables: &Tables<'a>, slice: usize, side: usize) -> Self {
        let layout = tables.layout;
        let inner = layout.men.len() - 1;
        let pieces =
            layout.men.iter().enumerate().map(|(place, &(color, role))| (color, role, Place::Man(place)));
        let first = layout.pawns.first();
        let pawns = layout.pawns.pawns(slice).iter().enumerate();
        let pawns =
            pawns.map(|(number, &pawn)| (usize::from(number >= first), Role::Pawn, Place::Square(pawn)));
        let men: Vec<Placed> = pieces.chain(pawns).collect();
        let without =
            |place: Place| -> Vec<Placed> { men.iter().copied().filter(|man| man.2 != place).collect() };
        let outer_without = |man: usize| (0..inner).filter(|&place| place != man).collect::<Vec<_>>();

        let mut exits =
            Self { side, men: &layout.men, captures: vec![], captures_of_inner: vec![], pawn_moves: vec![] };
        for &(color, role, victim) in &men {
            if color == side || role == Role::King {
                continue;
            }
            let sub = Sub::new(tables, without(victim));
            if victim != Place::Man(inner) {
                let outer = match victim {
                    Place::Man(man) => outer_without(man),
                    Place::Square(_) => (0..inner).collect(),
                };
                exits.captures.push(Capture { victim, view: View::new(&sub, layout, side, outer, inner) });
                continue;
            }
            for (place, _) in layout.men[..inner].iter().enumerate().filter(|(_, man)| man.0 == side) {
                let view = View::new(&sub, layout, side, outer_without(place), place);
                exits.captures_of_inner.push((place, view));
            }
        }
        for (number, &(color, role, place)) in men.iter().enumerate() {
            if let (true, Role::Pawn, Place::Square(from)) = (color == side, role, place) {
                exits.add_pawn(tables, &men, number, from);
            }
        }
        exits
    }

    /// Adds the moves of the pawn with this number.
    fn add_pawn(&mut self, tables: &Tables<'a>, men: &[Placed], number: usize, from: u8) {
        let side = self.side;
        let ahead = |square: u8| if side == 0 { square + 8 } else { square - 8 };
        let moved = |to: u8| {
            let roles = if matches!(to / 8, 0 | 7) { &ROLES[..4] } else { &ROLES[4..] };
            roles.iter().map(move |&role| (side, role, Place::Square(to)))
        };
        // Men are only ever removed after the pawn has its new place, so that numbers stay what they are.
        let ends = |to: u8, victim: Option<Place>| -> Vec<Sub<'a>> {
            let end = |pawn: Placed| {
                let mut after = men.to_vec();
                after[number] = pawn;
                let others = after.into_iter().enumerate();
                let kept = others.filter(|&(other, man)| other == number || Some(man.2) != victim);
                Sub::new(tables, kept.map(|(_, man)| man).collect())
            };
            moved(to).map(end).collect()
        };
        let pawn_at = |square: u8| men.iter().find(|man| man.2 == Place::Square(square));

        let to = ahead(from);
        if pawn_at(to).is_none() {
            let step = PawnMove::Step { empty: bit(to), ends: ends(to, None), en_passant: vec![] };
            self.pawn_moves.push(step);
            let start = if side == 0 { 1 } else { 6 };
            if from / 8 == start && pawn_at(ahead(to)).is_none() {
                self.add_double_step(tables, men, number, [to, ahead(to)], ends(ahead(to), None));
            }
        }
        for to in squares(attacked(Role::Pawn, side, from, 0)) {
            match pawn_at(to) {
                Some(&(color, ..)) if color == side => {}
                Some(&(_, _, victim)) => {
                    self.pawn_moves.push(PawnMove::TakePawn { ends: ends(to, Some(victim)) })
                }
                None => {
                    for (victim, &(color, role)) in self.men.iter().enumerate() {
                        if color != side && role != Role::King {
                            let ends = ends(to, Some(Place::Man(victim)));
                            self.pawn_moves.push(PawnMove::Take { square: to, victim, ends });
                        }
                    }
                }
            }
        }
    }

    /// Adds a double step over the first square to the second, with the captures en passant that may answer it.
    fn add_double_step(
        &mut self,
        tables: &Tables<'a>,
        men: &[Placed],
        number: usize,
        [over, to]: [u8; 2],
        ends: Vec<Sub<'a>>,
    ) {
        let answers = attacked(Role::Pawn, self.side, over, 0);
        let neighbours =
            [to.wrapping_sub(1), to.wrapping_add(1)].map(|square| (square, square / 8 == to / 8));
        let mut en_passant = Vec::new();
        for (square, _) in neighbours.into_iter().filter(|&(_, is_near)| is_near) {
            let taker = (1 - self.side, Role::Pawn, Place::Square(square));
            if let Some(taker) = men.iter().position(|&man| man == taker) {
                debug_assert!(answers & bit(square) != 0, "the taker attacks the square that was passed");
                let mut after = men.to_vec();
                after[taker].2 = Place::Square(over);
                after.remove(number);
                en_passant.push(Sub::new(tables, after));
            }
        }
        self.pawn_moves.push(PawnMove::Step { empty: bit(over) | bit(to), ends, en_passant });
    }

    /// What these moves lead to from the positions of a word.
    pub(super) fn outcome(&self, moves: &Moves, at: &Squares) -> Outcome {
        let occupied = moves.occupied(at);
        let inner = self.men.len() - 1;
        let mut found = Outcome::default();
        for Capture { victim, view } in &self.captures {
            let target = match *victim {
                Place::Man(man) => at[man],
                Place::Square(square) => square,
            };
            for (place, &(color, role)) in self.men[..inner].iter().enumerate() {
                if color == self.side && attacked(role, color, at[place], 0) & bit(target) != 0 {
                    let gap = between(at[place], target);
                    if gap & occupied == 0 {
                        let mut after = *at;
                        after[place] = target;
                        found.add(view.read(&after), !gap);
                    }
                }
            }
            let (color, role) = self.men[inner];
            if color == self.side {
                let outcome = view.read(at);
                let at_target = |set: u64| if set & bit(target) == 0 { 0 } else { !0 };
                let [any, safe, win] = [outcome.any, outcome.safe, outcome.win].map(at_target);
                found.add(Outcome { any, safe, win }, attacked(role, color, target, occupied));
            }
        }
        for (place, view) in &self.captures_of_inner {
            found.add(view.read(at), attacked(self.men[*place].1, self.side, at[*place], occupied));
        }
        for pawn_move in &self.pawn_moves {
            self.add_pawn_move(&mut found, pawn_move, at, occupied);
        }
        found
    }

    fn add_pawn_move(&self, found: &mut Outcome, pawn_move: &PawnMove, at: &Squares, occupied: u64) {
        let inner = self.men.len() - 1;
        let place = Place::Man(inner);
        match pawn_move {
            PawnMove::Step { empty, .. } if empty & occupied != 0 => {}
            PawnMove::Step { empty, ends, en_passant } if !en_passant.is_empty() => {
                for end in ends {
                    found.add(self.double_step(end, en_passant, at, !empty), !0);
                }
            }
            PawnMove::Step { empty, ends, .. } => {
                for end in ends {
                    found.add(end.outcome(self.side, at, place, !empty), !0);
                }
            }
            PawnMove::TakePawn { ends } => {
                for end in ends {
                    found.add(end.outcome(self.side, at, place, !0), !0);
                }
            }
            PawnMove::Take { square, victim, ends } if *victim == inner => {
                for end in ends {
                    found.add(end.outcome_at(self.side, at), bit(*square));
                }
            }
            PawnMove::Take { square, victim, ends } => {
                if at[*victim] == *square {
                    for end in ends {
                        found.add(end.outcome(self.side, at, place, !0), !0);
                    }
                }
            }
        }
    }

    /// A double step that may be answered en passant. The table has the results without that answer.
    fn double_step(&self, end: &Sub, en_passant: &[Sub], at: &Squares, free: u64) -> Outcome {
        let other = 1 - self.side;
        let place = Place::Man(self.men.len() - 1);
        let legal = end.legal(other, at, place) & free;
        let [win, loss] = end.results(other, at, place, legal);
        let loss = loss & !win;
        let mut answers = Outcome::default();
        for answer in en_passant {
            answers.add(answer.outcome(other, at, place, legal), legal);
        }
        // Without the answer a stalemate would be drawn; with it the answer is forced.
        let stalemate = end.stalemates(other, at) & answers.any;
        let win = win | answers.win;
        let loss = (loss | stalemate) & !answers.safe;
        Outcome::of(legal, win, loss)
    }
}
