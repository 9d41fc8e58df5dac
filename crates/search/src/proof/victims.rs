//! What the other side has to give to a side's pawns: men on the squares where these must capture.

use entente_constraint::guide::{NO_WAY, PLY, Paths};
use shakmaty::{Bitboard, Color, Role, Square};

/// A man of the diagram who may have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub role: Role,
    pub square: Square,
}

/// The place of a pawn in a diagram, and what pawns capture on their way to it.
#[derive(Clone)]
pub(super) struct PawnPlace {
    pub square: Square,
    /// For the last capture on the way, the last but one, and so on: the moves that a man of the other side needs from a
    /// square, by his role, to one on which it may be made; [`NEVER`] if he never gets there.
    captures: Vec<[[u8; 64]; 6]>,
}

/// More moves than any game has here.
pub(super) const NEVER: u8 = u8::MAX;
/// A pawn captures at most so often.
const MOST: u16 = 5;

impl PawnPlace {
    /// That of a pawn of `color`, where the men on `frozen` never move.
    pub(super) fn new(square: Square, color: Color, frozen: Bitboard, paths: &Paths) -> PawnPlace {
        let behind = |from: Square| color.fold_wb(from.rank() <= square.rank(), from.rank() >= square.rank());
        let landing = color.fold_wb(Bitboard(!0xffff), Bitboard(!0 >> 16)) & !Bitboard::BACKRANKS & !frozen;
        let captures = (0..MOST).map(|others| {
            // Whoever captures there must still get to the place, with the captures that come after.
            let squares: Bitboard = landing
                .into_iter()
                .filter(|from| behind(*from) && paths.pawn_captures(color, *from, square) <= others)
                .collect();
            let mut moves = [[NEVER; 64]; 6];
            for role in Role::ALL {
                for from in Square::ALL {
                    moves[role as usize - 1][from.to_usize()] =
                        given(role, color.other(), from, squares, paths);
                }
            }
            moves
        });
        PawnPlace { square, captures: captures.collect() }
    }

    /// The moves that a man needs to be captured there, for each capture of so many, the last first.
    pub(super) fn captures(&self, count: u16) -> &[[[u8; 64]; 6]] {
        &self.captures[..usize::from(count.min(MOST))]
    }
}

/// The moves that a man of `color` needs from a square to one of `squares`, perhaps promoted.
fn given(role: Role, color: Color, from: Square, squares: Bitboard, paths: &Paths) -> u8 {
    if role == Role::King {
        return NEVER;
    }
    const PROMOTIONS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let roles: &[Role] = if role == Role::Pawn { &PROMOTIONS } else { &[role] };
    let costs = squares.into_iter().flat_map(|to| roles.iter().map(move |wanted| (to, wanted)));
    let least = costs.map(|(to, wanted)| paths.cost(color, role, from, *wanted, to)).min().unwrap_or(NO_WAY);
    moves(least)
}

/// A cost in moves.
pub(super) fn moves(cost: u16) -> u8 {
    if cost >= NO_WAY { NEVER } else { (u32::from(cost) / PLY) as u8 }
}

/// Those of a side.
pub(super) fn pawn_places(places: &[Place], color: Color, frozen: Bitboard, paths: &Paths) -> Vec<PawnPlace> {
    let pawns = places.iter().filter(|place| place.role == Role::Pawn);
    pawns.map(|place| PawnPlace::new(place.square, color, frozen, paths)).collect()
}
