//! The tool `play`: a move against a person.

use std::time::{Duration, Instant};

use entente::{
    engine::Event,
    play::Strength,
    records::fen,
    settings::{Kind, PlaySettings, PlayerSettings},
};
use entente_search::{Game, Limits, SearchRequest, TimeBudget, Timer};
use serde_json::json;
use shakmaty::{Color, Move, Position as _, san::SanPlus};

use crate::{
    Refusal,
    arguments::Arguments,
    call::Call,
    game::{MOVES, ROOT, game_of},
    parameter::{Inputs, Parameter, no_settings},
    tool::{Answer, Tool},
};

/// The most milliseconds for a move.
const MOST_TIME: u64 = 30_000;
/// The milliseconds for a move, unless they are given.
const USUAL_TIME: u64 = 1000;

pub(crate) const TOOL: Tool = Tool {
    name: "play",
    title: "Play a move",
    help: "Plays a move in a chess game, as a person of a rating would, or as well as it can.",
    inputs: Inputs {
        parameters: &[
            ROOT,
            MOVES,
            Parameter::optional(
                "elo",
                Kind::Integer { least: Strength::WEAKEST as u64, most: Strength::STRONGEST as u64 },
                "The rating to play at [default: full strength]",
            ),
            Parameter::optional(
                "time",
                Kind::Integer { least: 10, most: MOST_TIME },
                "The time for the move, in milliseconds [default: 1000]",
            ),
        ],
        settings: no_settings,
    },
    is_long: false,
    reported: None,
    draws: false,
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let mut game = game_of(arguments)?;
    if let Some((winner, reason)) = game.end() {
        let result = result_of(winner);
        let value = json!({
            "move": null, "san": null, "fen": fen(game.position()).to_string(), "result": result, "reason": reason,
        });
        return Ok(Answer::new(value, format!("The game is over: {result}, {reason}")));
    }
    let m = chosen(&game, arguments, call)?;
    let played = SanPlus::from_move(game.position().clone(), m).to_string();
    let uci = m.to_uci(game.position().castles().mode()).to_string();
    game.play(m);
    let end = game.end();
    let result = end.map_or("*", |(winner, _)| result_of(winner));
    let reason = end.map(|(_, reason)| reason);
    let text = reason.map_or_else(|| played.clone(), |reason| format!("{played}: {result}, {reason}"));
    let after = fen(game.position()).to_string();
    let value = json!({ "move": uci, "san": played, "fen": after, "result": result, "reason": reason });
    Ok(Answer::new(value, text))
}

/// The move that the engine plays.
fn chosen(game: &Game, arguments: &Arguments, call: &Call) -> Result<Move, Refusal> {
    let mut play = PlaySettings::default();
    if let Some(elo) = arguments.number("elo").and_then(|elo| u32::try_from(elo).ok()) {
        (play.limit_strength, play.play_elo) = (true, elo);
    }
    let time = Duration::from_millis(arguments.number("time").unwrap_or(USUAL_TIME));
    let timer = Timer::unlimited();
    timer.set(Instant::now(), TimeBudget { soft: time, hard: time });
    let request = SearchRequest::best_of(game.position().legal_moves().to_vec());
    let limits = Limits { timer: Some(&timer), ..Limits::until(&call.stop) };
    let settings = PlayerSettings { generation: &arguments.settings, play: &play };
    let mut engine = call.own_engine();
    // Not stored before the search is over, because other calls wait for the shared engine.
    let mut fault = None;
    let mut tell = |event: Event| {
        if let Event::Error(text) = event {
            fault = Some(text);
        }
    };
    let lines = engine.best_lines(game, &request, settings, limits, &mut tell, &mut |_| ());
    call.keep(&engine);
    let first = lines.first().and_then(|line| line.moves.first().copied());
    match (first, fault) {
        (Some(m), None) => Ok(m),
        (_, Some(fault)) => Err(Refusal::failure(fault)),
        (None, None) => Err(Refusal::failure("the engine found no move in this time")),
    }
}

/// The result as in PGN.
fn result_of(winner: Option<Color>) -> &'static str {
    winner.map_or("1/2-1/2", |winner| winner.fold_wb("1-0", "0-1"))
}
