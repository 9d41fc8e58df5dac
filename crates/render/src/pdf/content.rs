//! The content of a page.

use pdf_writer::{
    Content as Operators, Name, Str,
    types::{LineCapStyle, LineJoinStyle},
};
use resvg::{
    tiny_skia::PathSegment,
    usvg::{
        Fill, FillRule, Group, LineCap, LineJoin, Node, Opacity, Paint, Path, Stroke, Text, Transform, Tree,
    },
};

use super::{
    PdfError,
    font::{Fonts, Glyph},
};

/// A page that is being written.
pub(super) struct Content<'a> {
    tree: &'a Tree,
    fonts: &'a mut Fonts,
    operators: Operators,
}

/// Consecutive glyphs of one font on a line.
struct Run {
    font: usize,
    /// The transform from the font's em to the page.
    matrix: Transform,
    /// Where the next glyph begins, in ems from the first.
    end: f32,
    glyphs: Vec<u8>,
}

/// The largest distance between a glyph and the end of the previous one at which they are written together, in ems.
const NEAR: f32 = 0.002;

impl<'a> Content<'a> {
    pub(super) fn new(tree: &'a Tree, fonts: &'a mut Fonts) -> Content<'a> {
        Content { tree, fonts, operators: Operators::new() }
    }

    /// The operators that draw the page.
    ///
    /// # Errors
    /// [`PdfError::Unknown`] if the page has anything but shapes and texts in plain colours.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, PdfError> {
        // The y axis of PDF points upwards.
        self.operators.transform([1.0, 0.0, 0.0, -1.0, 0.0, self.tree.size().height()]);
        self.group(self.tree.root())?;
        Ok(self.operators.finish().to_vec())
    }

    fn group(&mut self, group: &Group) -> Result<(), PdfError> {
        if group.opacity() != Opacity::ONE || group.mask().is_some() || !group.filters().is_empty() {
            return Err(PdfError::Unknown("transparency"));
        }
        if group.clip_path().is_some() {
            return Err(PdfError::Unknown("a clip path"));
        }
        group.children().iter().try_for_each(|node| match node {
            Node::Group(group) => self.group(group),
            Node::Path(path) => self.path(path),
            Node::Text(text) => self.text(text),
            Node::Image(_) => Err(PdfError::Unknown("an image")),
        })
    }

    fn path(&mut self, path: &Path) -> Result<(), PdfError> {
        if !path.is_visible() || (path.fill().is_none() && path.stroke().is_none()) {
            return Ok(());
        }
        self.operators.save_state().transform(row(path.abs_transform()));
        self.paint(path.fill(), path.stroke())?;
        let mut at = (0.0, 0.0);
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    self.operators.move_to(p.x, p.y);
                    at = (p.x, p.y);
                }
                PathSegment::LineTo(p) => {
                    self.operators.line_to(p.x, p.y);
                    at = (p.x, p.y);
                }
                PathSegment::QuadTo(q, p) => {
                    // The equivalent cubic curve.
                    let near = |from: f32, by: f32| from + (by - from) * 2.0 / 3.0;
                    self.operators.cubic_to(
                        near(at.0, q.x),
                        near(at.1, q.y),
                        near(p.x, q.x),
                        near(p.y, q.y),
                        p.x,
                        p.y,
                    );
                    at = (p.x, p.y);
                }
                PathSegment::CubicTo(q, r, p) => {
                    self.operators.cubic_to(q.x, q.y, r.x, r.y, p.x, p.y);
                    at = (p.x, p.y);
                }
                PathSegment::Close => {
                    self.operators.close_path();
                }
            }
        }
        let is_even_odd = path.fill().is_some_and(|fill| fill.rule() == FillRule::EvenOdd);
        match (path.fill().is_some(), path.stroke().is_some(), is_even_odd) {
            (true, true, false) => self.operators.fill_nonzero_and_stroke(),
            (true, true, true) => self.operators.fill_even_odd_and_stroke(),
            (true, false, false) => self.operators.fill_nonzero(),
            (true, false, true) => self.operators.fill_even_odd(),
            (false, ..) => self.operators.stroke(),
        };
        self.operators.restore_state();
        Ok(())
    }

    fn paint(&mut self, fill: Option<&Fill>, stroke: Option<&Stroke>) -> Result<(), PdfError> {
        if let Some(fill) = fill {
            let [red, green, blue] = plain(fill.paint(), fill.opacity())?;
            self.operators.set_fill_rgb(red, green, blue);
        }
        let Some(stroke) = stroke else { return Ok(()) };
        if stroke.dasharray().is_some() {
            return Err(PdfError::Unknown("a dashed line"));
        }
        let [red, green, blue] = plain(stroke.paint(), stroke.opacity())?;
        self.operators.set_stroke_rgb(red, green, blue).set_line_width(stroke.width().get());
        self.operators.set_line_cap(match stroke.linecap() {
            LineCap::Butt => LineCapStyle::ButtCap,
            LineCap::Round => LineCapStyle::RoundCap,
            LineCap::Square => LineCapStyle::ProjectingSquareCap,
        });
        self.operators.set_line_join(match stroke.linejoin() {
            LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
            LineJoin::Round => LineJoinStyle::RoundJoin,
            LineJoin::Bevel => LineJoinStyle::BevelJoin,
        });
        Ok(())
    }

    /// Writes a text as glyphs of its fonts, or as outlines if one of the fonts cannot be embedded.
    fn text(&mut self, text: &Text) -> Result<(), PdfError> {
        let fonts = self.tree.fontdb();
        let mut spans = Vec::new();
        for span in text.layouted().iter().filter(|span| span.visible) {
            let mut runs: Vec<Run> = Vec::new();
            for glyph in &span.positioned_glyphs {
                let Some(Glyph { font, id, advance, units_per_em }) =
                    self.fonts.glyph(fonts, glyph.font, glyph.id.0, &glyph.text)
                else {
                    return self.group(text.flattened());
                };
                let matrix = text
                    .abs_transform()
                    .pre_concat(glyph.outline_transform())
                    .pre_scale(units_per_em, units_per_em);
                let run = runs.last_mut().filter(|run| run.font == font && run.meets(matrix));
                match run {
                    Some(run) => {
                        run.glyphs.extend(id.to_be_bytes());
                        run.end += advance;
                    }
                    None => runs.push(Run { font, matrix, end: advance, glyphs: id.to_be_bytes().to_vec() }),
                }
            }
            spans.push((span.fill.as_ref(), runs));
        }
        for (fill, runs) in spans {
            let Some(fill) = fill else { continue };
            self.operators.save_state();
            self.paint(Some(fill), None)?;
            self.operators.begin_text();
            for run in runs {
                self.operators.set_font(Name(Fonts::name(run.font).as_bytes()), 1.0);
                self.operators.set_text_matrix(row(run.matrix)).show(Str(&run.glyphs));
            }
            self.operators.end_text().restore_state();
        }
        Ok(())
    }
}

impl Run {
    /// True if a glyph with this transform continues the run.
    fn meets(&self, matrix: Transform) -> bool {
        let Some(inverse) = self.matrix.invert() else { return false };
        let from = inverse.pre_concat(matrix);
        let moved = Transform::from_translate(self.end, 0.0);
        row(from).iter().zip(row(moved)).all(|(one, other)| (one - other).abs() < NEAR)
    }
}

fn row(transform: Transform) -> [f32; 6] {
    let Transform { sx, kx, ky, sy, tx, ty } = transform;
    [sx, ky, kx, sy, tx, ty]
}

/// A colour as red, green and blue, in [0, 1].
fn plain(paint: &Paint, opacity: Opacity) -> Result<[f32; 3], PdfError> {
    match paint {
        Paint::Color(color) if opacity == Opacity::ONE => {
            Ok([color.red, color.green, color.blue].map(|part| f32::from(part) / 255.0))
        }
        Paint::Color(_) => Err(PdfError::Unknown("transparency")),
        _ => Err(PdfError::Unknown("a gradient or a pattern")),
    }
}
