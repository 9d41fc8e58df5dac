//! A page with tables, plots and games to play through, in a single file.

use askama::Template;

use super::{Gallery, pieces};

/// The contents of a page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// A paragraph under the heading.
    pub lead: String,
    /// The tables.
    pub sections: Vec<Section>,
    /// Notes under the tables.
    pub notes: Vec<String>,
    /// The plots.
    pub figures: Vec<Figure>,
    /// The games.
    pub gallery: Gallery,
    /// A sentence about which games the gallery shows; empty if it shows all of them.
    pub selection: String,
    /// The command that generates the page again, for the footer; empty for none.
    pub command: String,
}

/// A table with its heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// A paragraph under the heading.
    pub lead: String,
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows. Each cell is a text and a number to sort by; `None`: sort by the text.
    pub rows: Vec<Vec<(String, Option<f64>)>>,
    /// The last row, which is not sorted; empty for none.
    pub footer: Vec<String>,
}

/// A plot with its heading.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// The plot, as an SVG element without an id.
    pub svg: String,
}

/// The data for the template.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'a> {
    page: &'a Page,
    style: String,
    script: String,
    symbols: String,
    games: String,
}

/// The style sheets. Later ones override earlier ones.
const STYLES: [&str; 4] = [
    include_str!("report/page.css"),
    include_str!("report/tables.css"),
    include_str!("report/gallery.css"),
    include_str!("report/replay.css"),
];

/// The scripts. Each comes after the ones that it needs.
const SCRIPTS: [&str; 7] = [
    include_str!("report/board.js"),
    include_str!("report/game.js"),
    include_str!("report/lichess.js"),
    include_str!("report/replay.js"),
    include_str!("report/gallery.js"),
    include_str!("report/tables.js"),
    include_str!("report/wide.js"),
];

impl Page {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let document = Document {
            page: self,
            style: STYLES.join("\n"),
            script: SCRIPTS.join("\n"),
            symbols: pieces::symbols(),
            games: self.gallery.json(),
        };
        document.render().expect("writing to a string succeeds") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_input_is_escaped() {
        let page = Page {
            title: "<i>t</i>".to_owned(),
            command: "entente <b>".to_owned(),
            sections: vec![Section {
                title: "s".to_owned(),
                lead: String::new(),
                headers: vec!["<u>".to_owned()],
                rows: vec![vec![("<b>".to_owned(), Some(0.5))]],
                footer: Vec::new(),
            }],
            ..Page::default()
        };
        let html = page.html();
        assert!(!html.contains("<i>t") && !html.contains("<u>") && !html.contains("<b>"), "{html}");
        assert!(html.contains("data-value=\"0.5\""), "{html}");
        // Namespaces, and links for the reader.
        let outside = ["http://www.w3.org/", "https://www.w3.org/", "https://lichess.org/analysis/"];
        let links = html
            .match_indices("http")
            .filter(|(at, _)| !outside.iter().any(|url| html[*at..].starts_with(url)));
        assert_eq!(links.count(), 0, "nothing is fetched from anywhere");
    }
}
