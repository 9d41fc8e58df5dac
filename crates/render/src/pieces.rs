//! The shapes of the men, drawn for this project. Each nearly fills a field of 45×45 units.
//!
//! On a phone a square has some 26 pixels, so that the outlines, not the lines within them, must distinguish the men.
//! The bishop has a notch and a ball, the pawn neither; the queen has points, the king a closed crown and a cross.

use shakmaty::{Color, Piece, Role};

/// The side length of the square in which a man is drawn, in units of the drawing.
pub(super) const FIELD: u32 = 45;

/// The attributes that paint a side's men: the surface, the outline, and the lines within it.
fn paint(color: Color) -> &'static str {
    match color {
        Color::White => {
            r##"fill="#fff" stroke="#1c1c1c" color="#1c1c1c" stroke-width="2" stroke-linejoin="round" stroke-linecap="round""##
        }
        Color::Black => {
            r##"fill="#2b2b2b" stroke="#0c0c0c" color="#efefef" stroke-width="2" stroke-linejoin="round" stroke-linecap="round""##
        }
    }
}

/// The elements of a man's shape, without the document around them.
fn shape(role: Role) -> &'static str {
    let document = match role {
        Role::Pawn => include_str!("pieces/pawn.svg"),
        Role::Knight => include_str!("pieces/knight.svg"),
        Role::Bishop => include_str!("pieces/bishop.svg"),
        Role::Rook => include_str!("pieces/rook.svg"),
        Role::Queen => include_str!("pieces/queen.svg"),
        Role::King => include_str!("pieces/king.svg"),
    };
    let begin = document.find('>').map_or(0, |end| end + 1);
    let end = document.rfind("</svg>").unwrap_or(document.len());
    document[begin..end].trim()
}

/// A man as an SVG group.
pub(super) fn man(piece: Piece) -> String {
    format!("<g {}>{}</g>", paint(piece.color), shape(piece.role))
}

/// A reference to a man's symbol, for a page with [`symbols`].
pub(super) fn used(piece: Piece) -> String {
    format!("<use href=\"#piece-{}\" width=\"{FIELD}\" height=\"{FIELD}\"/>", piece.char())
}

/// All men as SVG symbols, for a page that uses them often: `piece-N` is the white knight, `piece-n` the black one.
pub(super) fn symbols() -> String {
    let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)));
    let symbol = |piece: Piece| {
        format!(
            "<symbol id=\"piece-{}\" viewBox=\"0 0 {FIELD} {FIELD}\">{}</symbol>",
            piece.char(),
            man(piece)
        )
    };
    pieces.map(symbol).collect::<Vec<_>>().join("\n")
}
