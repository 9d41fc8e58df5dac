//! `entente play`: a game against the engine in the terminal.

mod board;
mod order;
mod record;
mod start;
mod table;

use std::{
    io::{self, BufRead, IsTerminal, Write},
    iter,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use entente::{
    judge::endings::endings_on,
    play::Strength,
    settings::{Evaluator, GenerationSettings, Method, PlaySettings, choices},
};
use entente_search::Game;
use rand::random;
use shakmaty::{Chess, Color, Position as _};

use self::{order::Order, record::Record, table::Table};
use super::{FOUND, flags::choice, position, tables::TableFlags, words};

/// Play a game against the engine in the terminal.
///
/// Type moves as players write them (Nf3, exd5, O-O, e8=Q) or as engines do (g1f3, e7e8q). The other commands are hint,
/// undo, moves, flip, save FILE, resign, quit and help.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente play
      You have White; the engine plays at full strength, one second per move
  entente play --elo 1400 --color black --pgn games.pgn
      Against an opponent that plays like humans rated 1400; the finished game is appended to the file
  entente play --opponent rollout --time 3
      Against search by random playouts, three seconds per move
  entente play --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  entente play --from study.pgn 3 --elo 1600
      Play on from the third exercise of a study, on the side to move")]
pub(super) struct Arguments {
    /// Your side [default: white; with --from, the side to move]
    #[arg(long, value_enum, alias = "colour")]
    color: Option<Side>,
    #[arg(long, value_name = "R",
        help = format!("Let the opponent play like humans of this rating, {} to {}",
            Strength::WEAKEST, Strength::STRONGEST),
        value_parser = words::number::<u32>(Strength::WEAKEST.into()..=Strength::STRONGEST.into()))]
    elo: Option<u32>,
    /// How the opponent finds its moves; not with --elo
    #[arg(long, default_value = "alpha-beta", value_parser = choice::<Opponent>(), conflicts_with = "elo")]
    opponent: Opponent,
    /// The engine's time for each move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: Duration,
    /// The FEN of the position to start from, in quotes [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
    /// Start from an exercise: the number of a position in a file, counted from 1 [default number: 1]
    ///
    /// A file in PGN has chapters of a study, each of which begins with its position, or whole games, which are played
    /// on from their end. Other files have a FEN or EPD in each line, or a table of puzzles.
    #[arg(long, num_args = 1..=2, value_names = ["FILE", "NUMBER"], conflicts_with = "fen")]
    from: Option<Vec<String>>,
    /// Append the game to this file when it ends or you quit
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Threads of the engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = words::number::<u32>(1..=256))]
    threads: u32,
    #[command(flatten)]
    tables: TableFlags,
    /// The seed for an opponent that plays at random [default: a different one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The user's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

choices! {
    /// How the opponent finds its moves.
    Opponent {
        /// Alpha-beta search with the evaluation network, the strongest opponent
        AlphaBeta = "alpha-beta",
        /// Alpha-beta search with the hand-written evaluation
        HandWritten = "hand-written",
        /// Tree search with the policy network
        Puct = "puct",
        /// Random playouts, with the evaluation network
        Rollout = "rollout",
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0.01 to 3600".to_owned())
}

impl Arguments {
    fn settings(&self) -> (GenerationSettings, PlaySettings) {
        let mut play = PlaySettings::default();
        let mut generation = GenerationSettings::with(|settings| {
            (settings.threads, settings.seed) = (self.threads, self.seed);
        });
        if let Some(elo) = self.elo {
            (play.limit_strength, play.play_elo) = (true, elo);
            return (generation, play);
        }
        match self.opponent {
            Opponent::AlphaBeta => {}
            Opponent::HandWritten => generation.evaluator = Evaluator::HandWritten,
            Opponent::Puct => generation.evaluator = Evaluator::Network,
            Opponent::Rollout => generation.method = Some(Method::Rollout),
        }
        (generation, play)
    }

    /// The name of the opponent.
    fn name(&self) -> String {
        use entente::settings::Choice as _;
        self.elo.map_or_else(
            || format!("Entente ({})", self.opponent.word()),
            |elo| format!("Entente (as people rated {elo})"),
        )
    }
}

/// The position that `--from` names.
fn exercise(from: &[String]) -> anyhow::Result<Chess> {
    let (file, given) = (Path::new(&from[0]), from.get(1).map_or("1", String::as_str));
    let number = given.parse().ok().filter(|number| *number > 0);
    let number = number.with_context(|| {
        format!("--from {} {}: expected the number of a position, 1 or more", from[0], given)
    })?;
    start::chosen(file, number)
}

/// Runs `entente play` and returns its exit status.
///
/// # Errors
/// Wrong input, and files and terminals that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let root = match (&arguments.from, &arguments.fen) {
        (Some(from), _) => exercise(from)?,
        (None, Some(fen)) => position("--fen", fen)?,
        (None, None) => Chess::default(),
    };
    let yours = match arguments.color {
        None if arguments.from.is_some() => root.turn(),
        None | Some(Side::White) => Color::White,
        Some(Side::Black) => Color::Black,
        Some(Side::Random) if random() => Color::White,
        Some(Side::Random) => Color::Black,
    };
    let record = Record {
        names: yours.fold_wb([String::from("You"), arguments.name()], [arguments.name(), "You".into()]),
    };
    // Fail before the game rather than after it.
    if let Some(path) = &arguments.pgn {
        Record::check(path)?;
    }
    let endings = arguments.tables.open(&endings_on(iter::once(&root)))?;
    let mut table = Table::new(Game::new(root), yours, arguments.settings(), arguments.time, endings);
    let is_terminal = io::stdout().is_terminal();
    let (mut out, mut lines) = (io::stdout(), io::stdin().lock().lines());
    writeln!(
        out,
        "You play {} against {}. Type a move, or \"help\".",
        yours.fold_wb("White", "Black"),
        arguments.name()
    )?;
    let mut is_shown = false;
    loop {
        if table.result().is_none() && !table.is_your_turn() {
            let answer = table.answer()?;
            writeln!(out, "\n{answer}")?;
            is_shown = false;
        }
        if !is_shown {
            write!(out, "\n{}", board::text(table.game(), table.bottom(), is_terminal))?;
            is_shown = true;
        }
        if let Some((result, reason)) = table.result() {
            writeln!(out, "{result}: {reason}.")?;
            break;
        }
        write!(out, "{} ", table.prompt())?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            writeln!(out)?;
            break;
        };
        match Order::read(&line, table.game()) {
            Ok(Order::Nothing) => {}
            Ok(Order::Play(m)) => {
                table.play(m);
                is_shown = false;
            }
            Ok(Order::Undo) => match table.undo() {
                Ok(()) => is_shown = false,
                Err(reason) => writeln!(out, "{reason}")?,
            },
            Ok(Order::Hint) => writeln!(out, "{}", table.hint()?)?,
            Ok(Order::Moves) => writeln!(out, "{}", record::moves(table.game()))?,
            Ok(Order::Flip) => {
                table.flip();
                is_shown = false;
            }
            Ok(Order::Save(path)) => {
                let saved = record.add_to(&path, table.game(), table.token());
                match saved {
                    Ok(()) => writeln!(out, "The game was saved to {}.", path.display())?,
                    Err(error) => writeln!(out, "{error:#}")?,
                }
            }
            Ok(Order::Resign) => table.resign(),
            Ok(Order::Help) => writeln!(out, "{}", order::HELP)?,
            Ok(Order::Quit) => break,
            Err(reason) => writeln!(out, "{reason}")?,
        }
    }
    if let Some(path) = arguments.pgn.as_ref().filter(|_| !table.game().moves().is_empty()) {
        record.add_to(path, table.game(), table.token())?;
        writeln!(out, "The game was saved to {}.", path.display())?;
    }
    Ok(FOUND)
}
