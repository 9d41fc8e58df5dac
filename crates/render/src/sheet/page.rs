//! A worksheet as an HTML page to print in a browser.

use askama::Template;

use super::{Paper, PerPage, Problem, Sheet};
use crate::{Drawing, pieces};

/// The data for the template.
#[derive(Template)]
#[template(path = "sheet.html")]
struct Document<'a> {
    sheet: &'a Sheet,
    /// The problems of each page, with their numbers and boards.
    pages: Vec<Vec<(usize, &'a Problem, String)>>,
    style: &'static str,
    symbols: String,
    paper: &'static str,
    /// The number of columns of the grid.
    columns: usize,
    /// The side of a board, in millimetres.
    side: u32,
    /// The size of the text above a board, in points.
    caption: u32,
}

impl Sheet {
    /// The sheet as a standalone HTML page.
    pub fn html(&self) -> String {
        let problems: Vec<_> = self
            .problems
            .iter()
            .enumerate()
            .map(|(place, problem)| {
                let drawing = Drawing { by_symbols: true, ..problem.drawing() };
                (place + 1, problem, drawing.svg())
            })
            .collect();
        let document = Document {
            sheet: self,
            pages: problems.chunks(self.per_page.boards()).map(<[_]>::to_vec).collect(),
            style: include_str!("../report/sheet.css"),
            symbols: pieces::symbols(),
            paper: match self.paper {
                Some(Paper::A4) => "size: A4;",
                Some(Paper::Letter) => "size: letter;",
                None => "",
            },
            columns: self.per_page.columns(),
            side: self.side(),
            caption: match self.per_page {
                PerPage::Six => 10,
                PerPage::Twelve => 8,
            },
        };
        document.render().expect("writing to a string succeeds") + "\n"
    }

    /// The side of a board in millimetres: as large as the rows of a page allow on the paper, or on the shorter paper
    /// if none is given.
    fn side(&self) -> u32 {
        match (self.per_page, self.paper) {
            (PerPage::Six, Some(Paper::A4)) => 66,
            (PerPage::Six, _) => 60,
            (PerPage::Twelve, Some(Paper::A4)) => 47,
            (PerPage::Twelve, _) => 43,
        }
    }
}
