//! The tool `draw`: a position as an image.

use entente::{
    records::{fen, write_board},
    settings::{Kind, Word},
};
use entente_constraint::Situation;
use serde_json::json;
use shakmaty::{Color, Position as _, uci::UciMove};

use crate::{
    Refusal,
    arguments::Arguments,
    call::Call,
    parameter::{Inputs, Parameter, no_settings},
    tool::{Answer, Tool},
};
use entente_render::{Drawing, png};

/// The most pixels of a side: clients refuse large images.
const MAX_SIZE: u64 = 2048;

const fn word(word: &'static str) -> Word {
    Word { word, former: &[], help: "" }
}

pub(crate) const TOOL: Tool = Tool {
    name: "draw",
    title: "Draw a chess board",
    help: "Draws a chess position as an image (PNG or SVG).",
    inputs: Inputs {
        parameters: &[
            Parameter::required("fen", Kind::Text, "The FEN of the position"),
            Parameter::optional(
                "format",
                Kind::Word { words: &[word("png"), word("svg")], or_auto: false },
                "The type of the image [default: png]",
            ),
            Parameter::optional(
                "size",
                Kind::Integer { least: 16, most: MAX_SIZE },
                "Width and height in pixels [default: 512]",
            ),
            Parameter::optional(
                "bottom",
                Kind::Word { words: &[word("white"), word("black")], or_auto: false },
                "The side at the bottom [default: white]",
            ),
            Parameter::optional("last_move", Kind::Text, "A move whose squares are tinted, such as g1f3"),
            Parameter::optional(
                "constraint",
                Kind::Text,
                "If the position satisfies this constraint, the squares that it names are framed",
            ),
        ],
        settings: no_settings,
    },
    is_long: false,
    reported: None,
    draws: true,
    run,
};

fn run(arguments: &Arguments, _: &Call) -> Result<Answer, Refusal> {
    let position =
        arguments.position("fen")?.ok_or_else(|| Refusal::of("fen", "expected a text, found nothing"))?;
    let mut drawing = Drawing::new(position.board(), fen(&position).to_string());
    drawing.size =
        arguments.number("size").and_then(|size| u32::try_from(size).ok()).unwrap_or(Drawing::DEFAULT_SIZE);
    if arguments.text("bottom") == Some("black") {
        drawing.bottom = Color::Black;
    }
    if let Some(text) = arguments.text("last_move") {
        let squares = text.parse::<UciMove>().ok().and_then(|m| m.from().zip(m.to()));
        let squares = squares.filter(|(from, to)| from != to);
        let reason = || Refusal::of("last_move", format!("expected two squares, as in g1f3; found {text:?}"));
        drawing.last_move = Some(squares.ok_or_else(reason)?);
    }
    if let Some(constraint) = arguments.constraint("constraint")? {
        drawing.marked = constraint.named_squares(Situation::root(&position));
    }
    let svg = drawing.svg();
    let (bytes, mime) = match arguments.text("format") {
        Some("svg") => (svg.into_bytes(), "image/svg+xml"),
        _ => (png(&svg).map_err(Refusal::failure)?, "image/png"),
    };
    let mut text = String::new();
    write_board(&mut text, &position).map_err(Refusal::failure)?;
    let value = json!({ "fen": fen(&position).to_string(), "type": mime, "size": drawing.size });
    Ok(Answer { value, text, image: Some((bytes, mime)) })
}
