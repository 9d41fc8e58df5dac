//! Men that are missing, and whether a pawn can have taken them.

use shakmaty::{Bitboard, Board, Color, Role};

use super::{
    needs::{Group, Needs},
    words,
};

/// The men that a side's pawns can have captured at most.
pub(super) struct Victims {
    /// All of them.
    pub all: u8,
    /// Those that can have been captured on light squares, and on dark squares.
    pub on: [u8; 2],
    /// The men that are missing.
    pub missing: u8,
    /// Why there are fewer than are missing: homes of men that were captured where no pawn of the other side captures.
    pub out_of_reach: Bitboard,
}

impl Victims {
    /// The victims of the pawns of `hunters` among the men of the other side, which moved in `groups`.
    pub(super) fn of(board: &Board, hunters: &Needs, groups: &[Group]) -> Victims {
        let prey = hunters.color.other();
        let missing = 16 - board.by_color(prey).count().min(16) as u8;
        let mut spared = 0;
        let mut out_of_reach = Bitboard::EMPTY;
        for group in groups.iter().filter(|group| group.role != Role::King) {
            let lost = group.homes.count().saturating_sub(group.men.count());
            if lost > 0 && group.region.is_disjoint(hunters.capture_squares) {
                spared += lost as u8;
                out_of_reach |= group.homes;
            }
        }
        let all = missing.saturating_sub(spared);
        let bishops = board.by_piece(Role::Bishop.of(prey));
        // A bishop is captured on a square of his own colour. A missing one that was promoted is a missing pawn, which
        // may have become anything.
        let on = |squares: Bitboard| {
            let other = !squares;
            let homes = Board::new().by_piece(Role::Bishop.of(prey)) & other & !out_of_reach;
            all.saturating_sub(u8::from(homes.any() && bishops.is_disjoint(other)))
        };
        Victims { all, on: [on(Bitboard::LIGHT_SQUARES), on(Bitboard::DARK_SQUARES)], missing, out_of_reach }
    }

    /// "Black lacks only 3 men", and what else there is to say of them.
    pub(super) fn words(&self, prey: Color) -> String {
        let name = words::side(prey);
        let only = if self.missing == 0 { "" } else { "only " };
        let lacks = format!("{name} lacks {only}{}", words::number(self.missing.into(), "man"));
        if self.out_of_reach.is_empty() {
            return lacks;
        }
        let (spared, homes) = (self.missing - self.all, words::squares(self.out_of_reach));
        let was = if spared == 1 { "was" } else { "were" };
        format!("{lacks}, of which {spared} from {homes} {was} taken where no pawn could capture")
    }
}
