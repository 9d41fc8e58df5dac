//! `entente check`: what a constraint means, and which positions satisfy it.

use std::{
    fmt::Write as _,
    io::{self, BufReader, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Context as _, bail};
use clap::Args;
use entente::{
    generation::Distance,
    judge::{Judge, JudgeOptions},
    records::{fen, pgn::is_standard},
};
use entente_constraint::{Constraint, Situation, Target, counted, guide::GuideError, plies_before};
use entente_search::{Limits, position_from_fen};
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};

use super::{FOUND, UNDETERMINED, brief, input_file, position, print, words};

/// Explain a constraint in words, or test positions and games against it.
///
/// With --fen it says whether the position satisfies the constraint, and which conditions fail. With --pgn it prints a
/// line for each position that satisfies the constraint: game, ply, move, FEN.
///
/// With either option the exit status is 0 if a position satisfies the constraint, 1 if none does, and 2 if the input
/// is wrong. With neither it is 0, or 2 if the constraint is invalid or Entente proves that no legal game satisfies it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente check \"Q=0 q=0 R-r=1 | material=KRPvKR\"
      What does this constraint mean?
  entente check \"N@f5 check=black\" --fen \"4k3/8/5N2/8/8/8/8/4K3 b - - 0 1\"
      Does this position satisfy it?
  entente check \"checkmate N@f7 k@h8\" --pgn games.pgn
      Find mates with a knight on f7 and the king on h8 in games
  zstdcat games.pgn.zst | entente check \"stalemate\" --pgn - | head
  entente check \"-@e2 -@e7\" --pgn games.pgn
      Find positions in which e2 and e7 are empty")]
pub(super) struct Arguments {
    /// The constraint, in quotes; see docs/constraints.md
    #[arg(value_parser = words::constraint)]
    constraint: String,
    /// Test this position
    #[arg(long, conflicts_with = "pgn")]
    fen: Option<String>,
    /// Test every position of the games in this file; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// Runs `entente check` and returns its exit status.
///
/// # Errors
/// Wrong input, and a constraint that is proved impossible.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint: Constraint = arguments.constraint.parse()?;
    if let Some(path) = &arguments.pgn {
        return search(&constraint, path);
    }
    match &arguments.fen {
        Some(text) => test(&constraint, &position("--fen", text)?),
        None => explain(&constraint),
    }
}

fn explain(constraint: &Constraint) -> anyhow::Result<u8> {
    let mut text = format!("{constraint}\n");
    constraint.in_words().iter().for_each(|line| text += &format!("  {line}\n"));
    print(&text)?;
    let (root, target) = (Chess::default(), Target::new(constraint.clone()));
    let start = Situation::root(&root);
    let reason = target.ok().and_then(|target| match Distance::of(&target, start) {
        Ok(_) => None,
        Err(GuideError::Impossible(reason)) => Some(reason),
        // A constraint that is too complex for the guide may still be proved impossible.
        Err(GuideError::TooComplex | GuideError::TooManyMen(_)) => target.impossible_from(start),
    });
    if let Some(reason) = reason {
        bail!("impossible: {}: {reason}", brief(constraint));
    }
    Ok(FOUND)
}

fn test(constraint: &Constraint, position: &Chess) -> anyhow::Result<u8> {
    let situation = Situation { position, ply: plies_before(position) };
    let mut judge = Judge::new(constraint, &JudgeOptions::default())?;
    let mut holds = |constraint: &Constraint| match &mut judge {
        Some(judge) => judge.rules(constraint, situation, Limits::until(&AtomicBool::new(false))),
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
    print(&text)?;
    Ok(if is_satisfied { FOUND } else { UNDETERMINED })
}

fn search(constraint: &Constraint, path: &Path) -> anyhow::Result<u8> {
    let (input, progress) = input_file::open(path).with_context(|| path.display().to_string())?;
    // Flushed at the end of each line: in a large collection the user wants to see the first hits.
    let mut output = io::stdout().lock();
    let mut visitor = Finder {
        constraint,
        judge: Judge::new(constraint, &JudgeOptions::default())?,
        output: &mut output,
        games: 0,
        hits: 0,
        skipped: 0,
        faulty: 0,
        first_faulty: None,
        written: Ok(()),
    };
    let mut reader = Reader::new(BufReader::new(progress.wrap_read(input)));
    while reader.read_game(&mut visitor).with_context(|| path.display().to_string())?.is_some() {
        if visitor.written.is_err() {
            break;
        }
    }
    progress.finish_and_clear();
    let Finder { games, hits, skipped, faulty, first_faulty, written, .. } = visitor;
    match written.and_then(|()| output.flush()) {
        // The reader has closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(FOUND),
        result => result.context("cannot write to standard output")?,
    }
    if games == 0 {
        let input = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
        bail!("{input}: expected games in PGN, found none");
    }
    let (hits_said, games_said) = (counted(hits, "position", "positions"), counted(games, "game", "games"));
    let mut summary = format!("{hits_said} in {games_said}");
    if skipped > 0 {
        write!(summary, ", {skipped} skipped: another variant, or an illegal initial position")?;
    }
    if let Some(first) = first_faulty {
        write!(summary, ", {faulty} cut short at an illegal move, the first at {first}")?;
    }
    let _ = writeln!(io::stderr(), "{summary}");
    Ok(if hits > 0 { FOUND } else { UNDETERMINED })
}

/// Writes a line for each position that satisfies the constraint.
struct Finder<'a, W> {
    constraint: &'a Constraint,
    judge: Option<Judge>,
    output: &'a mut W,
    games: u64,
    hits: u64,
    /// Games of another variant, or from an illegal position.
    skipped: u64,
    /// Games with an illegal move.
    faulty: u64,
    /// The first illegal move, and where it is.
    first_faulty: Option<String>,
    written: io::Result<()>,
}

/// A game that is being replayed.
struct Replay {
    position: Chess,
    ply: u32,
    /// True once a tag or a move has been read. The reader takes any text for a game, even without either.
    is_game: bool,
}

/// The tags of a game.
#[derive(Default)]
struct Tags {
    is_game: bool,
    position: Option<Chess>,
}

impl<W: Write> Finder<'_, W> {
    fn look(&mut self, replay: &Replay, last: &str) -> ControlFlow<()> {
        let Replay { position, ply, .. } = replay;
        let situation = Situation { position, ply: *ply };
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
            self.written =
                writeln!(self.output, "game {} ply {ply} {last} fen {}", self.games, fen(position));
        }
        if self.written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<W: Write> Visitor for Finder<'_, W> {
    type Tags = Tags;
    type Movetext = Replay;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: pgn_reader::RawTag<'_>) -> ControlFlow<()> {
        self.games += u64::from(!tags.is_game);
        tags.is_game = true;
        let is_readable = match name {
            b"FEN" => {
                tags.position = position_from_fen(&value.decode_utf8_lossy()).ok();
                tags.position.is_some()
            }
            // "checkmate" means something else in other variants.
            b"Variant" => is_standard(&value.decode_utf8_lossy()),
            _ => true,
        };
        if is_readable {
            return ControlFlow::Continue(());
        }
        self.skipped += 1;
        ControlFlow::Break(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Replay> {
        let Tags { is_game, position } = tags;
        let replay = Replay { position: position.unwrap_or_default(), ply: 0, is_game };
        if is_game {
            self.look(&replay, "start")?;
        }
        ControlFlow::Continue(replay)
    }

    fn begin_variation(&mut self, _replay: &mut Replay) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, replay: &mut Replay, san: SanPlus) -> ControlFlow<()> {
        let Ok(m) = san.san.to_move(&replay.position) else {
            if replay.is_game {
                self.faulty += 1;
                let (game, ply) = (self.games, replay.ply + 1);
                self.first_faulty.get_or_insert_with(|| format!("{san} in game {game} at ply {ply}"));
            }
            return ControlFlow::Break(());
        };
        if !replay.is_game {
            self.games += 1;
            replay.is_game = true;
            self.look(replay, "start")?;
        }
        replay.position.play_unchecked(m);
        replay.ply += 1;
        self.look(replay, &san.to_string())
    }

    fn end_game(&mut self, _replay: Replay) {}
}
