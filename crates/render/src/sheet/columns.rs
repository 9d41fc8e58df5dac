//! Breaks texts into lines that fit into a width.

use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
};

use crate::fonts::{BOLD, REGULAR};

/// A style of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// The size, in points.
    pub size: f32,
    pub is_bold: bool,
    pub color: &'static str,
}

impl Style {
    /// The distance between lines, in points.
    pub(super) fn leading(self) -> f32 {
        1.35 * self.size
    }
}

/// Measures texts in the fonts with which they will be drawn.
pub(super) struct Ruler {
    /// The regular and the bold font.
    fonts: [FontRef<'static>; 2],
}

impl Ruler {
    /// A ruler for `sans-serif`.
    pub(super) fn new() -> Ruler {
        Ruler { fonts: [REGULAR, BOLD].map(|data| FontRef::new(data).expect("the font is whole")) }
    }

    /// The width of a text in points. A character that the font lacks counts as a wide one.
    pub(super) fn width(&self, text: &str, style: Style) -> f32 {
        let font = &self.fonts[usize::from(style.is_bold)];
        let (characters, metrics) =
            (font.charmap(), font.glyph_metrics(Size::new(style.size), LocationRef::default()));
        let advance = |character| {
            let glyph = characters.map(character);
            glyph.and_then(|glyph| metrics.advance_width(glyph)).unwrap_or(style.size)
        };
        text.chars().map(advance).sum()
    }

    /// Breaks a text into lines no wider than `width`: at spaces (except for no-break spaces), and within words that
    /// are wider than a line.
    pub(super) fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        let space = self.width(" ", style);
        let mut lines: Vec<String> = Vec::new();
        let mut end = f32::INFINITY;
        for word in text
            .split([' ', '\n'])
            .filter(|word| !word.is_empty())
            .flat_map(|word| self.pieces(word, style, width))
        {
            let length = self.width(&word, style);
            match lines.last_mut() {
                Some(line) if end + space + length <= width => {
                    line.push(' ');
                    line.push_str(&word);
                    end += space + length;
                }
                _ => {
                    lines.push(word);
                    end = length;
                }
            }
        }
        lines
    }

    /// The same, but at most `most` lines. If there are more, the last one ends with an ellipsis.
    pub(super) fn some_lines(&self, text: &str, style: Style, width: f32, most: usize) -> Vec<String> {
        let mut lines = self.lines(text, style, width);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                while !last.is_empty() && self.width(&format!("{last}…"), style) > width {
                    last.pop();
                }
                last.push('…');
            }
        }
        lines
    }

    /// Breaks a word into pieces no wider than `width`.
    fn pieces(&self, word: &str, style: Style, width: f32) -> Vec<String> {
        let mut pieces = vec![String::new()];
        let mut end = 0.0;
        for character in word.chars() {
            let advance = self.width(character.encode_utf8(&mut [0; 4]), style);
            if end + advance > width && end > 0.0 {
                pieces.push(String::new());
                end = 0.0;
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(character);
            }
            end += advance;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_contain_the_whole_text() {
        let ruler = Ruler::new();
        let style = Style { size: 10.0, is_bold: false, color: "#000" };
        let text = format!("1. e4 e5 2. Nf3 {} Nc6", "m".repeat(60));
        for width in [5.0, 40.0, 200.0, 2000.0] {
            let lines = ruler.lines(&text, style, width);
            let whole = |text: &str| text.replace(' ', "");
            assert_eq!(whole(&lines.concat()), whole(&text));
            assert!(lines.iter().all(|line| ruler.width(line, style) <= width.max(10.0)), "{lines:?}");
        }
        let few = ruler.some_lines(&text, style, 100.0, 2);
        assert!(few.len() == 2 && few[1].ends_with('…') && ruler.width(&few[1], style) <= 100.0, "{few:?}");
        assert!(ruler.lines("  ", style, 9.0).is_empty());
    }
}
