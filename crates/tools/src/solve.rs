//! The tool `solve`: what to play in a position, and how hard that is to see.

use entente::{
    records::{Exercise, fen},
    settings::Kind,
};
use entente_exercises::Annotator;
use serde_json::{Value, json};
use shakmaty::{Move, Position as _};

use crate::{
    Refusal,
    arguments::Arguments,
    call::Call,
    game::{MOVES, ROOT, game_of},
    parameter::{Inputs, Parameter, no_settings},
    tool::{Answer, Tool},
};

pub(crate) const TOOL: Tool = Tool {
    name: "solve",
    title: "Solve a chess position",
    help: "Finds the best line in a chess position as far as it is forced, its evaluation and its themes, the most \
           tempting wrong move with its refutation, and the predicted rating of the position as a puzzle.",
    inputs: Inputs {
        parameters: &[
            Parameter::optional("fen", Kind::Text, "The FEN of the position, instead of a game"),
            ROOT,
            MOVES,
            Parameter::optional(
                "elo",
                Kind::Integer { least: 100, most: 3500 },
                "The rating of the solver, on which it depends which wrong moves are tempting [default: 1500]",
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
    let game = game_of(arguments)?;
    let given = arguments.position("fen")?;
    if given.is_some() && (arguments.text("root").is_some() || !game.moves().is_empty()) {
        return Err(Refusal::of("fen", "expected fen, or root and moves, found both"));
    }
    let position = given.as_ref().unwrap_or_else(|| game.position());
    let elo = arguments.number("elo").and_then(|elo| u16::try_from(elo).ok());
    let mut annotator =
        Annotator::for_positions([position].into_iter(), &call.stop).map_err(Refusal::failure)?;
    let annotated = annotator.annotate(position, game.moves().last().copied(), [elo; 2]);
    let annotated = annotated.map_err(Refusal::failure)?;
    let exercise = annotated.exercise(Exercise {
        number: 1,
        root: position,
        moves: &[],
        position,
        ratings: [elo; 2],
        caveat: None,
        solution: None,
        wrong_try: None,
        puzzle: None,
    });
    let (task, value, line, wrong) =
        (exercise.task(), exercise.value(), exercise.line(), exercise.wrong_line());
    let uci = |moves: &[Move]| -> Vec<String> {
        moves.iter().map(|m| m.to_uci(position.castles().mode()).to_string()).collect()
    };
    let solution = annotated.solution.as_ref();
    let themes = solution.map_or_else(Vec::new, |solution| solution.main_themes());
    let mut answer = json!({
        "fen": fen(position).to_string(),
        "task": task,
        "value": value,
        "line": line,
        "moves": solution.map_or_else(Vec::new, |solution| uci(&solution.moves)),
        "themes": themes.iter().map(|theme| theme.word()).collect::<Vec<_>>(),
        "wrong": (!wrong.is_empty()).then_some(&wrong),
        "wrong_moves": annotated.wrong_try.as_ref().map_or_else(Vec::new, |wrong| uci(&wrong.moves)),
    });
    if let Some(puzzle) = annotated.puzzle {
        answer["puzzle_rating"] = Value::from(puzzle.rating);
        answer["puzzle_error"] = Value::from(puzzle.error);
    }
    let parts = [format!("{task}: {value}"), line, wrong];
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    Ok(Answer::new(answer, text))
}
