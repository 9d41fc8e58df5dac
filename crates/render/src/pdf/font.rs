//! The fonts of a PDF, each with only the glyphs that the texts use.

use std::collections::BTreeMap;

use pdf_writer::{
    Filter, Name, Pdf, Rect, Ref, Str,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
};
use resvg::usvg::fontdb::{Database, ID};
use skrifa::{
    FontRef, GlyphId, MetadataProvider, Tag,
    instance::{LocationRef, Size},
    string::StringId,
};
use subsetter::{GlyphRemapper, subset};

use super::deflate;

/// The fonts in use, in the order of their first use.
#[derive(Default)]
pub(super) struct Fonts {
    fonts: Vec<Font>,
}

/// A glyph in the file.
pub(super) struct Glyph {
    /// The number of its font.
    pub font: usize,
    /// Its number in the font's subset.
    pub id: u16,
    /// Its advance width, in ems.
    pub advance: f32,
    /// The font's units per em.
    pub units_per_em: f32,
}

struct Font {
    face: ID,
    data: Vec<u8>,
    index: u32,
    units_per_em: f32,
    /// Maps glyphs of the font to glyphs of the subset.
    glyphs: GlyphRemapper,
    /// For each glyph of the subset, the advance width in thousandths of an em, and the text.
    used: BTreeMap<u16, (f32, String)>,
}

/// The identity encoding: each code is the number of its glyph.
const IDENTITY: SystemInfo<'_> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

impl Fonts {
    /// The name of a font on pages.
    pub(super) fn name(font: usize) -> String {
        format!("F{font}")
    }

    /// A glyph of a font, which represents `text`; `None` if the font cannot be embedded.
    pub(super) fn glyph(&mut self, fonts: &Database, face: ID, glyph: u32, text: &str) -> Option<Glyph> {
        let place = self.fonts.iter().position(|font| font.face == face);
        let place = match place {
            Some(place) => place,
            None => {
                self.fonts.push(fonts.with_face_data(face, |data, index| Font::new(face, data, index))??);
                self.fonts.len() - 1
            }
        };
        let font = &mut self.fonts[place];
        let id = font.glyphs.remap(u16::try_from(glyph).ok()?);
        if !font.used.contains_key(&id) {
            let advance = font.font()?.glyph_metrics(Size::unscaled(), LocationRef::default());
            let advance = advance.advance_width(GlyphId::new(glyph))? / font.units_per_em;
            font.used.insert(id, (advance * 1000.0, text.to_owned()));
        }
        let advance = font.used[&id].0 / 1000.0;
        Some(Glyph { font: place, id, advance, units_per_em: font.units_per_em })
    }

    /// Writes all fonts. Returns their names and references.
    pub(super) fn write(&self, pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Vec<(String, Ref)> {
        let fonts = self.fonts.iter().enumerate();
        fonts.map(|(place, font)| (Fonts::name(place), font.write(pdf, next))).collect()
    }
}

impl Font {
    /// `None` if the font cannot be subset.
    fn new(face: ID, data: &[u8], index: u32) -> Option<Font> {
        let font = FontRef::from_index(data, index).ok()?;
        let units_per_em = f32::from(font.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        subset(data, index, &GlyphRemapper::new()).ok().filter(|_| units_per_em > 0.0)?;
        let data = data.to_vec();
        Some(Font { face, data, index, units_per_em, glyphs: GlyphRemapper::new(), used: BTreeMap::new() })
    }

    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.data, self.index).ok()
    }

    /// Its name, with a tag as prefix, as the standard requires for subsets.
    fn name(&self) -> String {
        let name = self.font().and_then(|font| {
            let name = font.localized_strings(StringId::POSTSCRIPT_NAME).english_or_first()?;
            Some(name.chars().filter(char::is_ascii_alphanumeric).collect::<String>())
        });
        format!("ENTENT+{}", name.filter(|name| !name.is_empty()).unwrap_or_else(|| "Font".to_owned()))
    }

    fn write(&self, pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Ref {
        let [whole, descendant, descriptor, to_unicode, file] = [(); 5].map(|()| next());
        let name = self.name();
        let part = subset(&self.data, self.index, &self.glyphs).unwrap_or_default();
        // For a font with cubic outlines, only the CFF table is embedded.
        let cubic = FontRef::new(&part).ok().and_then(|font| font.table_data(Tag::new(b"CFF ")));
        let cubic = cubic.map(|table| table.as_bytes().to_vec());
        pdf.type0_font(whole)
            .base_font(Name(name.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(to_unicode);
        let mut cid = pdf.cid_font(descendant);
        cid.subtype(if cubic.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
        cid.base_font(Name(name.as_bytes()))
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .default_width(0.0);
        if cubic.is_none() {
            cid.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        let mut widths = cid.widths();
        for (&id, &(advance, _)) in &self.used {
            widths.consecutive(id, [advance]);
        }
        drop(widths);
        drop(cid);
        self.describe(pdf, descriptor, file, &name, cubic.is_some());
        let mut cmap = UnicodeCmap::new(Name(b"Custom"), IDENTITY);
        for (&id, (_, text)) in self.used.iter().filter(|(_, (_, text))| !text.is_empty()) {
            cmap.pair_with_multiple(id, text.chars());
        }
        pdf.cmap(to_unicode, &cmap.finish());
        let compressed = deflate(cubic.as_ref().unwrap_or(&part));
        let mut stream = pdf.stream(file, &compressed);
        stream.filter(Filter::FlateDecode);
        if cubic.is_some() {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        }
        drop(stream);
        whole
    }

    fn describe(&self, pdf: &mut Pdf, id: Ref, file: Ref, name: &str, is_cubic: bool) {
        let Some(font) = self.font() else { return };
        let metrics = font.metrics(Size::new(1000.0), LocationRef::default());
        let bounds = metrics.bounds.map_or(Rect::new(0.0, 0.0, 1000.0, 1000.0), |bounds| {
            Rect::new(bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max)
        });
        let mut descriptor = pdf.font_descriptor(id);
        descriptor
            .name(Name(name.as_bytes()))
            .flags(FontFlags::SYMBOLIC)
            .bbox(bounds)
            .italic_angle(metrics.italic_angle)
            .ascent(metrics.ascent)
            .descent(metrics.descent)
            .cap_height(metrics.cap_height.unwrap_or(metrics.ascent))
            .stem_v(95.0);
        if is_cubic {
            descriptor.font_file3(file);
        } else {
            descriptor.font_file2(file);
        }
    }
}
