//! Rooms without a free square: men that were shut in together can never have moved, so they stand where they began.

use shakmaty::{Bitboard, Board, Color, Rank};

use super::{
    illegal::{Illegal, Rule},
    needs::{Group, groups},
    unmoved::Unmoved,
    words::{self, side},
};

/// Refuses men that changed places in a room that they always filled.
///
/// The room is the region of a kind of men. If all men that begin there are still there, and no other of their kind can
/// enter or be promoted there, none of them was captured. If they are as many as the room has squares, it was always full.
pub(super) fn refuse(board: &Board, unmoved: &Unmoved) -> Option<Illegal> {
    Color::ALL.into_iter().find_map(|color| {
        let groups = groups(board, color, unmoved);
        groups.iter().find_map(|group| {
            let moved = moved_in(group.region, &groups, color)?;
            let home = group.homes.first()?;
            let reason = format!(
                "{}'s {} cannot have left their initial squares: there never was a free square behind the unmoved {}",
                side(color),
                words::men(board, moved & board.by_color(color)),
                words::men(board, unmoved.walls(color, group.role, home)),
            );
            Some(Illegal::because(Rule::ShutIn, reason))
        })
    })
}

/// The squares that men have left or reached in a room that was always full; `None` if it was not, or if there are none.
fn moved_in(room: Bitboard, groups: &[Group], color: Color) -> Option<Bitboard> {
    let last = Bitboard::from(color.fold_wb(Rank::Eighth, Rank::First));
    let fills = |group: &&Group| {
        group.region.is_subset(room)
            && group.men.count() == group.homes.count()
            && group.region.is_disjoint(last)
    };
    let (mut men, mut moved) = (0, Bitboard::EMPTY);
    for group in groups.iter().filter(fills) {
        men += group.men.count();
        moved |= group.men ^ group.homes;
    }
    (men == room.count() && moved.any()).then_some(moved)
}
