//! Parses SVG documents for drawing, and the fonts of their texts.

use std::sync::{Arc, OnceLock};

use resvg::usvg::{
    Options, Tree,
    fontdb::{Database, Source},
    roxmltree::{Document, ParsingOptions},
};
use skrifa::{FontRef, MetadataProvider};
use thiserror::Error;

/// A document that cannot be drawn.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct TreeError(String);

/// The sans-serif font of all texts, with Latin, Greek and Cyrillic letters and chess pieces: texts look the same on
/// every system, and on one without fonts, too. It is a part of DejaVu Sans, whose licence is in the same folder.
pub(super) const REGULAR: &[u8] = include_bytes!("../fonts/DejaVuSans.ttf");

/// The same in bold.
pub(super) const BOLD: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold.ttf");

/// The name of this font.
const FAMILY: &str = "DejaVu Sans";

/// Parses an SVG document and lays out its texts.
///
/// # Errors
/// [`TreeError`] if `svg` is not an SVG document.
pub fn tree(svg: &str) -> Result<Tree, TreeError> {
    let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(svg, parsing).map_err(|error| TreeError(error.to_string()))?;
    let mut texts = document.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    let has_all = texts.all(is_covered);
    let options = Options { fontdb: fonts(!has_all).clone(), ..Options::default() };
    Tree::from_xmltree(&document, &options).map_err(|error| TreeError(error.to_string()))
}

/// True if our font has all characters of a text.
fn is_covered(text: &str) -> bool {
    let font = FontRef::new(REGULAR).expect("the font is whole");
    let characters = font.charmap();
    text.chars().all(|character| character.is_control() || characters.map(character).is_some())
}

/// Our font; with those of the system, for characters that it lacks. It takes a while to search for these.
fn fonts(with_system: bool) -> &'static Arc<Database> {
    static FONTS: [OnceLock<Arc<Database>>; 2] = [OnceLock::new(), OnceLock::new()];
    FONTS[usize::from(with_system)].get_or_init(|| {
        let mut fonts = Database::new();
        for data in [REGULAR, BOLD] {
            fonts.load_font_source(Source::Binary(Arc::new(data)));
        }
        if with_system {
            fonts.load_system_fonts();
        }
        fonts.set_sans_serif_family(FAMILY);
        // usvg takes this family for one that is missing.
        fonts.set_serif_family(FAMILY);
        Arc::new(fonts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_characters_of_names_and_moves() {
        for text in
            ["Kg1–h1 ½ ♔♟ 1.e4!? …", "Ørsted, Čapek, Łódź, Iñárritu, Nguyễn", "Νίκος", "Каспаров, Ґалаґан"]
        {
            assert!(is_covered(text), "{text}");
        }
        assert!(!is_covered("丁立人"));
    }

    #[test]
    fn both_weights_have_the_same_characters() {
        let characters = |data| {
            let font = FontRef::new(data).unwrap();
            font.charmap().mappings().map(|(character, _)| character).collect::<Vec<_>>()
        };
        let regular = characters(REGULAR);
        assert!(regular.len() > 500);
        assert_eq!(regular, characters(BOLD));
    }
}
