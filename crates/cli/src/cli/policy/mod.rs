//! `entente policy`: the policy's move probabilities in one position, or in many.

mod input;
mod many;
mod row;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};
use clap::Args;
use entente::{
    engine::Engine,
    generation::{
        DEFAULT_MAX_PLIES, Job, Plan, Quota, Request,
        policy::{Aims, Inquiry, Reach},
    },
    predictor::MovePredictor as _,
    settings::choices,
    skill::Skilled,
};
use entente_constraint::{Constraint, Situation, Target, guide::Guide, plies_before};
use entente_network::{
    Query,
    encoding::{
        goal_policy::{Aim, Context},
        moves::{AlphaZero, FromTo},
    },
};
use shakmaty::{Chess, Position as _};

use self::{
    input::{Entries, Input, Positions, Ratings},
    many::Format,
    table::Answers,
};
use super::{
    FOUND,
    flags::{PlayerFlags, choice},
    print, words,
};

/// Print the most likely moves of one position or of many, according to the policy network.
///
/// Of one position it prints a table. Each line has a move, its index in the encoding, and probabilities in percent.
/// "raw" is the output of the network, in which illegal moves have a share; "legal" is the same after the legality
/// mask. "skill", for networks that have a skill, adds a short search, as far as players of the rating see what it
/// finds.
///
/// With a constraint there are three more columns. "one-ply" is the probability after the reachability mask of one ply
/// (the constraint stays within reach), and "two-ply" after that of two plies (the other side also has a reply that
/// keeps it within reach). "met" is the probability that the game satisfies the constraint in time after the move.
///
/// The positions of a file give JSON lines or Parquet, a row for each position, in their order. The file has a FEN or
/// an EPD per line, an object of JSON per line, or games in PGN. An object has the key "fen", or "moves" (UCI notation,
/// from "root" or the initial position), and may have "id", "elo", "white_elo" and "black_elo"; the output of
/// `generate` and `dataset` will do. Networks that see past positions see those of the game. Rows have the keys number
/// (of the line or game), id, ply, fen, white_elo, black_elo, moves and their probabilities, played (the move that was
/// played), surprise (−ln of its probability), win, draw and loss (probabilities for the mover), and met.
/// docs/policy.md describes them. After Ctrl-C the rows so far are written, and the exit status is 130.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente policy startpos
      The first move of a game
  entente policy startpos --elo 1100 --moves 5
      The same for players rated 1100
  entente policy \"4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1\" --elo 2200 --skill false
      The network alone, which does not see where the queen can be captured
  entente policy \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3\" --constraint \"black(1,2,2,2,7)\"
      The next move of a game in which Black loses one pawn and nothing else
  entente policy games.pgn --output surprise.parquet
      What the network expects in every position of these games, for players of the ratings in their tags
  zstdcat positions.epd.zst | entente policy - --elo 1500 --moves 3 > moves.jsonl
      The three most likely moves of many positions")]
pub(super) struct Arguments {
    /// The FEN of a position, "startpos", a file of positions or games, or "-" for standard input
    #[arg(value_name = "POSITION|FILE")]
    position: String,
    /// The constraint that both players aim for, such as "(1,2,1,1,7)"; see docs/constraints.md
    #[arg(long, short, value_name = "CONSTRAINT", allow_hyphen_values = true)]
    constraint: Option<String>,
    /// The plies left to satisfy the constraint
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_PLIES,
        value_parser = words::number::<u32>(1..=1000))]
    plies: u32,
    /// The encoding of moves
    #[arg(long, default_value = "alpha-zero", value_parser = choice::<Encoding>())]
    encoding: Encoding,
    /// The number of moves to print, most likely first; 0 for all [default: 10 in a table, all in rows]
    #[arg(long, short = 'n', value_name = "N")]
    moves: Option<usize>,
    /// The positions of each game of a file [default: every for PGN, last for lines]
    #[arg(long, value_parser = choice::<Positions>())]
    positions: Option<Positions>,
    /// The format of the output [default: by the extension of --output, or else table for a position, jsonl for a file]
    #[arg(long, value_parser = choice::<Format>())]
    format: Option<Format>,
    /// Write the rows to this file instead of standard output, completely or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, help = format!("Threads for the rows, 1 to {} [default: all cores]", Quota::MAX_THREADS),
        value_parser = words::number::<u32>(1..=Quota::MAX_THREADS.into()))]
    threads: Option<u32>,
    /// A built-in policy or an ONNX file [default: goal-policy with a constraint, human-policy without one]
    #[arg(long, value_name = "NAME|FILE")]
    network: Option<String>,
    #[command(flatten)]
    players: PlayerFlags,
}

/// The number of moves in a table, unless set.
const DEFAULT_MOVES: usize = 10;

choices! {
    /// An encoding of moves.
    Encoding {
        /// 8 × 8 × 73: origin square, and direction and distance of the move
        AlphaZero = "alpha-zero",
        /// 64 × 64: origin and destination square; pawns promote to queens
        FromTo = "from-to",
    }
}

/// Runs `entente policy` and returns its exit status.
///
/// # Errors
/// Wrong input, and a network that cannot be used.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let target = arguments.constraint.as_deref().map(|text| {
        let constraint: Constraint = text.parse()?;
        anyhow::Ok(Target::new(constraint)?)
    });
    let target = target.transpose()?;
    let settings =
        arguments.players.0.clone().changed(|settings| settings.network.clone_from(&arguments.network));
    let request = Request::for_predictions(target.as_ref(), settings);
    let job = Engine::default().job_within_reach(&request).map_err(|error| anyhow!(error.with_flags()))?;
    let ratings = job.plan.middle_ratings();
    let input = Input::read(&arguments.position, arguments.positions, ratings)?;
    let format = format(arguments, matches!(input, Input::One(_)))?;
    for note in &job.notes {
        eprintln!("note: {note}");
    }
    match input {
        Input::One(position) if format == Format::Table => {
            one(arguments, &job, &position, target.as_ref(), ratings)
        }
        Input::One(position) => {
            many(arguments, &job, Entries::one(&position, ratings), target.as_ref(), format)
        }
        Input::Many(entries) => many(arguments, &job, entries, target.as_ref(), format),
    }
}

/// The format given by --format or by the extension of the output file.
fn format(arguments: &Arguments, is_one: bool) -> anyhow::Result<Format> {
    let extension = arguments.output.as_deref().and_then(Path::extension);
    let by_extension = match extension {
        Some(extension) if extension.eq_ignore_ascii_case("parquet") => Some(Format::Parquet),
        Some(extension) if extension.eq_ignore_ascii_case("jsonl") => Some(Format::Jsonl),
        _ => None,
    };
    let is_table = is_one && arguments.output.is_none();
    let usual = if is_table { Format::Table } else { Format::Jsonl };
    let format = arguments.format.or(by_extension).unwrap_or(usual);
    ensure!(format != Format::Table || is_table, "--format table: expected one position, and no --output");
    Ok(format)
}

/// Writes a row for each position.
fn many(
    arguments: &Arguments,
    job: &Job,
    entries: Entries,
    target: Option<&Target>,
    format: Format,
) -> anyhow::Result<u8> {
    let Plan::GoalPolicy(plan) = &job.plan else { unreachable!("this method uses a policy") };
    let inquiry = Inquiry::of(plan, target.map(|target| (target, arguments.plies)));
    let count = arguments.moves.unwrap_or(0);
    let threads = arguments.threads.map_or_else(Quota::cores, |threads| threads as usize);
    many::write(entries, &inquiry, count, threads, format, arguments.output.as_deref())
}

/// Prints a table of the moves of one position.
fn one(
    arguments: &Arguments,
    job: &Job,
    position: &Chess,
    target: Option<&Target>,
    ratings: Ratings,
) -> anyhow::Result<u8> {
    let legal = position.legal_moves();
    ensure!(!legal.is_empty(), "the game is over in this position");
    let Plan::GoalPolicy(plan) = &job.plan else { unreachable!("this method uses a policy") };
    let policy = &plan.policy.network;
    let situation = Situation::root(position);
    let aim = match target {
        Some(target) if policy.reads_goals() => Aims::new(target, situation).nearest(situation).clone(),
        _ => Aim::NONE,
    };
    let context = Context {
        ratings,
        scale: Some(plan.policy.scale),
        ply: plies_before(position),
        plies_left: target.map(|_| arguments.plies),
        ..Context::default()
    };
    let query = Query { position, moves: &legal, played: &[], context, aim: &aim };
    let (prediction, outputs) = policy.session().ask_of_all_moves(&query)?;
    let is_skilled = plan.skill && policy.skill().is_some();
    let skilled = is_skilled.then(|| Skilled::of(policy).predict_one(&query)).transpose()?;
    let answers = Answers { policy, outputs: &outputs, prediction: &prediction, skilled: skilled.as_ref() };
    let reach = target.map(|target| {
        let guide = Guide::new(target, situation)?;
        anyhow::Ok(Reach::new(target, &guide, situation))
    });
    let reach = reach.transpose()?;
    let rows = match arguments.encoding {
        Encoding::AlphaZero => table::rows::<AlphaZero>(position, &legal, answers, reach.as_ref()),
        Encoding::FromTo => table::rows::<FromTo>(position, &legal, answers, reach.as_ref()),
    };
    let count = arguments.moves.unwrap_or(DEFAULT_MOVES);
    print(&table::text(position, &rows, &prediction, policy.reads_goals(), count))?;
    Ok(FOUND)
}
