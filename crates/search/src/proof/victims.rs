//! The victims of pawns: men of the other side that must go to the squares where the pawns must capture.

use entente_constraint::guide::{NO_PATH, PLY, Paths};
use shakmaty::{Bitboard, Color, Role, Square};

/// A man of the diagram that may have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DiagramMan {
    pub role: Role,
    pub square: Square,
}

/// The square of a pawn in the diagram, and the captures of a pawn on its way there.
#[derive(Clone)]
pub(super) struct PawnPlace {
    pub square: Square,
    /// For the last capture, the last but one, and so on: the fewest moves of a man of the other side, by its role and
    /// its square, to a square where the capture can be made; [`NEVER`] if it cannot get there.
    captures: Vec<[[u8; 64]; 6]>,
}

/// A number of moves that is greater than in any game here.
pub(super) const NEVER: u8 = u8::MAX;
/// The most captures of a pawn.
const MAX: u16 = 5;

impl PawnPlace {
    /// The place of a pawn of `color`, given that the men on `frozen` never move.
    pub(super) fn new(square: Square, color: Color, frozen: Bitboard, paths: &Paths) -> PawnPlace {
        let is_behind =
            |from: Square| color.fold_wb(from.rank() <= square.rank(), from.rank() >= square.rank());
        let landing = color.fold_wb(Bitboard(!0xffff), Bitboard(!0 >> 16)) & !Bitboard::BACKRANKS & !frozen;
        let captures = (0..MAX).map(|others| {
            // From the square of the capture, the pawn must still reach its place with the captures that follow.
            let squares: Bitboard = landing
                .into_iter()
                .filter(|from| is_behind(*from) && paths.pawn_captures(color, *from, square) <= others)
                .collect();
            let mut moves = [[NEVER; 64]; 6];
            for role in Role::ALL {
                for from in Square::ALL {
                    moves[role as usize - 1][from.to_usize()] =
                        moves_to_be_captured(role, color.other(), from, squares, paths);
                }
            }
            moves
        });
        PawnPlace { square, captures: captures.collect() }
    }

    /// For each of the last `count` captures, the last first, the moves that a man needs to be the victim.
    pub(super) fn captures(&self, count: u16) -> &[[[u8; 64]; 6]] {
        &self.captures[..usize::from(count.min(MAX))]
    }
}

/// The fewest moves of a man of `color` from a square to one of `squares`, possibly with a promotion.
fn moves_to_be_captured(role: Role, color: Color, from: Square, squares: Bitboard, paths: &Paths) -> u8 {
    if role == Role::King {
        return NEVER;
    }
    const PROMOTIONS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let roles: &[Role] = if role == Role::Pawn { &PROMOTIONS } else { &[role] };
    let costs = squares.into_iter().flat_map(|to| roles.iter().map(move |wanted| (to, wanted)));
    let least = costs.map(|(to, wanted)| paths.cost(color, role, from, *wanted, to)).min().unwrap_or(NO_PATH);
    moves(least)
}

/// A cost of paths as a number of moves.
pub(super) fn moves(cost: u16) -> u8 {
    if cost >= NO_PATH { NEVER } else { (u32::from(cost) / PLY) as u8 }
}

/// The places of the pawns among a side's `places`.
pub(super) fn pawn_places(
    places: &[DiagramMan],
    color: Color,
    frozen: Bitboard,
    paths: &Paths,
) -> Vec<PawnPlace> {
    let pawns = places.iter().filter(|place| place.role == Role::Pawn);
    pawns.map(|place| PawnPlace::new(place.square, color, frozen, paths)).collect()
}
