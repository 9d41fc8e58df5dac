//! `entente-trainer import`: packs PGN files into a store.

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    str::FromStr,
    thread,
    time::Instant,
};

use clap::ValueEnum;
use entente_constraint::noun;
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt;
use crate::games::{
    ImportOptions, RatingScale,
    fault::{Fault, Reason},
    filter::Filter,
    import::{self, Observer},
    report::{Counts, grouped},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer import games.pgn --output games.store
  entente-trainer import lichess.pgn.zst fide.pgn.gz --output all.store --scale auto
  entente-trainer import club.pgn -o club.store --min-rating 1 --exclude-base-time none --min-plies 0

Every game is replayed. A damaged game (cut off, bad tag, unreadable or illegal move, set-up position) is left out and \
reported on standard error with its number in the file. Games without both ratings are left out, too. The table on \
standard output counts each omitted game under the first reason that applies, in the table's order.

Exit status: 0 the store was written (see the counts), 2 an error, and no store was written.";

/// Options of `import`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// PGN files, plain or compressed with zstd, gzip or bzip2; the content decides the format, not the name
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,

    /// The store to write. An existing store is replaced; any other existing file is an error
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Leave out games with a player rated lower
    #[arg(long, value_name = "RATING", default_value_t = 1000)]
    min_rating: u16,

    /// Leave out games with these base times in seconds and any increment; "none" for no such filter. Games without a
    /// time control are kept
    #[arg(long, value_name = "LIST", default_value = "60,120,180,240")]
    exclude_base_time: BaseTimes,

    /// Leave out shorter games
    #[arg(long, value_name = "PLIES", default_value_t = 20)]
    min_plies: usize,

    /// The scale of the ratings; auto: online if the Site tag names Lichess, chess.com if it names chess.com or
    /// freechess.org, otherwise fide
    #[arg(long, value_enum, default_value = "auto")]
    scale: Scale,

    /// Threads that parse and compress [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Report every damaged game, not only the first 20 of each file
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    Auto,
    Online,
    Fide,
    #[value(name = "chess.com")]
    ChessCom,
}

/// A comma-separated list of seconds, or `none`.
#[derive(Clone)]
struct BaseTimes(Vec<u32>);

impl FromStr for BaseTimes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(BaseTimes(Vec::new()));
        }
        let seconds = |word: &str| {
            word.trim().parse().map_err(|_| {
                format!("\"{word}\" is not a number of seconds; expected a list such as 60,120, or none")
            })
        };
        text.split(',').map(seconds).collect::<Result<_, _>>().map(BaseTimes)
    }
}

/// Runs the import and prints its table.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let options = ImportOptions {
        files: arguments.files,
        output: arguments.output,
        filter: Filter {
            min_rating: arguments.min_rating,
            excluded_base_times: arguments.exclude_base_time.0,
            min_plies: arguments.min_plies,
        },
        scale: match arguments.scale {
            Scale::Auto => None,
            Scale::Online => Some(RatingScale::Online),
            Scale::Fide => Some(RatingScale::Fide),
            Scale::ChessCom => Some(RatingScale::ChessCom),
        },
        threads: arguments.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into)),
    };
    let mut screen = Screen::new(arguments.verbose);
    let report = import::import(&options, &mut screen, interrupt::flag())?;
    screen.bar.finish_and_clear();
    print!("{report}");
    let seconds = screen.start.elapsed().as_secs_f64();
    eprintln!("{seconds:.1} s, {:.0} games/s", report.counts.read as f64 / seconds);
    Ok(())
}

/// Imports all undamaged games of `files` into `output`, without a filter on ratings or time controls, and prints the
/// counts on standard error.
pub(super) fn import_all(files: &[PathBuf], output: &Path) -> anyhow::Result<()> {
    let options = ImportOptions {
        files: files.to_vec(),
        output: output.to_owned(),
        filter: Filter { min_rating: 0, excluded_base_times: Vec::new(), min_plies: 1 },
        scale: None,
        threads: thread::available_parallelism().map_or(1, Into::into),
    };
    let mut screen = Screen::new(false);
    let report = import::import(&options, &mut screen, interrupt::flag())?;
    screen.bar.finish_and_clear();
    eprint!("{report}");
    Ok(())
}

/// Shows a progress bar and the damaged games on standard error.
struct Screen {
    bar: ProgressBar,
    start: Instant,
    verbose: bool,
    faults_in_file: u64,
}

/// Number of damaged games that are reported for each file without `--verbose`.
const FAULTS_SHOWN: u64 = 20;

impl Screen {
    fn new(verbose: bool) -> Screen {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
        let template = "{bar:32} {bytes}/{total_bytes} {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Screen { bar, start: Instant::now(), verbose, faults_in_file: 0 }
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }
}

impl Observer for Screen {
    fn begin(&mut self, total_bytes: u64) {
        self.bar.set_length(total_bytes);
    }

    fn progress(&mut self, games: u64, bytes: u64) {
        let rate = games as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        self.bar.set_position(bytes);
        self.bar.set_message(format!(
            "{} {}, {rate:.0} games/s",
            grouped(games),
            noun(games, "game", "games")
        ));
    }

    fn fault(&mut self, file: &Path, game: u64, fault: &Fault) {
        self.faults_in_file += 1;
        if self.verbose || self.faults_in_file <= FAULTS_SHOWN {
            self.say(&format!("{}: game {game}: {fault}", file.display()));
        }
    }

    fn file_done(&mut self, file: &Path, counts: &Counts, damage: Option<&str>) {
        let name = file.display();
        if let Some(damage) = damage {
            self.say(&format!(
                "{name}: the compressed stream is damaged after game {}: {damage}; the games before the damage are \
                 imported",
                counts.read
            ));
        }
        if !self.verbose && self.faults_in_file > FAULTS_SHOWN {
            let more = self.faults_in_file - FAULTS_SHOWN;
            let games = noun(more, "game", "games");
            self.say(&format!("{name}: {more} more damaged {games} (--verbose lists all)"));
        }
        let dropped: u64 = Reason::ALL.iter().map(|&reason| counts.dropped_for(reason)).sum();
        let read = counts.read;
        let games = noun(read, "game", "games");
        self.say(&format!("{name}: {} {games} read, {} kept", grouped(read), grouped(read - dropped)));
        self.faults_in_file = 0;
    }
}
