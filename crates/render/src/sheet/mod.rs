//! Worksheets: numbered boards to print, followed by the solutions on separate pages.
//!
//! `page` turns a [`Sheet`] into HTML. `paper` makes an SVG document for each page, with lines measured by `columns`;
//! the PDF is made of these documents.

mod columns;
mod page;
mod paper;

use shakmaty::{Chess, Position};

use super::{Drawing, Look, PdfError, pdf};

/// A worksheet: positions to print and solve.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The heading of every page.
    pub title: String,
    /// A paragraph under the first heading; may be empty.
    pub lead: String,
    /// The positions.
    pub problems: Vec<Problem>,
    /// The number of boards per page.
    pub per_page: PerPage,
    /// The paper; `None`: a layout that fits every paper.
    pub paper: Option<Paper>,
    /// The command that generates the sheet again, for its end; may be empty.
    pub command: String,
}

/// A position of a worksheet.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position, which is shown from the side to move.
    pub position: Chess,
    /// The text above the board: the side to move.
    pub task: String,
    /// The players' ratings; may be empty.
    pub players: String,
    /// The moves of the solution; empty if the game is over.
    pub line: String,
    /// The value of the solution.
    pub value: String,
    /// The most tempting wrong move with its refutation; may be empty.
    pub wrong: String,
    /// The game that led to the position; may be empty.
    pub game: String,
}

/// The number of boards per page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPage {
    /// Two columns.
    Six,
    /// Three columns.
    Twelve,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl PerPage {
    /// The number of boards.
    pub fn boards(self) -> usize {
        self.columns() * self.rows()
    }

    fn columns(self) -> usize {
        match self {
            PerPage::Six => 2,
            PerPage::Twelve => 3,
        }
    }

    fn rows(self) -> usize {
        match self {
            PerPage::Six => 3,
            PerPage::Twelve => 4,
        }
    }
}

impl Paper {
    /// Width and height in points.
    fn size(self) -> (f32, f32) {
        match self {
            Paper::A4 => (595.28, 841.89),
            Paper::Letter => (612.0, 792.0),
        }
    }
}

impl Sheet {
    /// The sheet as a PDF, by default on A4.
    ///
    /// # Errors
    /// [`PdfError`] if a template uses something that is not supported in a PDF.
    pub fn pdf(&self) -> Result<Vec<u8>, PdfError> {
        pdf(&self.title, &paper::pages(self))
    }
}

impl Sheet {
    /// What the solutions contain, for the head of their page.
    fn about_solutions(&self) -> String {
        let has = |text: fn(&Problem) -> &str| self.problems.iter().any(|problem| !text(problem).is_empty());
        let parts = [
            (has(|problem| &problem.wrong), "the most tempting wrong move with its refutation"),
            (has(|problem| &problem.game), "the game that led to the position"),
        ];
        let parts: Vec<&str> =
            parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)).collect();
        let below = if parts.is_empty() {
            String::new()
        } else {
            format!(" Below each solution: {}.", parts.join(", and "))
        };
        format!("Values are in pawns, from White’s side.{below}")
    }
}

impl Problem {
    fn drawing(&self) -> Drawing<'_> {
        let name = self.position.turn().fold_wb("White to move", "Black to move");
        Drawing {
            look: Look::PAPER,
            bottom: self.position.turn(),
            ..Drawing::new(self.position.board(), name.to_owned())
        }
    }

    /// The side to move, as a CSS class.
    fn side(&self) -> &'static str {
        self.position.turn().fold_wb("white", "black")
    }

    /// The first line of the solution, such as `White to move: +1.35`.
    fn heading(&self) -> String {
        if self.value.is_empty() { self.task.clone() } else { format!("{}: {}", self.task, self.value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png;

    /// A sheet with some problems.
    pub(super) fn sheet(problems: usize, per_page: PerPage) -> Sheet {
        let problem = Problem {
            position: Chess::default(),
            task: "White to move".to_owned(),
            players: "1500".to_owned(),
            line: "1. e4 e5".to_owned(),
            value: "+0.30".to_owned(),
            wrong: "1. g4? d5 (−0.60)".to_owned(),
            game: "1. <b>Nf3</b>".to_owned(),
        };
        Sheet {
            title: "<script>alert(1)</script> & \u{1}".to_owned(),
            lead: "a < b".to_owned(),
            problems: vec![problem; problems],
            per_page,
            paper: None,
            command: "entente generate '<i>'".to_owned(),
        }
    }

    #[test]
    fn user_input_in_html_is_escaped() {
        let html = sheet(8, PerPage::Six).html();
        assert!(html.contains("&#60;script&#62;alert(1)"), "{html}");
        for outside in ["<script", "<b>Nf3", "<i>", "src=", "url(", "@import", "https:"] {
            assert!(!html.contains(outside), "{outside}: {html}");
        }
        assert_eq!(html.matches("class=\"problem\"").count(), 8);
        assert_eq!(html.matches("class=\"solution\"").count(), 8);
        assert_eq!(html.matches("<section class=\"page\"").count(), 3, "two of boards, one of solutions");
    }

    #[test]
    fn the_paper_is_named_only_if_it_is_given() {
        let sheet = sheet(1, PerPage::Six);
        let html = sheet.html();
        assert!(!html.contains("size: A4") && !html.contains("size: letter"));
        assert!(Sheet { paper: Some(Paper::Letter), ..sheet }.html().contains("size: letter"));
    }

    #[test]
    fn pages_are_documents_with_all_boards() {
        for (per_page, problems, boards) in
            [(PerPage::Six, 13, 3), (PerPage::Twelve, 12, 1), (PerPage::Twelve, 13, 2)]
        {
            for paper in [Paper::A4, Paper::Letter] {
                let pages = paper::pages(&Sheet { paper: Some(paper), ..sheet(problems, per_page) });
                assert_eq!(pages.len(), boards + 1);
                assert_eq!(
                    pages.iter().map(|page| page.matches("class=\"board\"").count()).sum::<usize>(),
                    problems
                );
                assert!(pages.iter().all(|page| !page.contains("<script")));
                assert!(png(&pages[0]).is_ok());
            }
        }
    }

    #[test]
    fn many_long_solutions_take_several_pages() {
        let mut sheet = sheet(40, PerPage::Twelve);
        sheet.problems.iter_mut().for_each(|problem| problem.game = "30. Nf3 Nc6 ".repeat(60));
        let pdf = sheet.pdf().unwrap();
        let pages = pdf.windows(12).filter(|window| window == b"/Type /Page\n").count();
        assert!(pages > 4 + 2, "{pages}");
    }
}
