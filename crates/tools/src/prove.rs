//! The tool `prove`: a game that leads to a diagram, or the reason why there is none.

use std::{sync::Mutex, time::Duration};

use entente::{
    engine::{GamesWanted, ProofWanted, Verdict},
    records::pgn::movetext,
    settings::{Kind, Row, Setting},
};
use entente_constraint::counted;
use entente_search::proof::ProblemLine;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Move};

use crate::{
    Refusal,
    arguments::Arguments,
    call::{Call, Report},
    parameter::{Inputs, Parameter},
    proof_in_words::in_words,
    tool::{Answer, Tool},
};

/// The most games of a call, so that the answer fits what a model reads.
const MOST_GAMES: u64 = 100;

/// The settings that matter for games to a whole diagram.
const SETTINGS: [Setting; 9] = [
    Setting::Elo,
    Setting::WhiteElo,
    Setting::BlackElo,
    Setting::RatingScale,
    Setting::Realism,
    Setting::Seed,
    Setting::Threads,
    Setting::MaxPlies,
    Setting::Nodes,
];

fn of_proofs(row: &Row) -> bool {
    SETTINGS.iter().any(|setting| setting.row().name == row.name)
}

pub(crate) const TOOL: Tool = Tool {
    name: "prove",
    title: "Find a proof game",
    help: "Says whether a chess diagram is legal: finds a game from the initial position that leads to it, or says why \
           there is none. Use it to check a FEN that you did not get from 'generate'. With 'shortest' it finds a \
           shortest game and proves that none is shorter.",
    inputs: Inputs {
        parameters: &[
            Parameter::required(
                "diagram",
                Kind::Text,
                "The piece placement of a FEN; the side to move, castling rights and en passant square may follow, each may \
             be '?'",
            ),
            Parameter::optional(
                "shortest",
                Kind::Switch,
                "Whether to find a shortest game, with proof that none is shorter [default: false]",
            ),
            Parameter::optional(
                "solutions",
                Kind::Integer { least: 1, most: MOST_GAMES },
                "Up to how many shortest games to find; 2 says whether the shortest game is the only one",
            ),
            Parameter::optional(
                "plies",
                Kind::Integer { least: 0, most: GamesWanted::MAX_PLIES as u64 },
                "The exact length of the game in plies (half-moves)",
            ),
        ],
        settings: of_proofs,
    },
    is_long: true,
    reported: None,
    draws: false,
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let diagram =
        arguments.text("diagram").ok_or_else(|| Refusal::of("diagram", "expected a text, found nothing"))?;
    let problem = ProblemLine::parse(diagram)
        .map_err(|error| Refusal::of("diagram", format!("{error}; found {diagram:?}")))?;
    let is_shortest = arguments.switch("shortest").unwrap_or(false);
    let number = |name: &str| arguments.number(name).and_then(|number| u32::try_from(number).ok());
    if is_shortest && number("plies").is_some() {
        return Err(Refusal::of("plies", "expected shortest or plies, found both"));
    }
    let games = GamesWanted::of(false, is_shortest, number("solutions"), number("plies"));
    let time = Duration::from_secs(arguments.seconds());
    let settings = arguments.settings.clone().changed(|settings| {
        settings.seed = Some(settings.seed.unwrap_or(1));
        settings.movetime = u64::try_from(time.as_millis()).ok();
        settings.threads = 1;
    });
    let mut wanted = ProofWanted::new(problem.problem, games, settings);
    wanted.threads = arguments.settings.threads as usize;
    wanted.time = Some(time);
    // The lower bound and the length found grow and shrink; reports must grow.
    let least = Mutex::new(0);
    let progress = |plies: Option<u32>, found: Option<u32>| {
        let Ok(mut least) = least.lock() else { return };
        let message = match (plies, found) {
            (Some(plies), _) if plies > *least => {
                *least = plies;
                format!("every game has at least {}", counted(plies, "ply", "plies"))
            }
            (_, Some(found)) => format!("found one of {}", counted(found, "ply", "plies")),
            _ => return,
        };
        call.report(Report::Progress { done: u64::from(*least), total: None, message });
    };
    let mut engine = call.own_engine();
    let proof = engine
        .prove(&wanted, &call.stop, &|step, found| progress(step.map(|step| step.plies), found))
        .map_err(Refusal::failure)?;
    call.keep(&engine);
    let (rule, reason) = match &proof.verdict {
        Verdict::Illegal { rule, reason } => (Some(*rule), Some(reason.clone())),
        _ => (None, None),
    };
    let is_searched = matches!(games, GamesWanted::Shortest(_)) && !proof.verdict.is_illegal();
    let text = in_words(games, &proof, "a search for the shortest game");
    let value = json!({
        "diagram": diagram.trim(),
        "outcome": proof.verdict.word(),
        "is_decided": proof.is_decided(games),
        "plies": proof.games.first().map(Vec::len),
        "at_least": is_searched.then_some(proof.at_least),
        "are_all_games": games.are_counted().then_some(proof.is_all),
        "games": proof.games.iter().map(|game| game_of(game)).collect::<Vec<_>>(),
        "rule": rule,
        "squares": proof.verdict.squares().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "reason": reason,
        "text": text,
        "seconds": (proof.time.as_secs_f64() * 1e3).round() / 1e3,
    });
    Ok(Answer::new(value, text.trim_end().to_owned()))
}

fn game_of(game: &[Move]) -> Value {
    let moves: Vec<String> = game.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
    json!({ "moves": moves, "game": movetext(&Chess::default(), game) })
}
