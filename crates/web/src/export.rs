//! Files of positions: the page sends the games of the boards that its user has kept.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    extract::{Request, State},
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use entente::records::{Exercise, Provenance, fen, pgn::pgn};
use entente_constraint::Constraint;
use entente_exercises::{Annotated, Annotator, anki, heading, problem};
use entente_render::{PerPage, Sheet};
use entente_search::Game;
use entente_tools::{MOST_MOVES, Refusal, StopOnDrop, game, position};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::Chess;
use tokio::task;

use crate::{body::json, reply::Refused, server::Server};

/// The most positions of a file.
const MOST: usize = 500;
/// The highest rating.
const HIGHEST_RATING: u16 = 4000;
/// The most characters of a title.
const LONGEST_TITLE: usize = 200;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    format: Format,
    title: Option<String>,
    positions: Vec<Position>,
    #[serde(default)]
    per_page: Boards,
    #[serde(default = "yes")]
    has_games: bool,
}

fn yes() -> bool {
    true
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Pgn,
    Study,
    Html,
    Pdf,
    Anki,
    Fen,
}

/// The number of boards on a page of a worksheet.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "u8")]
struct Boards(Option<PerPage>);

impl TryFrom<u8> for Boards {
    type Error = String;

    fn try_from(number: u8) -> Result<Boards, String> {
        match number {
            6 => Ok(Boards(Some(PerPage::Six))),
            12 => Ok(Boards(Some(PerPage::Twelve))),
            _ => Err(format!("per_page: expected 6 or 12, found {number}")),
        }
    }
}

/// A position with its game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    root: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    constraint: String,
    #[serde(default)]
    seed: u64,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
}

/// What clients are told of [`Asked`].
pub(crate) fn schema() -> Value {
    let rating = json!({ "type": "integer", "minimum": 1, "maximum": HIGHEST_RATING });
    json!({
        "type": "object",
        "required": ["format", "positions"],
        "additionalProperties": false,
        "properties": {
            "format": { "type": "string", "enum": ["pgn", "study", "html", "pdf", "anki", "fen"] },
            "title": { "type": "string", "maxLength": LONGEST_TITLE, "description": "The heading of a worksheet" },
            "per_page": { "type": "integer", "enum": [6, 12], "description": "Boards on a page of a worksheet" },
            "has_games": { "type": "boolean", "description": "Whether the games are part of the solutions" },
            "positions": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST,
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                        "root": { "type": "string", "description": "The FEN of the position in which the game starts" },
                        "moves": { "type": "array", "maxItems": MOST_MOVES, "items": { "type": "string" } },
                        "constraint": { "type": "string" },
                        "seed": { "type": "integer", "minimum": 0 },
                        "white_elo": rating,
                        "black_elo": rating,
                    },
                },
            },
        },
    })
}

/// Answers `POST /api/export`.
pub(crate) async fn answer(State(server): State<Server>, request: Request) -> Result<Response, Refused> {
    let headers = request.headers().clone();
    let asked: Asked = serde_json::from_value(json(request).await?)
        .map_err(|error| Refused::new(StatusCode::BAD_REQUEST, error.to_string()))?;
    check(&asked)?;
    let mut place = server.join(&headers)?;
    place.turn().await;
    let stop = Arc::new(AtomicBool::new(false));
    let _stop = StopOnDrop(Arc::clone(&stop));
    let format = asked.format;
    let work = move || {
        // Kept until the work ends, also if no one waits any more.
        let _place = place;
        let boards: Vec<Board> = asked.positions.iter().map(board).collect::<Result<_, _>>()?;
        write(&asked, &boards, &stop)
    };
    let written = task::spawn_blocking(work).await;
    // A panic, which the hook has reported on standard error.
    let panicked = |_| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "the program failed on this call");
    let bytes = written.map_err(panicked)??;
    let (name, media_type) = match format {
        Format::Pgn => ("games.pgn", "application/vnd.chess-pgn; charset=utf-8"),
        Format::Study => ("study.pgn", "application/vnd.chess-pgn; charset=utf-8"),
        Format::Html => ("worksheet.html", "text/html; charset=utf-8"),
        Format::Pdf => ("worksheet.pdf", "application/pdf"),
        Format::Anki => ("cards.tsv", "text/tab-separated-values; charset=utf-8"),
        Format::Fen => ("positions.fen", "text/plain; charset=utf-8"),
    };
    // As a file even for a page: it must not run with the rights of the page that asked.
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(([(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

/// A position whose game has been replayed.
struct Board {
    game: Game,
    context: Provenance,
    ratings: [Option<u16>; 2],
}

/// Checks what can be checked at once.
fn check(asked: &Asked) -> Result<(), Refusal> {
    let count = asked.positions.len();
    if !(1..=MOST).contains(&count) {
        return Err(Refusal::of("positions", format!("expected 1 to {MOST} positions, found {count}")));
    }
    if asked.title.as_ref().is_some_and(|title| title.chars().count() > LONGEST_TITLE) {
        return Err(Refusal::of("title", format!("expected at most {LONGEST_TITLE} characters")));
    }
    for position in &asked.positions {
        let plies = position.moves.len();
        if plies > MOST_MOVES {
            return Err(Refusal::of("moves", format!("expected at most {MOST_MOVES} moves, found {plies}")));
        }
        for (name, rating) in [("white_elo", position.white_elo), ("black_elo", position.black_elo)] {
            if let Some(rating) = rating.filter(|rating| !(1..=HIGHEST_RATING).contains(rating)) {
                return Err(Refusal::of(name, format!("expected 1 to {HIGHEST_RATING}, found {rating}")));
            }
        }
    }
    Ok(())
}

/// Replays a game.
fn board(asked: &Position) -> Result<Board, Refusal> {
    let root = asked.root.as_ref().map(|text| position("root", text)).transpose()?.unwrap_or_default();
    // In its normal form, so that nothing but a constraint is written.
    let constraint = match asked.constraint.trim() {
        "" => String::new(),
        text => {
            let constraint: Result<Constraint, _> = text.parse();
            constraint.map_err(|error| Refusal::of("constraint", error))?.to_string()
        }
    };
    let context = Provenance { root: root.clone(), constraint, seed: asked.seed, ..Provenance::of_program() };
    let game = game(root, asked.moves.iter().map(String::as_str))?;
    Ok(Board { game, context, ratings: [asked.white_elo, asked.black_elo] })
}

impl Board {
    fn exercise(&self, number: u64, has_game: bool) -> Exercise<'_> {
        Exercise {
            number,
            root: self.game.root(),
            moves: if has_game { self.game.moves() } else { &[] },
            position: self.game.position(),
            ratings: self.ratings,
            caveat: None,
            solution: None,
            wrong_try: None,
            puzzle: None,
        }
    }
}

/// The bytes of the file.
fn write(asked: &Asked, boards: &[Board], stop: &AtomicBool) -> Result<Vec<u8>, Refusal> {
    let plain = |write: fn(u64, &Board) -> String| {
        let texts = boards.iter().zip(1..).map(|(board, number)| write(number, board));
        Ok(texts.collect::<String>().into_bytes())
    };
    match asked.format {
        Format::Fen => plain(|_, board| format!("{}\n", fen(board.game.position()))),
        Format::Pgn => plain(|number, board| {
            pgn(&board.context, number, board.game.moves(), board.game.position(), None)
        }),
        Format::Study => solved(asked, boards, stop, |exercise, board| exercise.study(&board.context)),
        Format::Anki => solved(asked, boards, stop, |exercise, _| anki(exercise)),
        Format::Html | Format::Pdf => {
            let mut problems = Vec::new();
            solved(asked, boards, stop, |exercise, _| {
                problems.push(problem(exercise));
                String::new()
            })?;
            let constraint = boards.first().map_or("", |board| &board.context.constraint);
            let is_shared = boards.iter().all(|board| board.context.constraint == constraint);
            let title = asked.title.as_deref().map(|title| title.replace(char::is_control, " "));
            let title = title.filter(|title| !title.trim().is_empty());
            let usual = (!is_shared || constraint.is_empty()).then_some("Chess positions");
            let (title, lead) = heading(title.as_deref().or(usual), constraint);
            let per_page = asked.per_page.0.unwrap_or(PerPage::Six);
            let sheet = Sheet { title, lead, problems, per_page, paper: None, command: String::new() };
            match asked.format {
                Format::Pdf => sheet.pdf().map_err(Refusal::failure),
                _ => Ok(sheet.html().into_bytes()),
            }
        }
    }
}

/// The texts of all positions, solved.
fn solved(
    asked: &Asked,
    boards: &[Board],
    stop: &AtomicBool,
    mut write: impl FnMut(&Exercise<'_>, &Board) -> String,
) -> Result<Vec<u8>, Refusal> {
    let positions = boards.iter().map(|board| board.game.position());
    let mut annotator = Annotator::for_positions(positions, stop).map_err(Refusal::failure)?;
    let mut texts = String::new();
    for (board, number) in boards.iter().zip(1..) {
        if stop.load(Ordering::Relaxed) {
            return Err(Refusal::failure("the call was cancelled"));
        }
        let position: &Chess = board.game.position();
        let annotated: Annotated = annotator
            .annotate(position, board.game.moves().last().copied(), board.ratings)
            .map_err(Refusal::failure)?;
        texts += &write(&annotated.exercise(board.exercise(number, asked.has_games)), board);
    }
    Ok(texts.into_bytes())
}
