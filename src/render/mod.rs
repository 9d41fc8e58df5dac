//! Pictures: boards as text, SVG and PNG, plots, and pages with games to play through.
//!
//! In come boards, games and numbers; out come texts, SVG, PNG and HTML. This room knows nothing of the others.
//!
//! To add a picture, add a file with a type that holds its data, as `board.rs` does.

mod board;
mod gallery;
mod glyphs;
mod heat_map;
mod page;
mod pieces;
mod plot;
mod png;
mod standalone;
mod text;

pub use board::Drawing;
pub use gallery::{Gallery, GalleryGame};
pub use heat_map::{HeatMap, heat_maps};
pub use page::{Figure, Page, Section};
pub use plot::{COLORS, Interval, PlotError, Series, bars, curves, intervals};
pub use png::{PngError, png};
pub use standalone::standalone;
pub use text::{san, write_board};
