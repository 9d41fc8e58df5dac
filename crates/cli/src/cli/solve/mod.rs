//! `entente solve`: the best moves of positions, how far they are forced, and what they are about.

mod input;

use std::{
    io::{self, Write as _},
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use clap::Args;
use entente::{
    difficulty::Rater,
    generation::Quota,
    judge::endings::endings_on,
    parallel::in_order,
    records::{fen, pgn::movetext},
    solution::{Solution, Solver},
};
use entente_constraint::{SolutionLine, Theme, counted};
use entente_endings::{Endings, Wdl};
use entente_search::{Limits, Score};
use serde::Serialize;
use shakmaty::{Chess, Move, Position as _};

use super::{FOUND, INTERRUPTED, progress::ProgressLine, sink::Sink, tables::TableFlags, words::number};
use input::Entry;
pub(super) use input::read as positions;

/// Solve positions and puzzles, and name the themes of their solutions.
///
/// For each position: the best line, the part of it in which only one move is good, the evaluation for the side to
/// move, the exact result if tables of endings have it, the themes of the forced part (docs/themes.md), and the rating
/// that it would have as a puzzle (docs/difficulty.md). Puzzles that have moves, as in Lichess's puzzle database, keep them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente solve examples/diagrams.epd
  entente solve lichess_db_puzzle.csv.zst --output themes.jsonl
      A table with the columns FEN and Moves: the first move leads to the position, the others solve it
  echo \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\" | entente solve -")]
pub(super) struct Arguments {
    /// Positions, one FEN or EPD in a line, or a table of puzzles (CSV); plain or compressed; "-" for standard input
    file: PathBuf,
    /// The nodes of each search; 0 for puzzles with moves: no search, no rating, and no themes that take a search
    /// (defence, zugzwang) [default: 200000; 0 for puzzles with moves]
    #[arg(long, value_parser = number::<u64>(0..=1_000_000_000))]
    nodes: Option<u64>,
    /// The number of threads [default: one for each core]
    #[arg(long, value_parser = number::<u32>(1..=1024))]
    threads: Option<u32>,
    #[command(flatten)]
    tables: TableFlags,
    /// Write the results to this file instead of standard output, completely or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A solved position, as a line of JSON.
#[derive(Serialize)]
struct Row {
    fen: String,
    /// The moves in UCI notation, the solver's first.
    moves: Vec<String>,
    /// The same in standard algebraic notation, with numbers.
    line: String,
    /// How many of them are forced.
    forced: usize,
    /// The result with best play for the side to move, if tables of endings have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<&'static str>,
    /// The plies to the next capture, move of a pawn or mate on the way to this result, if Syzygy tablebases have them;
    /// negative for a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    dtz: Option<i32>,
    /// The evaluation for the side to move in centipawns, if it was searched and is neither a mate nor a win or loss that
    /// a table knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    centipawns: Option<i32>,
    /// The number of moves to mate; negative if the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// Other first moves that solve it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
    themes: Vec<&'static str>,
    /// The predicted rating of the position as a puzzle, and its typical error, if it was searched and is a puzzle.
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle_rating: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle_error: Option<i16>,
}

/// What a thread needs to solve positions.
struct Worker {
    solver: Solver,
    rater: Rater,
}

/// Runs `entente solve` and returns its exit status.
///
/// # Errors
/// Input that cannot be read or is no position, and results that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let entries = positions(&arguments.file)?;
    let threads = arguments.threads.map_or_else(Quota::cores, |threads| threads as usize);
    // Positions that are not searched need no tables.
    let is_searched = |entry: &&Entry| searched_nodes(entry, arguments.nodes) > 0;
    let searched = entries.iter().filter(is_searched).map(|entry| &entry.position);
    let endings = arguments.tables.open(&endings_on(searched))?;
    let mut workers: Vec<Option<Worker>> = (0..threads).map(|_| None).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let mut sink = Sink::open_watched(arguments.output.as_deref(), &stop)?;
    let progress = ProgressLine::new(entries.len() as u64, 0, "positions");
    let mut done = 0;
    let mut written = Ok(());
    in_order(
        entries.into_iter().take_while(|_| !stop.load(Ordering::Relaxed)),
        &mut workers,
        4 * threads,
        |worker, entry: Entry| row(&entry, worker, arguments.nodes, &endings),
        |row| {
            let line = serde_json::to_string(&row)? + "\n";
            written = sink.write(&line);
            done += 1;
            progress.set(done, "");
            Ok(if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
    )?;
    progress.finish();
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(FOUND),
        written => written?,
    }
    let is_cut = stop.load(Ordering::Relaxed);
    let solved = counted(done, "position", "positions");
    if is_cut && done == 0 {
        let _ = writeln!(io::stderr(), "stopped: no positions were solved");
        return Ok(INTERRUPTED);
    }
    sink.finish()?;
    let _ = writeln!(io::stderr(), "{}{solved}", if is_cut { "stopped: " } else { "" });
    Ok(if is_cut { INTERRUPTED } else { FOUND })
}

/// The nodes of each search for an entry. Moves that are given need none.
fn searched_nodes(entry: &Entry, given: Option<u64>) -> u64 {
    given.unwrap_or(if entry.moves.is_empty() { Solver::NODES } else { 0 })
}

/// The solution of an entry, exact where `endings` know. Searches have `nodes` nodes.
///
/// # Errors
/// If the network that rates puzzles cannot be used.
fn row(
    entry: &Entry,
    worker: &mut Option<Worker>,
    nodes: Option<u64>,
    endings: &Endings,
) -> anyhow::Result<Row> {
    let position = &entry.position;
    let nodes = searched_nodes(entry, nodes);
    let (mut searched, mut rating) = (None, None);
    if nodes > 0 {
        let worker = match worker {
            Some(worker) => worker,
            None => {
                let solver = Solver::with_nodes(nodes).with_endings(Some(endings));
                worker.insert(Worker { solver, rater: Rater::new()? })
            }
        };
        searched = worker.solver.solve(position);
        rating = worker.rater.rate(position, Limits::none())?;
    }
    let given = !entry.moves.is_empty();
    let line = SolutionLine::new(position.clone(), &entry.moves, entry.previous);
    // The moves that are given decide what they show; a search adds what no line shows.
    let is_shown = |theme: &Theme| {
        let is_found = searched.as_ref().is_some_and(|solution| solution.themes.contains(theme));
        if given { theme.is_shown_by(&line) || theme.needs_search() && is_found } else { is_found }
    };
    let solution = searched.as_ref();
    let (centipawns, mate) = match solution.map(|solution| solution.score) {
        Some(Score::Centipawns(centipawns)) if centipawns.abs() < Score::KNOWN_WIN => {
            (Some(centipawns), None)
        }
        Some(Score::Centipawns(_)) => (None, None),
        Some(Score::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    let moves: &[Move] = if given { &entry.moves } else { solution.map_or(&[], |solution| &solution.moves) };
    Ok(Row {
        fen: fen(position).to_string(),
        moves: uci(position, moves),
        line: movetext(position, moves),
        wdl: endings.probe(position).map(Wdl::word),
        dtz: endings.dtz(position),
        forced: if given { moves.len() } else { solution.map_or(0, |solution| solution.forced) },
        centipawns,
        mate,
        others: solution.map_or_else(Vec::new, |solution: &Solution| uci(position, &solution.others)),
        themes: Theme::ALL.into_iter().filter(is_shown).map(Theme::word).collect(),
        puzzle_rating: rating.map(|puzzle| puzzle.rating),
        puzzle_error: rating.map(|puzzle| puzzle.error),
    })
}

fn uci(position: &Chess, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|m| m.to_uci(position.castles().mode()).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use entente_search::position_from_fen;

    fn position(fen: &str) -> Chess {
        position_from_fen(fen).unwrap()
    }

    #[test]
    fn a_position_is_solved_and_its_themes_are_named() {
        let entry = Entry {
            position: position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"),
            moves: Vec::new(),
            previous: None,
        };
        let row = row(&entry, &mut None, Some(2000), &Endings::new(&[], None).unwrap()).unwrap();
        assert_eq!(
            (row.moves, row.forced, row.mate, row.centipawns),
            (vec!["a1a8".to_owned()], 1, Some(1), None)
        );
        assert_eq!(row.themes, ["mate", "back-rank"]);
        assert_eq!(row.line, "1. Ra8#");
        assert!(row.puzzle_rating.is_some_and(|rating| rating < 1200), "{:?}", row.puzzle_rating);
    }

    #[test]
    fn what_a_table_knows_is_a_result_and_no_evaluation() {
        // The pawn runs, or White's king catches it.
        for (turn, result) in [("b", "win"), ("w", "draw")] {
            let fen = format!("8/8/8/3K4/7p/8/8/k7 {turn} - - 0 1");
            let entry = Entry { position: position(&fen), moves: Vec::new(), previous: None };
            let row = row(&entry, &mut None, Some(2000), &Endings::new(&[], None).unwrap()).unwrap();
            assert_eq!((row.wdl, row.dtz), (Some(result), None));
            assert_eq!(row.centipawns.is_none(), result == "win", "{:?}", row.centipawns);
        }
    }

    #[test]
    fn moves_that_are_given_are_kept_and_not_searched() {
        let start = position("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1");
        let fork = input::moves(&start, "d5c7 e8d7").unwrap();
        let entry = Entry { position: start, moves: fork, previous: None };
        let row = row(&entry, &mut None, None, &Endings::new(&[], None).unwrap()).unwrap();
        assert_eq!((row.moves.len(), row.forced, row.centipawns), (2, 2, None));
        assert_eq!(row.themes, ["hanging"]);
    }
}
