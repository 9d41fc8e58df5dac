use std::sync::{Arc, OnceLock};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{
        Options, Tree,
        fontdb::{Database, FaceInfo, Family, Query},
        roxmltree::{Document, ParsingOptions},
    },
};
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PngError(String);

/// Fonts without serifs that have Latin letters, the first of which that a system has is taken.
const FAMILIES: [&str; 11] = [
    "DejaVu Sans",
    "Noto Sans",
    "Liberation Sans",
    "Open Sans",
    "Roboto",
    "Cantarell",
    "Ubuntu",
    "Segoe UI",
    "Arial",
    "Helvetica Neue",
    "Helvetica",
];

/// An SVG document as a PNG file of its own size. Text in it is drawn with a font of the system; a document without text
/// looks the same on every system, and needs none.
///
/// # Errors
/// [`PngError`] if it is no SVG document, or too large, or if it has text and the system has no font.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, parsing).map_err(|error| PngError(error.to_string()))?;
    let mut options = Options::default();
    // Looking for fonts takes longer than drawing a board, which has no text.
    if document.descendants().any(|node| node.tag_name().name() == "text") {
        options.fontdb = some_fonts(system_fonts())?;
    }
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| PngError(error.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| PngError(format!("{}×{} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}

/// The fonts, unless there are none: text would silently be left out.
fn some_fonts(fonts: &Arc<Database>) -> Result<Arc<Database>, PngError> {
    if fonts.is_empty() {
        return Err(PngError("it has text, and no font is installed; an SVG file needs none".to_owned()));
    }
    Ok(fonts.clone())
}

/// The fonts of the system, looked for once.
fn system_fonts() -> &'static Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        choose_families(&mut fonts);
        Arc::new(fonts)
    })
}

/// Lets `sans-serif`, and any family that is missing, stand for a font that is there.
fn choose_families(fonts: &mut Database) {
    let Some(family) = sans_serif(fonts) else { return };
    fonts.set_sans_serif_family(&family);
    // usvg falls back on this one.
    if !has_family(fonts, fonts.family_name(&Family::Serif)) {
        fonts.set_serif_family(&family);
    }
}

/// The family for `sans-serif`. The configuration of fontconfig comes second: what fontdb reads from it is the last rule
/// for the name, which is usually one for a script other than Latin.
fn sans_serif(fonts: &Database) -> Option<String> {
    let configured = fonts.family_name(&Family::SansSerif);
    let known = FAMILIES.into_iter().chain([configured]).find(|family| has_family(fonts, family));
    let name = |face: &FaceInfo| face.families.first().map(|(name, _)| name.clone());
    known.map(str::to_owned).or_else(|| fonts.faces().find_map(name))
}

fn has_family(fonts: &Database, family: &str) -> bool {
    let families = [Family::Name(family)];
    fonts.query(&Query { families: &families, ..Query::default() }).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_without_fonts_is_an_error() {
        let error = some_fonts(&Arc::new(Database::new())).unwrap_err();
        assert!(error.to_string().contains("no font is installed"), "{error}");
        assert_eq!(sans_serif(&Database::new()), None);
    }

    #[test]
    fn what_is_no_document_or_too_large_is_an_error() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\"/>";
        for svg in ["", "<svg>", "<html/>", huge] {
            assert!(png(svg).is_err(), "{svg}");
        }
    }

    #[test]
    fn text_is_drawn() {
        let picture = |inside: &str| {
            let size = "width=\"80\" height=\"20\"";
            png(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>{inside}</svg>"))
        };
        let text = |family: &str| picture(&format!("<text y=\"15\" font-family=\"{family}\">Entente</text>"));
        let empty = picture("").unwrap();
        if system_fonts().is_empty() {
            assert!(text("sans-serif").is_err());
        } else {
            assert_ne!(text("sans-serif").unwrap(), empty);
            assert_ne!(text("no such font").unwrap(), empty);
        }
    }
}
