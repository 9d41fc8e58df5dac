//! Images: boards as SVG and PNG, plots, pages with games to play through, and worksheets to print.
//!
//! The input is boards, games and numbers, the output SVG, PNG, PDF and HTML. From other modules this one uses only the
//! formatting of moves and ratings.
//!
//! To add an image, add a file with a type that has its data, as `board.rs` does.

mod board;
mod fonts;
mod gallery;
mod glyphs;
mod heat_map;
mod page;
mod pdf;
mod pieces;
mod plot;
mod png;
mod sheet;
mod standalone;

pub use board::{Drawing, Look};
pub use fonts::{TreeError, tree};
pub use gallery::{Gallery, GalleryGame};
pub use heat_map::{HeatMap, heat_maps};
pub use page::{Figure, Page, Section};
pub use pdf::{PdfError, pdf};
pub use plot::{COLORS, Interval, PlotError, Series, bars, curves, intervals};
pub use png::{PngError, png};
pub use sheet::{Paper, PerPage, Problem, Sheet};
pub use standalone::standalone;
