use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PngError(String);

/// An SVG document as a PNG file of its own size. Text in it is left out: there are no fonts.
///
/// # Errors
/// [`PngError`] if it is no SVG document, or too large.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| PngError(error.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| PngError(format!("{}×{} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError(error.to_string()))
}
