//! Heat maps of the squares where men stand, as SVG for a page.

use askama::Template;
use entente_search::PortableMath as _;
use shakmaty::{File, Rank, Square};

use super::plot::WIDTH;

/// A heat map of the squares where men of one kind stand.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The title above the board: the kind of men.
    pub title: String,
    /// For each square from a1, b1 to h8, the share of games in which such a man stands there, in [0, 1].
    pub shares: [f64; 64],
}

/// Colours from the smallest share to the largest: one hue whose lightness decreases in equal steps (OKLCH).
const RAMP: [[u8; 3]; 9] = [
    [211, 234, 249],
    [155, 211, 249],
    [109, 185, 240],
    [73, 157, 224],
    [51, 129, 199],
    [42, 103, 167],
    [38, 78, 130],
    [34, 55, 90],
    [27, 35, 50],
];

/// The number of powers of ten that the scale spans: its lightest colour means 0.001 or less.
const DECADES: u32 = 3;

/// The colours of light and dark squares on which no man ever stands.
const NEVER: [&str; 2] = ["#f6f3e9", "#ebe6d7"];

/// The width for the ranks' digits to the left of a board.
const EDGE: u32 = 14;
/// The distance between boards.
const GAP: u32 = 10;
/// The largest side of a square, even if there is room for more.
const MAX_SIDE: u32 = 32;
/// The maximum number of boards side by side; further boards of a row go below them.
const MAX_BOARDS: usize = 8;
/// The height for the title above a board.
const ABOVE: u32 = 24;
/// The height for the files' letters under a board.
const UNDER: u32 = 16;
/// The height for the name of a row.
const NAME: u32 = 24;
/// The distance between rows.
const ROW_GAP: u32 = 10;
/// The height of the legend.
const LEGEND: u32 = 48;
/// The length of the scale in the legend.
const SCALE: u32 = 360;
/// The x coordinate of the square for 0 in the legend.
const NOTHING_START: u32 = 110;
/// The x coordinate of the scale in the legend.
const SCALE_START: u32 = 150;
/// The number of rectangles that make up the scale. A gradient would need an id, which two plots of a page would share.
const STEPS: u32 = 60;

/// Draws heat maps as boards seen from White's side, in named rows. All of them have the same logarithmic scale of
/// colours, so that they can be compared.
///
/// The result is an SVG element for a page, like the other plots.
pub fn heat_maps(rows: &[(String, Vec<HeatMap>)]) -> String {
    let columns = rows.iter().map(|(_, maps)| maps.len()).max().unwrap_or(0).clamp(1, MAX_BOARDS);
    let side = side(columns);
    let (mut names, mut boards) = (Vec::new(), Vec::new());
    let mut y = 0;
    for (name, maps) in rows {
        if !name.is_empty() {
            names.push(Label { x: EDGE, y: y + 18, text: name });
            y += NAME;
        }
        for line in maps.chunks(columns) {
            for (column, map) in line.iter().enumerate() {
                let x = EDGE + column as u32 * (EDGE + 8 * side + GAP);
                boards.push(Board { x, y: y + ABOVE, title: &map.title, tiles: tiles(map, side) });
            }
            y += ABOVE + 8 * side + UNDER;
        }
        y += ROW_GAP;
    }
    let files = File::ALL.map(|file| (side * u32::from(file) + side / 2, file.char()));
    let ranks = Rank::ALL.map(|rank| (side * (7 - u32::from(rank)) + side / 2 + 3, rank.char()));
    let picture = Picture {
        width: WIDTH,
        height: y + LEGEND,
        side,
        names,
        boards,
        files,
        ranks,
        legend: Legend::new(y),
    };
    picture.render().expect("writing to a string succeeds")
}

/// The side of a square with `columns` boards side by side. No gap follows the last board.
fn side(columns: usize) -> u32 {
    (((WIDTH + GAP) / columns as u32 - EDGE - GAP) / 8).min(MAX_SIDE)
}

fn tiles(map: &HeatMap, side: u32) -> Vec<Tile> {
    let tile = |square: Square| {
        let share = map.shares[usize::from(square)];
        let color = color(share).unwrap_or_else(|| NEVER[usize::from(square.is_dark())].to_owned());
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        Tile { x: side * file, y: side * (7 - rank), color, name: format!("{square} {}", percent(share)) }
    };
    Square::ALL.into_iter().map(tile).collect()
}

/// The colour of a share; `None` for 0.
fn color(share: f64) -> Option<String> {
    // The share is NaN if there are no games.
    if share.is_nan() || share <= 0.0 {
        return None;
    }
    let depth = (1.0 + share.portable_log10() / f64::from(DECADES)).clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (depth as usize).min(RAMP.len() - 2);
    let part = depth - below as f64;
    let mix = |channel: usize| {
        let (from, to) = (f64::from(RAMP[below][channel]), f64::from(RAMP[below + 1][channel]));
        (from + part * (to - from)).round() as u8
    };
    Some(format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2)))
}

/// A share in percent with one decimal, or with more if all digits would be zeros.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent.is_nan() || percent <= 0.0 {
        "0%".to_owned()
    } else if percent < 0.1 {
        let digits = (-percent.portable_log10()).ceil().min(9.0) as usize;
        format!("{percent:.digits$}%")
    } else {
        format!("{percent:.1}%")
    }
}

struct Label<'a> {
    x: u32,
    y: u32,
    text: &'a str,
}

/// A map with the position of the top left corner of its board.
struct Board<'a> {
    x: u32,
    y: u32,
    title: &'a str,
    tiles: Vec<Tile>,
}

/// A square of a board.
struct Tile {
    x: u32,
    y: u32,
    color: String,
    /// The tooltip.
    name: String,
}

/// The legend: the scale, and a square for 0 next to it.
struct Legend {
    x: u32,
    y: u32,
    never: &'static str,
    nothing: u32,
    start: u32,
    length: u32,
    step: u32,
    steps: Vec<(u32, String)>,
    ticks: Vec<(u32, String)>,
}

impl Legend {
    fn new(y: u32) -> Legend {
        let step = SCALE / STEPS;
        let share = |part: f64| 10_f64.portable_powf(f64::from(DECADES) * (part - 1.0));
        let paint = |index: u32| {
            let color = color(share((f64::from(index) + 0.5) / f64::from(STEPS))).unwrap_or_default();
            (SCALE_START + step * index, color)
        };
        let tick = |power: u32| {
            let share = share(f64::from(power) / f64::from(DECADES));
            (SCALE_START + SCALE * power / DECADES, format!("{}%", (1000.0 * share).round() / 10.0))
        };
        Legend {
            x: EDGE,
            y: y + 6,
            never: NEVER[0],
            nothing: NOTHING_START,
            start: SCALE_START,
            length: SCALE,
            step,
            steps: (0..STEPS).map(paint).collect(),
            ticks: (0..=DECADES).map(tick).collect(),
        }
    }
}

#[derive(Template)]
#[template(path = "heat_map.svg", escape = "html")]
struct Picture<'a> {
    width: u32,
    height: u32,
    /// The side of a square.
    side: u32,
    names: Vec<Label<'a>>,
    boards: Vec<Board<'a>>,
    files: [(u32, char); 8],
    ranks: [(u32, char); 8],
    legend: Legend,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(title: &str, shares: [f64; 64]) -> HeatMap {
        HeatMap { title: title.to_owned(), shares }
    }

    #[test]
    fn a_larger_share_is_darker_down_to_a_thousandth() {
        assert_eq!(color(0.0), None);
        assert_eq!(color(f64::NAN), None);
        assert_eq!(color(1.0).as_deref(), Some("#1b2332"));
        assert_eq!(color(2.0), color(1.0));
        assert_eq!(color(0.001).as_deref(), Some("#d3eaf9"));
        assert_eq!(color(1e-7), color(0.001));
        // The middle of three decades, and of nine colours.
        assert_eq!(color(10_f64.portable_powf(-1.5)).as_deref(), Some("#3381c7"));
    }

    #[test]
    fn shares_are_shown_in_percent() {
        for (share, text) in [
            (0.307, "30.7%"),
            (1.0, "100.0%"),
            (0.001, "0.1%"),
            (0.0004, "0.04%"),
            (0.00001, "0.001%"),
            (0.0, "0%"),
            (f64::NAN, "0%"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn boards_are_seen_from_whites_side() {
        let mut shares = [0.0; 64];
        shares[usize::from(Square::C1)] = 0.307;
        let rows = [("a & <b>".to_owned(), vec![map("kings <&>", shares), map("queens", shares)])];
        let svg = heat_maps(&rows);
        assert!(svg.starts_with("<svg class=\"plot\" viewBox=\"0 0 860 "), "{svg}");
        assert!(!svg.contains("<b>") && !svg.contains("<&>"), "titles are escaped: {svg}");
        assert_eq!(svg.matches("<title>").count(), 128);
        // The third file, and the lowest of the eight ranks.
        let square = format!(
            "<rect x=\"64\" y=\"224\" width=\"32\" height=\"32\" fill=\"{}\"><title>c1 30.7%</title>",
            color(0.307).unwrap()
        );
        assert_eq!(svg.matches(&square).count(), 2, "{svg}");
        for tick in [">0.1%<", ">1%<", ">10%<", ">100%<"] {
            assert_eq!(svg.matches(tick).count(), 1, "{tick} in {svg}");
        }
    }

    #[test]
    fn maps_stay_within_the_width() {
        for number in [0, 1, 6, 8, 20] {
            let maps: Vec<HeatMap> = (0..number).map(|_| map("x", [0.5; 64])).collect();
            let svg = heat_maps(&[(String::new(), maps)]);
            let ends = svg.match_indices("<g transform=\"translate(").filter_map(|(at, start)| {
                svg[at + start.len()..].split_once(' ').and_then(|(x, _)| x.parse::<u32>().ok())
            });
            let side = side(number.clamp(1, MAX_BOARDS));
            assert!(ends.max().is_some_and(|x| x + 8 * side <= WIDTH), "{number}");
        }
    }
}
