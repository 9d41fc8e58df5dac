//! The tool `generate`: legal positions that satisfy a constraint.

use std::sync::atomic::Ordering;

use entente::{
    generation::{Generation, Outcome, Quota, Request, Series},
    judge::endings::endings_of,
    records::{Provenance, Record, fen, pgn::movetext},
    settings::{Kind, Row},
};
use entente_constraint::counted;
use serde_json::{Value, json};

use crate::{
    Refusal,
    arguments::Arguments,
    call::{Call, Report},
    parameter::{Inputs, Parameter},
    tool::{Answer, Tool},
};

/// The most positions of a call, so that the answer fits what a model reads and a page shows.
const MOST: u64 = 100;

fn any(_: &Row) -> bool {
    true
}

pub(crate) const TOOL: Tool = Tool {
    name: "generate",
    title: "Generate chess positions",
    help: "Generates legal chess positions that satisfy a constraint, each with the game that leads to it, played as \
           people play. Use it whenever you need a chess position of a certain kind, and for exercises, instead of \
           making up a FEN.",
    inputs: Inputs {
        parameters: &[
            Parameter::required(
                "constraint",
                Kind::Text,
                "What the position must satisfy, such as 'Q=0 q=0 R-r=1' or 'material=KRPvKR turn=white'",
            ),
            Parameter::optional(
                "count",
                Kind::Integer { least: 1, most: MOST },
                "How many positions [default: 1]",
            ),
            Parameter::optional(
                "from",
                Kind::Text,
                "The FEN of the position from which the games start [default: the initial position]",
            ),
            Parameter::optional(
                "distinct",
                Kind::Switch,
                "Whether all positions must be different [default: true]",
            ),
        ],
        settings: any,
    },
    is_long: true,
    reported: Some("positions"),
    draws: false,
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, Refusal> {
    let target = arguments
        .target("constraint")?
        .ok_or_else(|| Refusal::of("constraint", "expected a text, found nothing"))?;
    let root = arguments.position("from")?.unwrap_or_default();
    let count = arguments.number("count").unwrap_or(1);
    let mut request = Request::new(target, arguments.settings.clone()).from_root(root);
    if request.target.is_judged() {
        let wanted = endings_of(&request.target, &request.root);
        if !wanted.is_empty() {
            let names: Vec<String> = wanted.iter().map(ToString::to_string).collect();
            let message =
                format!("reading the exact table of {}; made once, which may take minutes", names.join(", "));
            call.report(Report::Progress { done: 0, total: Some(count), message });
        }
        request = request.with_endings(Some(call.endings(&wanted)?));
    }
    let job = call.engine().job(&request).map_err(Refusal::failure)?;
    let mut quota = Quota::new(count, request.settings.threads as usize);
    quota.distinct = arguments.switch("distinct").unwrap_or(true);
    let context = Provenance::of(&job);
    call.report(Report::Part(
        "started",
        json!({ "seed": context.seed, "method": context.method, "notes": job.notes }),
    ));
    let mut found: Vec<Found> = Vec::new();
    let (mut missing, mut is_complete): (u64, bool) = (0, false);
    let series = Series::new(&request, job);
    let job = series.job();
    let end = series.run(quota, &call.stop, |generation| {
        if generation.outcome == Outcome::Found {
            let position = Found::new(&context, found.len() as u64 + 1, &generation);
            call.report(Report::Part("position", position.record.clone()));
            found.push(position);
        } else if !call.is_stopped() {
            missing += 1;
        }
        let number = found.len() as u64;
        let mut message = format!("{} found", counted(number, "position", "positions"));
        if missing > 0 {
            message += &format!(", {missing} not found");
        }
        call.report(Report::Progress { done: number + missing, total: Some(count), message });
        if number + missing >= count {
            // The other threads work on positions that are not needed any more.
            is_complete = true;
            call.stop.store(true, Ordering::Relaxed);
        }
    });
    end.map_err(Refusal::failure)?;
    let is_cut = call.is_stopped() && !is_complete;
    let why = match (is_cut, missing) {
        (true, _) => Some(format!("it was stopped, or its time of {} s was over", arguments.seconds())),
        (false, 0) if (found.len() as u64) < count => {
            Some("no more different positions were found".to_owned())
        }
        (false, 0) => None,
        (false, _) => {
            Some(format!("{missing} not found within the usual effort, so the constraint may be rare"))
        }
    };
    let mut text = format!("{} of {count} found, seed {}", found.len(), job.seed);
    if let Some(why) = &why {
        text += &format!("; {why}");
    }
    for (number, Found { fen, plies, game, .. }) in found.iter().enumerate() {
        text +=
            &format!("\n\n{}. {fen}\n{} from the start: {game}", number + 1, counted(*plies, "ply", "plies"));
    }
    for note in &job.notes {
        text += &format!("\n\nNote: {note}");
    }
    let value = json!({
        "constraint": context.constraint,
        "method": context.method,
        "seed": context.seed,
        "asked": count,
        "found": found.len(),
        "missing": missing,
        "is_cut": is_cut,
        "why": why,
        "notes": job.notes,
        "positions": found.into_iter().map(|found| found.record).collect::<Vec<_>>(),
    });
    Ok(Answer::new(value, text))
}

/// A position that was found.
struct Found {
    fen: String,
    plies: u64,
    /// In SAN.
    game: String,
    record: Value,
}

impl Found {
    fn new(context: &Provenance, number: u64, generation: &Generation) -> Found {
        let game = movetext(&context.root, &generation.moves);
        let record = Record::new(context, generation);
        let exercise = context.exercise(number, generation, None);
        let mut value = json!({
            "number": number,
            "constraint": record.constraint,
            "seed": record.seed,
            "fen": record.fen,
            "root": record.root,
            "plies": record.plies,
            "moves": record.moves,
            "game": game,
            "task": exercise.task(),
        });
        if let Some(policy) = &record.policy {
            value["delivered_by"] = json!(policy.delivered_by);
            value["white_elo"] = json!(policy.white_elo);
            value["black_elo"] = json!(policy.black_elo);
        }
        if let Some(caveat) = exercise.caveat {
            value["caveat"] = caveat.into();
        }
        if let Some(centipawns) = record.centipawns {
            value["centipawns"] = centipawns.into();
        }
        if let Some(puzzle) = &record.puzzle {
            value["puzzle_rating"] = puzzle.puzzle_rating.into();
            value["puzzle_error"] = puzzle.puzzle_error.into();
        }
        Found { fen: fen(&generation.position).to_string(), plies: record.plies as u64, game, record: value }
    }
}
