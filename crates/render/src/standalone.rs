/// The colour that replaces `currentColor`.
const INK: &str = "#222";

/// Turns a plot for a page into a standalone SVG document, with its size, a white background and dark text.
///
/// A document without a view box is returned unchanged, because its size is not known.
pub fn standalone(svg: &str) -> String {
    // Names may contain characters that HTML allows and XML does not.
    let svg: String = svg.chars().filter(|character| is_xml(*character)).collect();
    let parts = svg.find("<svg").and_then(|begin| svg[begin..].split_once('>'));
    let Some((tag, content)) = parts.filter(|(tag, _)| !tag.ends_with('/')) else { return svg };
    let Some([x, y, width, height]) = attribute(tag, "viewBox").and_then(numbers) else { return svg };
    let mut tag = tag.replacen(" class=\"plot\"", "", 1);
    for (name, value) in [("xmlns", "http://www.w3.org/2000/svg"), ("width", width), ("height", height)] {
        if attribute(&tag, name).is_none() {
            tag += &format!(" {name}=\"{value}\"");
        }
    }
    let background =
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
    // Only whole attributes match, because quotation marks in texts are escaped.
    let content = content.replace("\"currentColor\"", &format!("\"{INK}\""));
    format!("{tag}>\n{background}{content}")
}

/// True if XML allows the character (XML 1.0, section 2.2).
fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The value of an attribute in the start tag `tag`.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// The four numbers of a view box.
fn numbers(view: &str) -> Option<[&str; 4]> {
    let numbers: Vec<&str> = view.split_ascii_whitespace().collect();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{Options, Tree};

    use super::*;
    use crate::{HeatMap, Series, bars, curves, heat_maps, intervals, png};

    /// The width and height in the header of a PNG file.
    fn size(png: &[u8]) -> [u32; 2] {
        [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
    }

    #[test]
    fn every_kind_of_plot_is_a_document() {
        let names = ["a<b & \"currentColor\" \u{1}".to_owned()];
        let name = names[0].clone();
        let plots = [
            intervals(&names, &[Series { name: name.clone(), values: vec![Some((0.5, 0.4, 0.6))] }]).unwrap(),
            bars(&names, &[Series { name: name.clone(), values: vec![0.5] }]).unwrap(),
            curves(&name, 1.0, &[Series { name: name.clone(), values: vec![(1.0, 0.5), (9.0, 0.1)] }])
                .unwrap(),
            heat_maps(&[(name.clone(), vec![HeatMap { title: name.clone(), shares: [0.25; 64] }])]),
        ];
        for plot in &plots {
            let document = standalone(plot);
            assert!(!document.contains("=\"currentColor\""), "{document}");
            let tree = Tree::from_str(&document, &Options::default()).unwrap();
            let (_, height) = attribute(plot, "viewBox").unwrap().rsplit_once(' ').unwrap();
            let height: u32 = height.parse().unwrap();
            assert_eq!(tree.size().to_int_size().dimensions(), (860, height));
            let picture = png(&document).unwrap();
            assert!(picture.starts_with(b"\x89PNG"));
            assert_eq!(size(&picture), [860, height]);
        }
    }

    #[test]
    fn other_texts_are_returned_unchanged() {
        for svg in ["", "<svg", "<svg>", "<svg viewBox=\"0 0 1 1\"/>", "<svg viewBox=\"0 0\"></svg>", "text"]
        {
            assert_eq!(standalone(svg), svg);
        }
    }
}
