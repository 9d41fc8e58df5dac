//! Pictures: boards as text, SVG and PNG, plots, and the pages with games to play through.

mod board;
mod gallery;
mod glyphs;
mod page;
mod pieces;
mod plot;
mod png;
mod text;

pub use board::Drawing;
pub use gallery::{Gallery, GalleryGame};
pub use page::{Figure, Page, Section};
pub use plot::{COLORS, Interval, PlotError, Series, bars, curves, intervals};
pub use png::{PngError, png};
pub use text::{san, write_board};
