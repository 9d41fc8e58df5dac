//! `entente play`: a game against the engine in the terminal.

mod board;
mod order;
mod record;
mod table;

use std::{
    io::{self, BufRead, IsTerminal, Write},
    path::PathBuf,
    time::Duration,
};

use clap::{Args, ValueEnum};
use entente::{
    play::Strength,
    settings::{Evaluator, GenerationSettings, Method, PlaySettings, choices},
};
use entente_search::Game;
use rand::random;
use shakmaty::{Chess, Color};

use self::{order::Order, record::Record, table::Table};
use super::{FOUND, flags::choice, position, words};

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
  entente play --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"")]
pub(super) struct Arguments {
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White, alias = "colour")]
    color: Side,
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
    /// Append the game to this file when it ends or you quit
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Threads of the engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = words::number::<u32>(1..=256))]
    threads: u32,
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

/// Runs `entente play` and returns its exit status.
///
/// # Errors
/// Wrong input, and files and terminals that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let root = arguments.fen.as_deref().map_or(Ok(Chess::default()), |fen| position("--fen", fen))?;
    let yours = match arguments.color {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random if random() => Color::White,
        Side::Random => Color::Black,
    };
    let record = Record {
        names: yours.fold_wb([String::from("You"), arguments.name()], [arguments.name(), "You".into()]),
    };
    // Fail before the game rather than after it.
    if let Some(path) = &arguments.pgn {
        Record::check(path)?;
    }
    let mut table = Table::new(Game::new(root), yours, arguments.settings(), arguments.time);
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
