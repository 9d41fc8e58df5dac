use resvg::tiny_skia::{Pixmap, Transform};
use thiserror::Error;

use super::fonts::{TreeError, tree};

/// An image that cannot be drawn.
#[derive(Debug, Error)]
#[error("the image cannot be drawn: {0}")]
pub struct PngError(String);

impl From<TreeError> for PngError {
    fn from(error: TreeError) -> PngError {
        PngError(error.to_string())
    }
}

/// An SVG document as a PNG file of the same size.
///
/// # Errors
/// [`PngError`] if `svg` is not an SVG document or is too large.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = tree(svg)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| PngError(format!("{}×{} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_and_too_large_documents_are_errors() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1e9\" height=\"1e9\"/>";
        for svg in ["", "<svg>", "<html/>", huge] {
            assert!(png(svg).is_err(), "{svg}");
        }
    }

    #[test]
    fn text_is_drawn() {
        let picture = |inside: &str| {
            let size = "width=\"80\" height=\"20\"";
            png(&format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>{inside}</svg>")).unwrap()
        };
        let text = |family: &str| picture(&format!("<text y=\"15\" font-family=\"{family}\">Entente</text>"));
        assert_ne!(text("sans-serif"), picture(""));
        assert_eq!(text("sans-serif"), text("no such font"));
        // Characters that our font lacks are taken from the system, if it has them.
        let name = picture("<text y=\"15\">丁立人 Kasparov</text>");
        assert!(name != picture("") && name != picture("<text y=\"15\">丁立人</text>"));
    }
}
