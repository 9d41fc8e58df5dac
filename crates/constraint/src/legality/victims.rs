//! Missing men, and whether a pawn can have captured them.

use shakmaty::{Bitboard, Board, Color, Role};

use super::{
    needs::{Group, Needs},
    words,
};

/// Upper bounds on the captures by a side's pawns.
pub(super) struct Victims {
    /// The most captures on all squares.
    pub all: u8,
    /// The most captures on light squares and on dark squares.
    pub on: [u8; 2],
    /// The missing men of the other side.
    pub missing: u8,
    /// The initial squares of missing men that were captured where no pawn can capture.
    pub out_of_reach: Bitboard,
}

impl Victims {
    /// The victims of the pawns of `capturers` among the men of the other side, whose pieces moved in `groups`.
    pub(super) fn of(board: &Board, capturers: &Needs, groups: &[Group]) -> Victims {
        let victim = capturers.color.other();
        let missing = 16 - board.by_color(victim).count().min(16) as u8;
        let mut spared = 0;
        let mut out_of_reach = Bitboard::EMPTY;
        for group in groups.iter().filter(|group| group.role != Role::King) {
            let lost = group.homes.count().saturating_sub(group.men.count());
            if lost > 0 && group.region.is_disjoint(capturers.capture_squares) {
                spared += lost as u8;
                out_of_reach |= group.homes;
            }
        }
        let all = missing.saturating_sub(spared);
        let bishops = board.by_piece(Role::Bishop.of(victim));
        // A bishop is captured on a square of its own colour. A missing promoted bishop counts as a missing pawn, which
        // may have become anything.
        let on = |squares: Bitboard| {
            let other = !squares;
            let homes = Board::new().by_piece(Role::Bishop.of(victim)) & other & !out_of_reach;
            all.saturating_sub(u8::from(homes.any() && bishops.is_disjoint(other)))
        };
        Victims { all, on: [on(Bitboard::LIGHT_SQUARES), on(Bitboard::DARK_SQUARES)], missing, out_of_reach }
    }

    /// "Black is missing only 3 men", and which of them pawns cannot have captured.
    pub(super) fn words(&self, victim: Color) -> String {
        let name = words::side(victim);
        if self.missing == 0 {
            return format!("{name} has all its men");
        }
        let missing = format!("{name} is missing only {}", words::number(self.missing.into(), "man"));
        if self.out_of_reach.is_empty() {
            return missing;
        }
        let (spared, homes) = (self.missing - self.all, words::squares(self.out_of_reach));
        let was = if spared == 1 { "was" } else { "were" };
        let which = if spared == self.missing { "which".to_owned() } else { format!("{spared} of which") };
        format!("{missing}, {which} (from {homes}) {was} captured where no pawn can capture")
    }
}
