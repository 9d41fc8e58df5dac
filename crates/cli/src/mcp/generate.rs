//! The tool `generate`: legal positions that satisfy a constraint.

use entente::{
    generation::{Generation, Outcome, Quota, Request, Series},
    judge::endings::endings_of,
    records::{Provenance, Record, fen, pgn::movetext},
    settings::{Kind, Row},
};
use entente_constraint::counted;
use serde_json::{Value, json};
use shakmaty::Chess;

use super::{
    arguments::Arguments,
    call::{Call, Progress},
    parameter::{Inputs, Parameter},
    tool::{Answer, Tool},
};

/// The most positions of a call, so that the answer fits what a model reads.
const MOST: u64 = 50;

fn any(_: &Row) -> bool {
    true
}

pub(super) const TOOL: Tool = Tool {
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
    run,
};

fn run(arguments: &Arguments, call: &Call) -> Result<Answer, String> {
    let target = arguments.target("constraint")?.ok_or("constraint: expected a text, found nothing")?;
    let root = arguments.position("from")?.unwrap_or_default();
    let count = arguments.number("count").unwrap_or(1);
    let mut request = Request::new(target, arguments.settings.clone()).from_root(root);
    if request.target.is_judged() {
        let wanted = endings_of(&request.target, &request.root);
        request = request.with_endings(Some(call.endings(&wanted)?));
    }
    let job = call.engine().job(&request).map_err(|error| error.to_string())?;
    let mut quota = Quota::new(count, request.settings.threads as usize);
    quota.distinct = arguments.switch("distinct").unwrap_or(true);
    let context = Provenance::of(&job);
    let mut found: Vec<Found> = Vec::new();
    let mut missing = 0;
    let series = Series::new(&request, job);
    let job = series.job();
    let end = series.run(quota, &call.stop, |generation| {
        if generation.outcome != Outcome::Found {
            missing += 1;
            return;
        }
        found.push(Found::new(&context, &job.root, &generation));
        let message = format!("{} found", counted(found.len() as u64, "position", "positions"));
        call.report(Progress { done: found.len() as u64, total: Some(count), message });
    });
    end.map_err(|error| error.to_string())?;
    let is_cut = call.is_stopped() && (found.len() as u64) < count;
    let mut text = format!("{} of {count} found, seed {}", found.len(), job.seed);
    text += &match (is_cut, missing) {
        (true, _) => format!("; the time of {} s was over, and 'seconds' allows more", arguments.seconds()),
        (false, 0) if (found.len() as u64) < count => "; no more different positions were found".to_owned(),
        (false, 0) => String::new(),
        (false, _) => format!("; {missing} not found within the usual effort, so the constraint may be rare"),
    };
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
        "out_of_time": is_cut,
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
    fn new(context: &Provenance, root: &Chess, generation: &Generation) -> Found {
        let game = movetext(root, &generation.moves);
        let record = Record::new(context, generation);
        let mut value =
            json!({ "fen": record.fen, "plies": record.plies, "moves": record.moves, "game": game });
        if let Some(policy) = &record.policy {
            value["delivered_by"] = json!(policy.delivered_by);
            value["white_elo"] = json!(policy.white_elo);
            value["black_elo"] = json!(policy.black_elo);
        }
        if let Some(centipawns) = record.centipawns {
            value["centipawns"] = centipawns.into();
        }
        if let Some(puzzle) = &record.puzzle {
            value["puzzle_rating"] = puzzle.puzzle_rating.into();
        }
        Found { fen: fen(&generation.position).to_string(), plies: record.plies as u64, game, record: value }
    }
}
