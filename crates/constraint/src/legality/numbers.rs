//! How many men of each kind there can be, and where pawns cannot stand.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::{
    illegal::{Illegal, Rule},
    words::{self, number, side},
};

/// The most men of a side.
const MEN: usize = 16;
/// The most pawns of a side.
const PAWNS: usize = 8;

/// Refuses wrong numbers of kings, men and pawns, and pawns on the first or eighth rank. The other rules rely on this
/// one.
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
                    format!("{name} has {}, but never had more than {most}", number(set.count(), noun));
                return Some(Illegal::because(Rule::Men, reason));
            }
        }
    }
    None
}

/// Refuses more promoted men than missing pawns.
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
        let was = if promoted == 1 { "was" } else { "were" };
        let has = match missing {
            0 => "has all its pawns".to_owned(),
            missing => format!("is missing only {}", number(missing, "pawn")),
        };
        let reason = format!(
            "{name} has {}, so at least {} {was} promoted, but {name} {has}",
            words::list(&kinds),
            number(promoted, "pawn"),
            name = side(color),
        );
        Some(Illegal::because(Rule::Promotions, reason))
    })
}

/// True if no side has more men, or more promoted men, than are possible.
pub(super) fn fit(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let men = board.by_color(color);
        let pawns = (men & board.pawns()).count();
        men.count() <= MEN && pawns + promoted(board, color) <= PAWNS
    })
}

/// The fewest men of a side that must have been promoted.
fn promoted(board: &Board, color: Color) -> usize {
    let men = board.by_color(color);
    let beyond = |set: Bitboard, at_first: usize| (set & men).count().saturating_sub(at_first);
    beyond(board.knights(), 2)
        + beyond(board.rooks(), 2)
        + beyond(board.queens(), 1)
        + beyond(board.bishops() & Bitboard::LIGHT_SQUARES, 1)
        + beyond(board.bishops() & Bitboard::DARK_SQUARES, 1)
}

/// A side's kinds of pieces, with their present and their initial number. Bishops are divided by the colour of their
/// squares.
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
