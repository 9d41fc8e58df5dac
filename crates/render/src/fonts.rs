//! Parses SVG documents for drawing, with the fonts of the system for their texts.

use std::sync::{Arc, OnceLock};

use resvg::usvg::{
    Options, Tree,
    fontdb::{Database, FaceInfo, Family, ID, Query, Weight},
    roxmltree::{Document, ParsingOptions},
};
use thiserror::Error;

/// A document that cannot be drawn.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct TreeError(String);

/// Sans-serif fonts with Latin letters. The first that the system has is used.
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

/// Parses an SVG document and lays out its texts in fonts of the system.
///
/// # Errors
/// [`TreeError`] if `svg` is not an SVG document, or if it has text and the system has no font.
pub fn tree(svg: &str) -> Result<Tree, TreeError> {
    let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(svg, parsing).map_err(|error| TreeError(error.to_string()))?;
    let mut options = Options::default();
    // A search for fonts takes longer than drawing a board, which has no text.
    if document.descendants().any(|node| node.tag_name().name() == "text") {
        options.fontdb = some_fonts(system_fonts())?;
    }
    Tree::from_xmltree(&document, &options).map_err(|error| TreeError(error.to_string()))
}

/// The fonts of the system, with the regular and the bold font for `sans-serif`.
///
/// # Errors
/// [`TreeError`] if the system has no font.
pub fn sans_serif_faces() -> Result<(Arc<Database>, [ID; 2]), TreeError> {
    let fonts = some_fonts(system_fonts())?;
    let face = |weight| {
        let families = [Family::SansSerif];
        fonts.query(&Query { families: &families, weight, ..Query::default() })
    };
    let regular =
        face(Weight::NORMAL).ok_or_else(|| TreeError("no sans-serif font is installed".to_owned()))?;
    let bold = face(Weight::BOLD).unwrap_or(regular);
    Ok((fonts, [regular, bold]))
}

/// The fonts, or an error if there are none: text would be left out silently.
fn some_fonts(fonts: &Arc<Database>) -> Result<Arc<Database>, TreeError> {
    if fonts.is_empty() {
        return Err(TreeError("it has text, but no font is installed; an SVG file needs none".to_owned()));
    }
    Ok(fonts.clone())
}

/// The fonts of the system, which are searched for only once.
pub(super) fn system_fonts() -> &'static Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        choose_families(&mut fonts);
        Arc::new(fonts)
    })
}

/// Maps `sans-serif`, and any missing family, to a font that is installed.
fn choose_families(fonts: &mut Database) {
    let Some(family) = sans_serif(fonts) else { return };
    fonts.set_sans_serif_family(&family);
    // usvg falls back to this family.
    if !has_family(fonts, fonts.family_name(&Family::Serif)) {
        fonts.set_serif_family(&family);
    }
}

/// The family for `sans-serif`. The family configured in fontconfig comes second, because fontdb reads the last rule
/// for the name, which is usually for a script other than Latin.
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
}
