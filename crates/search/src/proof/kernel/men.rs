//! Which pieces pawns may capture, and to which they may promote, so that in the end the men are those of the diagram.

use entente_constraint::legality::kernel::{BISHOPS, KINDS, pieces};
use shakmaty::{Bitboard, Board, Color, Role, Square};

/// The pieces of a diagram, by side and kind.
pub(super) struct Men {
    wanted: [[u8; KINDS]; 2],
}

/// The roles of the first kinds.
const ROLES: [Role; BISHOPS] = [Role::Queen, Role::Rook, Role::Knight];

impl Men {
    pub(super) fn of(board: &Board) -> Men {
        Men { wanted: Color::ALL.map(|color| pieces(board, color)) }
    }

    /// The pieces of a side that a pawn may capture on a square, if `promotions` of that side's pawns still promote. A piece
    /// that is needed can be replaced, except a bishop: not every pawn promotes on its colour.
    pub(super) fn victims(&self, board: &Board, side: Color, square: Square, promotions: u8) -> Bitboard {
        let (now, wanted) = (pieces(board, side), self.wanted[usize::from(side.is_black())]);
        let is_spare = |kind: usize| now[kind] > wanted[kind];
        let missing: u8 = (0..KINDS).map(|kind| wanted[kind].saturating_sub(now[kind])).sum();
        let can_replace = missing < promotions;
        let mut roles: Vec<Role> =
            (0..BISHOPS).filter(|kind| is_spare(*kind) || can_replace).map(|kind| ROLES[kind]).collect();
        if is_spare(BISHOPS + usize::from(square.is_light())) {
            roles.push(Role::Bishop);
        }
        let shade = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        let men = roles.into_iter().fold(Bitboard::EMPTY, |men, role| men | board.by_piece(role.of(side)));
        men & (shade | !board.bishops())
    }

    /// True if a pawn may promote to a role on a square: to a piece that is still missing, a bishop first, because few pawns promote
    /// on its colour. If nothing is missing, the piece will be captured.
    pub(super) fn may_promote(&self, board: &Board, side: Color, role: Role, square: Square) -> bool {
        let (now, wanted) = (pieces(board, side), self.wanted[usize::from(side.is_black())]);
        let is_missing = |kind: usize| now[kind] < wanted[kind];
        if is_missing(BISHOPS + usize::from(square.is_light())) {
            return role == Role::Bishop;
        }
        let is_any_missing = (0..BISHOPS).any(is_missing);
        ROLES
            .into_iter()
            .enumerate()
            .any(|(kind, other)| role == other && (!is_any_missing || is_missing(kind)))
    }
}
