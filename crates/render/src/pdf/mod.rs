//! Writes SVG documents as the pages of a PDF. Shapes stay vector graphics, and texts stay texts.

mod content;
mod font;

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use thiserror::Error;

use self::{content::Content, font::Fonts};
use super::fonts::{TreeError, tree};

/// A PDF that cannot be made.
#[derive(Debug, Error)]
pub enum PdfError {
    /// A page is not an SVG document.
    #[error(transparent)]
    Page(#[from] TreeError),
    /// A page has something that is not supported.
    #[error("a page has {0}, which is not supported in a PDF")]
    Unknown(&'static str),
}

/// A PDF with a title and a page for each SVG document, whose units are points. Shapes and texts must have plain,
/// opaque colours.
///
/// # Errors
/// [`PdfError`] if a page is not such a document.
pub fn pdf(title: &str, pages: &[String]) -> Result<Vec<u8>, PdfError> {
    let mut pdf = Pdf::new();
    let mut last = 0;
    let mut next = || {
        last += 1;
        Ref::new(last)
    };
    let (catalog, all_pages, info) = (next(), next(), next());
    let mut fonts = Fonts::default();
    let mut written = Vec::new();
    for page in pages {
        let tree = tree(page)?;
        let (page, content) = (next(), next());
        let drawn = Content::new(&tree, &mut fonts).finish()?;
        let compressed = deflate(&drawn);
        pdf.stream(content, &compressed).filter(Filter::FlateDecode);
        written.push((page, content, tree.size()));
    }
    let names = fonts.write(&mut pdf, &mut next);
    for &(page, content, size) in &written {
        let mut page = pdf.page(page);
        page.parent(all_pages).contents(content);
        page.media_box(Rect::new(0.0, 0.0, size.width(), size.height()));
        let mut resources = page.resources();
        let mut dictionary = resources.fonts();
        for (name, font) in &names {
            dictionary.pair(Name(name.as_bytes()), font);
        }
        dictionary.finish();
    }
    let count = i32::try_from(written.len()).unwrap_or(i32::MAX);
    pdf.pages(all_pages).kids(written.iter().map(|(page, ..)| *page)).count(count);
    pdf.catalog(catalog).pages(all_pages);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("Entente"));
    Ok(pdf.finish())
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("writing to memory succeeds");
    encoder.finish().expect("writing to memory succeeds")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(inside: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50\">{inside}</svg>")
    }

    fn count(pdf: &[u8], text: &str) -> usize {
        pdf.windows(text.len()).filter(|window| *window == text.as_bytes()).count()
    }

    #[test]
    fn every_document_is_a_page_of_its_size() {
        let pages =
            [page("<rect width=\"9\" height=\"9\"/>"), page("<path d=\"M0 0H9\" stroke=\"#123456\"/>")];
        let pdf = pdf("<b> \u{fc}", &pages).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"));
        assert_eq!((count(&pdf, "/Type /Page\n"), count(&pdf, "/MediaBox [0 0 100 50]")), (2, 2));
        assert_eq!(count(&pdf, "/Type /Font\n"), 0, "no text needs no font");
    }

    #[test]
    fn text_embeds_a_subset_of_its_font() {
        let pages = [page("<text y=\"20\" font-family=\"sans-serif\">Entente</text>")];
        let pdf = pdf("", &pages).unwrap();
        assert!(count(&pdf, "/ToUnicode") > 0);
        assert!(pdf.len() < 30_000, "{} bytes", pdf.len());
    }

    #[test]
    fn unsupported_content_is_an_error() {
        let gradient = "<linearGradient id=\"g\"><stop offset=\"0\" stop-color=\"red\"/><stop offset=\"1\"/></linearGradient>\
            <rect width=\"9\" height=\"9\" fill=\"url(#g)\"/>";
        for inside in [
            gradient,
            "<rect width=\"9\" height=\"9\" opacity=\".5\"/>",
            "<rect width=\"9\" height=\"9\" fill-opacity=\".5\"/>",
        ] {
            assert!(matches!(pdf("", &[page(inside)]), Err(PdfError::Unknown(_))), "{inside}");
        }
        assert!(matches!(pdf("", &["<html/>".to_owned()]), Err(PdfError::Page(_))));
    }
}
