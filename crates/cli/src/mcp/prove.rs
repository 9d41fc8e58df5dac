//! The tool `prove`: a game that leads to a diagram, or the reason why there is none.

use std::{sync::Mutex, time::Duration};

use entente::{
    engine::{Engine, GamesWanted, ProofWanted, Verdict},
    records::pgn::movetext,
    settings::{Kind, Row, Setting},
};
use entente_constraint::counted;
use entente_search::proof::ProblemLine;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Move};

use super::{
    arguments::Arguments,
    call::{Call, Progress},
    parameter::{Inputs, Parameter},
    tool::{Answer, Tool},
};
use crate::proof_in_words::in_words;

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

pub(super) const TOOL: Tool = Tool {
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
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, String> {
    let diagram = arguments.text("diagram").ok_or("diagram: expected a text, found nothing")?;
    let problem = ProblemLine::parse(diagram).map_err(|error| format!("diagram {diagram:?}: {error}"))?;
    let is_shortest = arguments.switch("shortest").unwrap_or(false);
    let number = |name: &str| arguments.number(name).and_then(|number| u32::try_from(number).ok());
    if is_shortest && number("plies").is_some() {
        return Err("plies: expected shortest or plies, found both".to_owned());
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
        call.report(Progress { done: u64::from(*least), total: None, message });
    };
    // An engine of its own: the search takes long, and other calls wait for the shared one.
    let mut engine = Engine::default();
    engine.share_networks(&call.engine());
    let proof = engine
        .prove(&wanted, &call.stop, &|step, found| progress(step.map(|step| step.plies), found))
        .map_err(|error| error.to_string())?;
    call.engine().share_networks(&engine);
    let (rule, reason) = match &proof.verdict {
        Verdict::Illegal { rule, reason } => (Some(*rule), Some(reason.clone())),
        _ => (None, None),
    };
    let is_searched = matches!(games, GamesWanted::Shortest(_)) && !proof.verdict.is_illegal();
    let value = json!({
        "diagram": diagram.trim(),
        "outcome": proof.verdict.word(),
        "is_decided": proof.is_decided(games),
        "plies": proof.games.first().map(Vec::len),
        "at_least": is_searched.then_some(proof.at_least),
        "are_all_games": games.are_counted().then_some(proof.is_all),
        "games": proof.games.iter().map(|game| game_of(game)).collect::<Vec<_>>(),
        "rule": rule,
        "reason": reason,
        "seconds": (proof.time.as_secs_f64() * 1e3).round() / 1e3,
    });
    Ok(Answer::new(value, in_words(games, &proof, "'shortest'").trim_end().to_owned()))
}

fn game_of(game: &[Move]) -> Value {
    let moves: Vec<String> = game.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
    json!({ "moves": moves, "game": movetext(&Chess::default(), game) })
}
