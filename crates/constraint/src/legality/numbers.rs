//! How many men of each kind there can be, and where none can ever stand.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::{
    illegal::{Illegal, Rule},
    words::{self, number, side},
};

/// The most men of a side, and the most pawns.
const MEN: usize = 16;
const PAWNS: usize = 8;

/// Numbers of kings, men and pawns, and pawns at the edge. The other rules rely on it.
pub(super) fn refuse(board: &Board) -> Option<Illegal> {
    for color in Color::ALL {
        let (name, men) = (side(color), board.by_color(color));
        let kings = men & board.kings();
        if kings.count() != 1 {
            let has = number(kings.count(), "king").replace("no kings", "no king");
            return Some(Illegal::because(Rule::Kings, format!("{name} has {has}")));
        }
        let at_edge = men & board.pawns() & Bitboard::BACKRANKS;
        if at_edge.any() {
            let pawns = words::standing(Role::Pawn, at_edge);
            let reason = format!("{name}'s {pawns}: a pawn never stands on the first or the eighth rank");
            return Some(Illegal::because(Rule::PawnRank, reason));
        }
        for (set, most, noun) in [(men, MEN, "man"), (men & board.pawns(), PAWNS, "pawn")] {
            if set.count() > most {
                let reason =
                    format!("{name} has {}, and never had more than {most}", number(set.count(), noun));
                return Some(Illegal::because(Rule::Men, reason));
            }
        }
    }
    None
}

/// More men of a kind than there were at first, and too few pawns missing that can have become them.
pub(super) fn refuse_promotions(board: &Board) -> Option<Illegal> {
    Color::ALL.into_iter().find_map(|color| {
        let missing = PAWNS - (board.by_color(color) & board.pawns()).count();
        let promoted = promoted(board, color);
        if promoted <= missing {
            return None;
        }
        let kinds: Vec<String> = kinds(board, color)
            .filter(|(_, count, at_first)| count > at_first)
            .map(|(kind, count, _)| number(count, &kind))
            .collect();
        let (are, lacks) = (if promoted == 1 { "was" } else { "were" }, number(missing, "pawn"));
        let reason = format!(
            "{name} has {}, so at least {} {are} promoted, but {name} lacks {}{lacks}",
            words::list(&kinds),
            number(promoted, "man"),
            if missing == 0 { "" } else { "only " },
            name = side(color),
        );
        Some(Illegal::because(Rule::Promotions, reason))
    })
}

/// True if no side has more men than a game can give it.
pub(super) fn fit(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let men = board.by_color(color);
        let pawns = (men & board.pawns()).count();
        men.count() <= MEN && pawns + promoted(board, color) <= PAWNS
    })
}

/// The men of a side that were promoted at least.
fn promoted(board: &Board, color: Color) -> usize {
    let men = board.by_color(color);
    let beyond = |set: Bitboard, at_first: usize| (set & men).count().saturating_sub(at_first);
    beyond(board.knights(), 2)
        + beyond(board.rooks(), 2)
        + beyond(board.queens(), 1)
        + beyond(board.bishops() & Bitboard::LIGHT_SQUARES, 1)
        + beyond(board.bishops() & Bitboard::DARK_SQUARES, 1)
}

/// The kinds of officers of a side, bishops by the colour of their squares: how many there are, and were at first.
fn kinds(board: &Board, color: Color) -> impl Iterator<Item = (String, usize, usize)> {
    let men = board.by_color(color);
    let bishops = |of: Square| {
        let squares = if of.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        (format!("{} bishop", words::colour(of)), (men & board.bishops() & squares).count(), 1)
    };
    let others = [(Role::Queen, 1), (Role::Rook, 2), (Role::Knight, 2)].map(|(role, at_first)| {
        (words::role(role).to_owned(), (men & board.by_role(role)).count(), at_first)
    });
    others.into_iter().chain([bishops(Square::H1), bishops(Square::A1)])
}
