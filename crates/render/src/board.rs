use askama::Template;
use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

use super::{glyphs, pieces};

/// The drawing of a board.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// The men.
    pub board: &'a Board,
    /// The title of the image, usually the FEN.
    pub title: String,
    /// The side at the bottom.
    pub bottom: Color,
    /// The two squares of the last move, which are tinted.
    pub last_move: Option<(Square, Square)>,
    /// The squares with a frame.
    pub marked: Bitboard,
    /// True to draw coordinates at the edge.
    pub coordinates: bool,
    /// The colours.
    pub look: Look,
    /// True to refer to symbols for the men, which the page has once for all boards.
    pub by_symbols: bool,
    /// Width and height, in pixels.
    pub size: u32,
}

/// The colours of a board, and the size of its coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    edge: &'static str,
    light: &'static str,
    dark: &'static str,
    /// The colour of the line around the squares, if there is one.
    frame: Option<&'static str>,
    ink: &'static str,
    /// The scale of the coordinates.
    scale: f32,
}

impl Look {
    /// For screens.
    pub const SCREEN: Look =
        Look { edge: "#faf9f5", light: "#efecdf", dark: "#96ad8d", frame: None, ink: "#5d5348", scale: 1.0 };
    /// For paper: without colours, with little ink, and with coordinates that are readable on a small board.
    pub const PAPER: Look = Look {
        edge: "#ffffff",
        light: "#ffffff",
        dark: "#c9c9c9",
        frame: Some("#333333"),
        ink: "#222222",
        scale: 1.3,
    };
}

impl Drawing<'_> {
    /// The default size, in pixels.
    pub const DEFAULT_SIZE: u32 = 512;
    /// The largest size, in pixels.
    pub const MAX_SIZE: u32 = 8192;

    /// The default drawing of a board.
    pub fn new(board: &Board, title: String) -> Drawing<'_> {
        Drawing {
            board,
            title,
            bottom: Color::White,
            last_move: None,
            marked: Bitboard::EMPTY,
            coordinates: true,
            look: Look::SCREEN,
            by_symbols: false,
            size: Drawing::DEFAULT_SIZE,
        }
    }

    /// The drawing as an SVG document, which needs no font.
    pub fn svg(&self) -> String {
        let men = self.board.iter().map(|(square, piece)| {
            let (x, y) = self.corner(square);
            let shape = if self.by_symbols { pieces::used(piece) } else { pieces::man(piece) };
            Man { x, y, shape }
        });
        let picture = Picture {
            title: &self.title,
            look: self.look,
            size: self.size,
            edge: if self.coordinates { EDGE } else { 0 },
            dark: Bitboard::DARK_SQUARES.into_iter().map(|square| self.corner(square)).collect(),
            touched: self
                .last_move
                .map_or_else(Vec::new, |(from, to)| [from, to].map(|s| self.corner(s)).into()),
            marked: self.marked.into_iter().map(|square| self.corner(square)).collect(),
            men: men.collect(),
            glyphs: if self.coordinates { self.glyphs() } else { Vec::new() },
        };
        picture.render().expect("writing to a string succeeds")
    }

    /// The top left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = self.bottom.fold_wb((file, 7 - rank), (7 - file, rank));
        (column * pieces::FIELD, row * pieces::FIELD)
    }

    fn middle(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        (x as f32 + HALF, y as f32 + HALF)
    }

    fn glyphs(&self) -> Vec<Glyph> {
        let bottom = self.bottom.fold_wb(Rank::First, Rank::Eighth);
        let left = self.bottom.fold_wb(File::A, File::H);
        let (width, height) = (glyphs::WIDTH * self.look.scale, glyphs::HEIGHT * self.look.scale);
        let files = File::ALL.into_iter().map(|file| {
            let (x, _) = self.middle(Square::from_coords(file, bottom));
            let y = (8 * pieces::FIELD) as f32 + (EDGE as f32 - height) / 2.0 - 1.5;
            Glyph { x: x - width / 2.0, y, strokes: glyphs::strokes(file.char()) }
        });
        let ranks = Rank::ALL.into_iter().map(|rank| {
            let (_, y) = self.middle(Square::from_coords(left, rank));
            let x = -(EDGE as f32 + width) / 2.0;
            Glyph { x, y: y - height / 2.0, strokes: glyphs::strokes(rank.char()) }
        });
        files.chain(ranks).collect()
    }
}

/// The width of the edge with the coordinates.
pub(super) const EDGE: u32 = 20;
/// Half the side of a square.
const HALF: f32 = pieces::FIELD as f32 / 2.0;

struct Man {
    x: u32,
    y: u32,
    shape: String,
}

struct Glyph {
    x: f32,
    y: f32,
    strokes: &'static str,
}

/// The data for the template. The top left corner of the board is the origin, and a square has [`pieces::FIELD`] units.
#[derive(Template)]
#[template(path = "board.svg", escape = "html")]
struct Picture<'a> {
    title: &'a str,
    look: Look,
    size: u32,
    edge: u32,
    dark: Vec<(u32, u32)>,
    touched: Vec<(u32, u32)>,
    marked: Vec<(u32, u32)>,
    men: Vec<Man>,
    glyphs: Vec<Glyph>,
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn a_board_is_drawn_from_either_side() {
        let board: Fen = "8/8/8/8/8/8/8/K6k".parse().unwrap();
        let board = &board.as_setup().board;
        let drawing = |bottom| Drawing { bottom, ..Drawing::new(board, "a <b>".to_owned()) };
        assert_eq!(drawing(Color::White).corner(Square::A1), (0, 315));
        assert_eq!(drawing(Color::Black).corner(Square::A1), (315, 0));
        let svg = drawing(Color::White).svg();
        assert_eq!(svg.matches("translate(0 315)").count(), 1, "{svg}");
        assert_eq!(svg.matches("translate(315 315)").count(), 1);
        assert!(svg.contains("&#60;b&#62;"), "a title is escaped: {svg}");
    }

    #[test]
    fn every_coordinate_has_strokes() {
        for glyph in "abcdefgh12345678".chars() {
            assert!(glyphs::strokes(glyph).starts_with('M'), "{glyph}");
        }
    }
}
