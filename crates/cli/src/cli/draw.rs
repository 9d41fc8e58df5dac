//! `entente draw`: a position as an image.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use entente::records::{fen, write_board};
use entente_constraint::Situation;
use shakmaty::{Color, Position, uci::UciMove};

use super::{FOUND, definitions::DefinitionsFile, position, print, sink::Sink, words};
use entente_render::{Drawing, png};

/// Draw a position as text, or as SVG or PNG with --output.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente draw \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1\"
  entente draw \"6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1\" --output mate.png --constraint \"checkmate N@f7\" --last-move h6f7
      Frame the squares that the constraint names and the mated king, and tint the squares of the last move
  entente draw \"8/8/8/8/8/8/8/K1k5 w - -\" --output board.svg --size 256 --bottom black --no-coordinates")]
pub(super) struct Arguments {
    /// The FEN of the position
    fen: String,
    /// The image file, .svg or .png; "-" writes SVG to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, help = format!("Width and height in pixels, 16 to {}", Drawing::MAX_SIZE),
        default_value_t = Drawing::DEFAULT_SIZE, requires = "output",
        value_parser = words::number::<u32>(16..=Drawing::MAX_SIZE.into()))]
    size: u32,
    /// The side at the bottom
    #[arg(long, value_enum, default_value_t = Side::White, requires = "output")]
    bottom: Side,
    /// Tint the two squares of the last move, such as g1f3
    #[arg(long, value_name = "MOVE", requires = "output")]
    last_move: Option<UciMove>,
    /// If the position satisfies this constraint, frame the squares that it names and the mated king
    #[arg(long, allow_hyphen_values = true, requires = "output")]
    constraint: Option<String>,
    #[command(flatten)]
    definitions: DefinitionsFile,
    /// Leave out the coordinates
    #[arg(long, requires = "output")]
    no_coordinates: bool,
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

/// Runs `entente draw` and returns its exit status.
///
/// # Errors
/// Wrong input, and images that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let position = position("the position", &arguments.fen)?;
    let constraint =
        arguments.constraint.as_deref().map(|text| arguments.definitions.parse(text)).transpose();
    let constraint = constraint.context("--constraint")?;
    let Some(output) = &arguments.output else {
        let mut text = String::new();
        write_board(&mut text, &position)?;
        print(&text)?;
        return Ok(FOUND);
    };
    let mut drawing = Drawing::new(position.board(), fen(&position).to_string());
    drawing.size = arguments.size;
    drawing.coordinates = !arguments.no_coordinates;
    drawing.bottom = if arguments.bottom == Side::White { Color::White } else { Color::Black };
    if let Some(m) = arguments.last_move {
        match (m.from(), m.to()) {
            (Some(from), Some(to)) if from != to => drawing.last_move = Some((from, to)),
            _ => bail!("--last-move {m}: expected two squares"),
        }
    }
    if let Some(constraint) = constraint {
        drawing.marked = constraint.named_squares(Situation::root(&position));
    }
    let svg = drawing.svg();
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("png") => write(output, &png(&svg)?)?,
        Some("svg") => write(output, svg.as_bytes())?,
        None if output == Path::new("-") => print(&svg)?,
        _ => bail!("--output {}: expected a file name that ends in .svg or .png", output.display()),
    }
    Ok(FOUND)
}

/// Writes a file completely or not at all.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut sink = Sink::open(Some(path))?;
    sink.write(bytes).with_context(|| format!("--output {}", path.display()))?;
    sink.finish()
}
