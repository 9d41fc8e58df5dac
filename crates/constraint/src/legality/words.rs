//! The wording of squares and men in reasons.

use shakmaty::{Bitboard, Board, Color, Role, Square};

pub(super) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// "no men", "1 man", "2 men".
pub(super) fn number(count: usize, noun: &str) -> String {
    let plural = if noun == "man" { "men".to_owned() } else { format!("{noun}s") };
    match count {
        0 => format!("no {plural}"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {plural}"),
    }
}

/// "a", "a and b", "a, b and c".
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// "b2 and d2".
pub(super) fn squares(squares: Bitboard) -> String {
    list(&squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>())
}

/// "bishop on c1", "pawns on b2 and d2".
pub(super) fn standing(kind: Role, on: Bitboard) -> String {
    let plural = if on.more_than_one() { "s" } else { "" };
    format!("{}{plural} on {}", role(kind), squares(on))
}

/// "king on e1, bishop on c1 and pawns on b2 and d2": the men of both sides on the squares in `on`.
pub(super) fn men(board: &Board, on: Bitboard) -> String {
    let kinds = Role::ALL.into_iter().rev().map(|role| (role, board.by_role(role) & on));
    list(&kinds.filter(|(_, on)| on.any()).map(|(role, on)| standing(role, on)).collect::<Vec<_>>())
}

/// "light-squared" or "dark-squared".
pub(super) fn colour(square: Square) -> &'static str {
    if square.is_light() { "light-squared" } else { "dark-squared" }
}
