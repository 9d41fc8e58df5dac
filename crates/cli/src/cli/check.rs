//! `entente check`: what a constraint means, and which positions satisfy it.

use std::{
    fmt::Write as _,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context as _, bail};
use clap::Args;
use entente::{
    generation::reason_impossible,
    judge::{
        Judge, JudgeOptions,
        endings::{endings_of, endings_on},
    },
    records::fen,
};
use entente_constraint::{Atom, Constraint, Judged, Situation, Target, counted, plies_before};
use entente_endings::Material;
use entente_search::{Game, Limits};
use shakmaty::{Chess, san::SanPlus};

use super::{
    FOUND, INTERRUPTED, UNDETERMINED, brief, definitions::DefinitionsFile, game_reader::GameReader,
    input_file, interrupts, position, print, tables::TableFlags, words,
};
use crate::pgn::ReadGame;

/// Explain a constraint in words, or test positions and games against it.
///
/// With --fen it says whether the position satisfies the constraint, and which conditions fail. With --pgn it prints a
/// line for each position that satisfies the constraint: game, ply, move, FEN. The file may be compressed (.gz, .zst,
/// .bz2). A game that cannot be read to its end is read up to there, and a message names the game, line and ply.
///
/// With either option the exit status is 0 if a position satisfies the constraint, 1 if none does, 2 if the input is
/// wrong, and 130 after Ctrl-C, which prints how far the search came. With neither it is 0, or 2 if the constraint is
/// invalid or Entente proves that no legal game satisfies it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente check \"Q=0 q=0 R-r=1 | material=KRPvKR\"
      What does this constraint mean?
  entente check \"N@f5 check=black\" --fen \"4k3/8/5N2/8/8/8/8/4K3 b - - 0 1\"
      Does this position satisfy it?
  entente check \"checkmate N@f7 k@h8\" --pgn games.pgn
      Find mates with a knight on f7 and the king on h8 in games
  entente check \"stalemate\" --pgn games.pgn.zst | head
      Find the first stalemates in a compressed collection
  entente check \"-@e2 -@e7\" --pgn games.pgn
      Find positions in which e2 and e7 are empty
  entente check \"(Q=0 q=0 ply<=24) then (R=1 r=1)\" --pgn games.pgn
      Find endings with one rook each after an early exchange of queens")]
pub(super) struct Arguments {
    /// The constraint, in quotes; see docs/constraints.md
    #[arg(value_parser = words::constraint)]
    constraint: String,
    #[command(flatten)]
    definitions: DefinitionsFile,
    /// Test this position
    #[arg(long, conflicts_with = "pgn")]
    fen: Option<String>,
    /// Test every position of the games in this file; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    tables: TableFlags,
}

/// Runs `entente check` and returns its exit status.
///
/// # Errors
/// Wrong input, and a constraint that is proved impossible.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint = arguments.definitions.parse(&arguments.constraint)?;
    if let Some(path) = &arguments.pgn {
        return search(&constraint, path, &arguments.tables);
    }
    match &arguments.fen {
        Some(text) => test(&constraint, &position("--fen", text)?, &arguments.tables),
        None => explain(&constraint),
    }
}

fn explain(constraint: &Constraint) -> anyhow::Result<u8> {
    let mut text = format!("{constraint}\n");
    constraint.in_words().iter().for_each(|line| text += &format!("  {line}\n"));
    print(&text)?;
    let reason = reason_impossible(constraint, &Chess::default());
    if let Some(reason) = reason {
        bail!("impossible: {}: {reason}", brief(constraint));
    }
    Ok(FOUND)
}

fn test(constraint: &Constraint, position: &Chess, tables: &TableFlags) -> anyhow::Result<u8> {
    if let Some(atom) = constraint.atoms().into_iter().find(|atom| atom.is_of_the_game()) {
        bail!("'{atom}' is about the game, and a FEN has none; use --pgn");
    }
    let situation = Situation::first(position, plies_before(position));
    let mut judge = judge(constraint, tables, &endings_on(std::iter::once(position)))?;
    let mut evaluation = None;
    let mut holds = |constraint: &Constraint| match &mut judge {
        Some(judge) => {
            let holds = judge.rules(constraint, situation, Limits::until(&AtomicBool::new(false)));
            let is_evaluation = |atom: &&Atom| matches!(atom, Atom::Judged(Judged::Eval { .. }));
            if constraint.atoms().iter().any(is_evaluation) {
                evaluation = judge.centipawns().or(evaluation);
            }
            holds
        }
        None => Ok(constraint.holds(situation)),
    };
    let is_satisfied = holds(constraint)?;
    let mut text = format!("{constraint}: {}\n", if is_satisfied { "satisfied" } else { "not satisfied" });
    if !is_satisfied {
        for line in constraint.in_words() {
            let is_so = holds(line.part)? != line.negated;
            writeln!(text, "  {:3}  {line}", if is_so { "yes" } else { "no" })?;
        }
    }
    if let Some(centipawns) = evaluation {
        writeln!(text, "  {}", in_words(centipawns))?;
    }
    print(&text)?;
    Ok(if is_satisfied { FOUND } else { UNDETERMINED })
}

/// An evaluation for White.
fn in_words(centipawns: i32) -> String {
    let side = if centipawns > 0 { "White" } else { "Black" };
    match centipawns.abs() {
        10_000 => format!("{side} mates"),
        // The judge gives a win that tables show the highest evaluation below that of a mate.
        9_999 => format!("{side} wins, as tables show"),
        _ => format!("the evaluation for White is {centipawns} centipawns"),
    }
}

/// The judge of a constraint, with tables of the `wanted` endings; `None` if it needs none.
fn judge(constraint: &Constraint, tables: &TableFlags, wanted: &[Material]) -> anyhow::Result<Option<Judge>> {
    let wanted = if constraint.is_judged() { wanted } else { &[] };
    let endings = tables.open(wanted)?;
    Ok(Judge::new(constraint, &JudgeOptions::default(), Some(&endings))?)
}

fn search(constraint: &Constraint, path: &Path, tables: &TableFlags) -> anyhow::Result<u8> {
    let name = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
    let (input, progress) = input_file::open(path).with_context(|| name.to_string())?;
    // Flushed at the end of each line: in a large collection the user wants to see the first hits.
    let mut output = io::stdout().lock();
    let endings = Target::new(constraint.clone()).map(|target| endings_of(&target, &Chess::default()));
    let judge = judge(constraint, tables, &endings.unwrap_or_default())?;
    let mut finder = Finder { constraint, judge, output: &mut output, hits: 0, written: Ok(()) };
    let mut reader = GameReader::new(name.to_string(), input, progress.clone());
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;
    let is_stopped = || stop.load(Ordering::Relaxed);
    while !is_stopped()
        && let Some(read) = reader.next_game()?
    {
        if finder.game(reader.games, &read).is_break() {
            break;
        }
    }
    progress.finish_and_clear();
    let Finder { hits, written, .. } = finder;
    match written.and_then(|()| output.flush()) {
        // The reader has closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(FOUND),
        result => result.context("cannot write to standard output")?,
    }
    let is_cut = is_stopped();
    if reader.games == 0 && !is_cut {
        bail!("{name}: expected games in PGN, found none");
    }
    let games = counted(reader.games, "game", "games");
    let cut = if is_cut { "stopped: " } else { "" };
    let summary = format!("{cut}{} in {games}{}", counted(hits, "position", "positions"), reader.left_out());
    let _ = writeln!(io::stderr(), "{summary}");
    Ok(match (is_cut, hits) {
        (true, _) => INTERRUPTED,
        (false, 0) => UNDETERMINED,
        (false, _) => FOUND,
    })
}

/// Writes a line for each position that satisfies the constraint.
struct Finder<'a, W> {
    constraint: &'a Constraint,
    judge: Option<Judge>,
    output: &'a mut W,
    hits: u64,
    written: io::Result<()>,
}

impl<W: Write> Finder<'_, W> {
    /// Looks at every position of a game.
    fn game(&mut self, number: u64, read: &ReadGame) -> ControlFlow<()> {
        let mut game = Game::new(read.game.root().clone()).noting(self.constraint);
        self.look(number, game.situation(), || "start".to_owned())?;
        for &m in read.game.moves() {
            let before = game.position().clone();
            game.play(m);
            self.look(number, game.situation(), || SanPlus::from_move(before, m).to_string())?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at one position. `last` gives the move before it, which takes longer than the test of most constraints.
    fn look(
        &mut self,
        game: u64,
        situation: Situation<'_>,
        last: impl FnOnce() -> String,
    ) -> ControlFlow<()> {
        let Situation { position, ply, .. } = situation;
        let holds = match &mut self.judge {
            Some(judge) => {
                // This can fail only with an external engine.
                let never = AtomicBool::new(false);
                judge.rules(self.constraint, situation, Limits::until(&never)).is_ok_and(|holds| holds)
            }
            None => self.constraint.holds(situation),
        };
        if holds {
            self.hits += 1;
            self.written = writeln!(self.output, "game {game} ply {ply} {} fen {}", last(), fen(position));
        }
        if self.written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
