//! A page with tables, plots and games to play through: one file that needs no other.

use askama::Template;

use super::{Gallery, pieces};

/// A page in the making.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// A line under it.
    pub lead: String,
    /// Tables.
    pub sections: Vec<Section>,
    /// Notes under the tables.
    pub notes: Vec<String>,
    /// Plots.
    pub figures: Vec<Figure>,
    /// Games.
    pub gallery: Gallery,
    /// What the gallery shows of all games; empty where it shows them all.
    pub selection: String,
    /// The command that makes it again, at its foot; empty for none.
    pub command: String,
}

/// A table with its heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// A line under it.
    pub lead: String,
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows: what is read, and what it is sorted by where that is not the text.
    pub rows: Vec<Vec<(String, Option<f64>)>>,
    /// The row below them, which stays there; empty for none.
    pub footer: Vec<String>,
}

/// A plot with its heading.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// The plot, as an SVG element without a name of its own.
    pub svg: String,
}

/// What the template sees.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'a> {
    page: &'a Page,
    style: String,
    script: String,
    symbols: String,
    games: String,
}

/// The style sheets; later ones refine earlier ones.
const STYLES: [&str; 4] = [
    include_str!("report/page.css"),
    include_str!("report/tables.css"),
    include_str!("report/gallery.css"),
    include_str!("report/replay.css"),
];

/// The scripts, in an order in which each finds those that it needs.
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
    fn what_comes_from_outside_is_text() {
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
        // The names of formats, and where a reader may go.
        let outside = ["http://www.w3.org/", "https://www.w3.org/", "https://lichess.org/analysis/"];
        let links = html
            .match_indices("http")
            .filter(|(at, _)| !outside.iter().any(|url| html[*at..].starts_with(url)));
        assert_eq!(links.count(), 0, "nothing is fetched from anywhere");
    }
}
