//! The pages of a worksheet: an SVG document for each, in points.

use askama::Template;

use super::{
    Paper, PerPage, Problem, Sheet,
    columns::{Ruler, Style},
};
use crate::{board::EDGE, pieces::FIELD};

/// The margin, a little wider than the unprintable area of printers.
const MARGIN: f32 = 40.0;
/// The distance between two boards or columns.
const GUTTER: f32 = 22.0;
/// The distance between a line to write on and the next caption.
const GAP: f32 = 8.0;
/// The height of the footer, with the page number.
const FOOTER: f32 = 22.0;

const TITLE: Style = Style { size: 15.0, is_bold: true, color: "#111111" };
const LEAD: Style = Style { size: 9.0, is_bold: false, color: "#444444" };
const TASK: Style = Style { size: 9.5, is_bold: false, color: "#111111" };
const PLAYERS: Style = Style { size: 8.5, is_bold: false, color: "#444444" };
const LINE: Style = Style { size: 9.5, is_bold: true, color: "#111111" };
const WRONG: Style = Style { size: 8.5, is_bold: false, color: "#111111" };
const GAME: Style = Style { size: 6.5, is_bold: false, color: "#444444" };

/// The sizes that depend on the number of boards per page.
struct Caption {
    number: Style,
    task: Style,
    players: Style,
    /// The distance from the board to the line for the answer.
    answer: f32,
}

impl Caption {
    fn of(per_page: PerPage) -> Caption {
        let (number, task, players, answer) = match per_page {
            PerPage::Six => (11.0, 9.5, 8.5, 18.0),
            PerPage::Twelve => (9.5, 7.5, 7.0, 15.0),
        };
        let of = |style, size| Style { size, ..style };
        Caption { number: of(TITLE, number), task: of(TASK, task), players: of(PLAYERS, players), answer }
    }
}

/// The data of a page for the template.
#[derive(Template, Default)]
#[template(path = "sheet.svg", escape = "html")]
struct Leaf {
    width: f32,
    height: f32,
    texts: Vec<Text>,
    boards: Vec<Board>,
    /// Lines to write on: where they begin, and the x coordinate where they end.
    rules: Vec<(f32, f32, f32)>,
}

/// A line of text, positioned by its base line.
struct Text {
    x: f32,
    y: f32,
    style: Style,
    text: String,
    is_at_end: bool,
}

struct Board {
    x: f32,
    y: f32,
    scale: f32,
    /// The disc that shows the side to move: its centre and its colour.
    disc: Option<(f32, f32, &'static str)>,
    men: String,
}

/// The pages with boards, followed by the pages with solutions.
pub(super) fn pages(sheet: &Sheet) -> Vec<String> {
    let ruler = Ruler::new();
    let (width, height) = sheet.paper.unwrap_or(Paper::A4).size();
    let layout = Layout { sheet, ruler: &ruler, width, height };
    let mut leaves = layout.boards();
    leaves.append(&mut layout.solutions());
    let count = leaves.len();
    leaves
        .into_iter()
        .enumerate()
        .map(|(place, mut leaf)| {
            let text = format!("{} / {count}", place + 1);
            leaf.put_at_end(width - MARGIN, height - MARGIN, PLAYERS, text);
            leaf.render().expect("writing to a string succeeds")
        })
        .collect()
}

struct Layout<'a> {
    sheet: &'a Sheet,
    ruler: &'a Ruler,
    width: f32,
    height: f32,
}

impl Layout<'_> {
    fn inner(&self) -> f32 {
        self.width - 2.0 * MARGIN
    }

    /// A page with a heading, and the y coordinate where its content begins.
    fn leaf(&self, heading: &str, lead: &str) -> (Leaf, f32) {
        let mut leaf = Leaf { width: self.width, height: self.height, ..Leaf::default() };
        let mut y = MARGIN;
        for (text, style, most) in [(heading, TITLE, 2), (lead, LEAD, 3)] {
            for line in self.ruler.some_lines(text, style, self.inner(), most) {
                y += style.size;
                leaf.put(MARGIN, y, style, line);
                y += style.leading() - style.size;
            }
        }
        (leaf, y + 12.0)
    }

    fn boards(&self) -> Vec<Leaf> {
        let Layout { sheet, .. } = self;
        let (columns, rows) = (sheet.per_page.columns() as f32, sheet.per_page.rows() as f32);
        // The first page has the longest heading. Its height is used for all pages, so that all boards have the same
        // size.
        let (_, top) = self.leaf(&sheet.title, &sheet.lead);
        let cell = (
            (self.inner() - (columns - 1.0) * GUTTER) / columns,
            (self.height - MARGIN - FOOTER - top) / rows,
        );
        let caption = Caption::of(sheet.per_page);
        let side = cell.0.min(cell.1 - caption.number.leading() - caption.answer - GAP);
        let on_page = sheet.per_page.boards();
        let mut leaves = Vec::new();
        for (place, problem) in sheet.problems.iter().enumerate() {
            let at = place % on_page;
            if at == 0 {
                let lead = if place == 0 { &*sheet.lead } else { "" };
                leaves.push(self.leaf(&sheet.title, lead).0);
            }
            let Some(leaf) = leaves.last_mut() else { continue };
            let (column, row) =
                ((at % sheet.per_page.columns()) as f32, (at / sheet.per_page.columns()) as f32);
            let x = MARGIN + column * (cell.0 + GUTTER) + (cell.0 - side) / 2.0;
            self.problem(leaf, (place + 1, problem), (x, top + row * cell.1), side);
        }
        leaves
    }

    /// A board with the texts above it and the line below it.
    fn problem(&self, leaf: &mut Leaf, (number, problem): (usize, &Problem), (x, y): (f32, f32), side: f32) {
        let caption = Caption::of(self.sheet.per_page);
        // The caption begins above the squares, not above the coordinates next to them.
        let scale = side / (8 * FIELD + EDGE) as f32;
        let left = x + EDGE as f32 * scale;
        let base = y + caption.number.size;
        let number = number.to_string();
        let mut at = left + self.ruler.width(&number, caption.number) + 7.0;
        leaf.put(left, base, caption.number, number);
        let has_task = !problem.line.is_empty();
        let color = if problem.side() == "white" { "#ffffff" } else { "#111111" };
        let disc = has_task.then_some((at + 4.0, base - 0.36 * caption.task.size, color));
        if has_task {
            at += 12.0;
        }
        leaf.put(at, base, caption.task, problem.task.clone());
        leaf.put_at_end(x + side, base, caption.players, problem.players.clone());
        let top = y + caption.number.leading();
        let men = inside(&problem.drawing().svg()).to_owned();
        leaf.boards.push(Board { x: left, y: top, scale, disc, men });
        leaf.rules.push((left, top + side + caption.answer, x + side));
    }

    fn solutions(&self) -> Vec<Leaf> {
        let heading = "Solutions";
        let lead = &*self.sheet.about_solutions();
        let column = (self.inner() - GUTTER) / 2.0;
        let bottom = self.height - MARGIN - FOOTER;
        let (first, top) = self.leaf(heading, lead);
        let mut leaves = vec![first];
        let (mut second, mut y) = (false, top);
        let problems = self.sheet.problems.iter().enumerate();
        let command = match self.sheet.command.as_str() {
            "" => Vec::new(),
            command => vec![(GAME, format!("Generated by {command}"))],
        };
        let entries = problems.map(|(place, problem)| self.entry(place + 1, problem, column));
        for entry in entries.chain([self.lines(&command, column)]) {
            // An entry is kept together unless it is longer than a column.
            let height: f32 = entry.iter().map(|(style, _)| style.leading()).sum();
            let fits = y + height <= bottom || height > bottom - top;
            for (place, (style, text)) in entry.into_iter().enumerate() {
                if (place == 0 && !fits) || y + style.leading() > bottom {
                    if second {
                        leaves.push(self.leaf(heading, lead).0);
                    }
                    (second, y) = (!second, top);
                }
                y += style.size;
                let x = MARGIN + if second { column + GUTTER } else { 0.0 };
                if let Some(leaf) = leaves.last_mut() {
                    leaf.put(x, y, style, text);
                }
                y += style.leading() - style.size;
            }
            y += 9.0;
        }
        leaves
    }

    /// The lines of a solution.
    fn entry(&self, number: usize, problem: &Problem, width: f32) -> Vec<(Style, String)> {
        let heading = format!("{number} · {}", problem.heading());
        let texts = [
            (TASK, heading),
            (LINE, problem.line.clone()),
            (WRONG, problem.wrong.clone()),
            (GAME, problem.game.clone()),
        ];
        self.lines(&texts, width)
    }

    fn lines(&self, texts: &[(Style, String)], width: f32) -> Vec<(Style, String)> {
        let lines = |(style, text): &(Style, String)| {
            let style = *style;
            self.ruler.lines(text, style, width).into_iter().map(move |line| (style, line))
        };
        texts.iter().flat_map(lines).collect()
    }
}

impl Leaf {
    fn put(&mut self, x: f32, y: f32, style: Style, text: String) {
        self.texts.push(Text { x, y, style, text: printable(&text), is_at_end: false });
    }

    fn put_at_end(&mut self, x: f32, y: f32, style: Style, text: String) {
        self.texts.push(Text { x, y, style, text: printable(&text), is_at_end: true });
    }
}

/// The characters of a text that an XML document may contain.
fn printable(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_control() && !matches!(character, '\u{fffe}'..='\u{ffff}'))
        .collect()
}

/// The content of the outermost element.
fn inside(svg: &str) -> &str {
    let begin = svg.find('>').map_or(0, |end| end + 1);
    let end = svg.rfind("</svg>").unwrap_or(svg.len());
    &svg[begin..end]
}
