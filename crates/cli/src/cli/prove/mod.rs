//! `entente prove`: proof games of one or many diagrams.

mod answer;
mod input;
mod results;

use std::{
    collections::{HashMap, HashSet, VecDeque},
    io::{self, Write},
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use answer::Answer;
use anyhow::{Context as _, anyhow};
use clap::Args;
use entente::{
    engine::{Engine, EngineError, GamesWanted, Proof, ProofWanted},
    records::fen,
    settings::Realism,
};
use entente_constraint::counted;
use entente_search::proof::{ProblemLine, ProofProgress as Step};
use entente_tools::in_words;
use indicatif::ProgressBar;
use input::{Asked, Input};
use results::{Begun, Results};
use shakmaty::Chess;

use super::{
    FOUND, INTERRUPTED, UNDETERMINED, flags::ProofFlags, interrupts, progress::ProgressLine,
    start::StartFlags, words::number,
};

/// Find proof games: legal games from the initial position, or from another one, to whole diagrams, or say why there are
/// none.
///
/// A diagram is the piece placement of a FEN. The side to move, the castling rights and the en passant square may
/// follow; each of them may be "?". A file has one diagram per line, and EPD's operation id may name it. The result for
/// a single diagram is a sentence and the game. The result for a line of a file is a line of JSON, written as soon as
/// it is known.
///
/// When a game is found, the search for a shorter one takes another second or two. Without --movetime each diagram gets
/// a minute. Without --seed the seed is 1, so that the same command gives the same game unless it runs out of time.
///
/// The exit status is 0 if every diagram was decided: a game was found (with --shortest, a game that is proved to be
/// shortest), or it is proved that there is none. It is 1 if some diagrams were not decided, 2 if the input is wrong,
/// and 130 after Ctrl-C, which keeps the results so far.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente prove r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R
      A game to this diagram
  entente prove \"rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R\" --solutions 2
      The shortest game, with proof that none is shorter, and whether it is the only one
  entente prove \"rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR\" --plies 8
      A game of exactly eight plies
  entente prove \"bqnnrrkb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB\" --start 3 --shortest
      A shortest game from an initial position of Chess960
  entente prove diagrams.epd --movetime 15000 --output answers.jsonl --resume
      Many diagrams, 15 seconds each; the same command continues after Ctrl-C
  entente prove \"r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1\" --realism natural --elo 1500
      A game that players rated 1500 might have played")]
pub(super) struct Arguments {
    /// A diagram, a file with one diagram per line, or "-" for standard input
    #[arg(value_name = "DIAGRAM|FILE")]
    input: String,
    /// Find the shortest game, with proof that no game is shorter
    #[arg(long, display_order = 1)]
    shortest: bool,
    /// Take the first game that is found, however long
    #[arg(long, display_order = 1, conflicts_with_all = ["shortest", "solutions", "plies"])]
    first: bool,
    /// Find up to N shortest games
    #[arg(long, value_name = "N", display_order = 2, value_parser = number::<u32>(1..=GamesWanted::MAX_GAMES.into()))]
    solutions: Option<u32>,
    /// Find a game of exactly N plies
    #[arg(long, value_name = "N", display_order = 3, conflicts_with = "shortest",
        value_parser = number::<u32>(0..=GamesWanted::MAX_PLIES.into()))]
    plies: Option<u32>,
    /// Memory for the search for shortest games, in mebibytes
    #[arg(long, value_name = "MB", display_order = 4, default_value_t = 512, value_parser = number::<u32>(1..=1_048_576))]
    hash: u32,
    /// Append the results to this file instead of printing them
    #[arg(long, value_name = "FILE", display_order = 5)]
    output: Option<PathBuf>,
    /// Continue the file of an earlier run
    #[arg(long, display_order = 6, requires = "output")]
    resume: bool,
    /// Print JSON for a single diagram, too
    #[arg(long, display_order = 7)]
    json: bool,
    #[command(flatten)]
    start: StartFlags,
    #[command(flatten)]
    flags: ProofFlags,
}

/// The default time for each problem, in milliseconds.
const MOVETIME: u64 = 60_000;

impl Arguments {
    fn games(&self) -> GamesWanted {
        GamesWanted::of(self.first, self.shortest, self.solutions, self.plies)
    }

    /// The question asked of each problem: everything that determines an answer except the time. Results are continued
    /// only with the same question.
    fn question(&self, start: &Chess) -> String {
        let games = match self.games() {
            GamesWanted::Any => "first".to_owned(),
            GamesWanted::Short => "short".to_owned(),
            GamesWanted::Shortest(games) => format!("shortest, solutions {games}"),
            GamesWanted::Exact { plies, games } => format!("plies {plies}, solutions {games}"),
        };
        let natural = if self.flags.0.realism == Realism::Natural { ", natural" } else { "" };
        let from = match start {
            start if *start == Chess::default() => String::new(),
            start => format!(", from {}", fen(start)),
        };
        format!("{games}{natural}{from}")
    }

    fn wanted(&self, problem: &ProblemLine, start: &Chess) -> ProofWanted {
        let flags = &self.flags.0;
        let movetime = flags.movetime.unwrap_or(MOVETIME);
        let settings = flags.clone().changed(|settings| {
            settings.seed = Some(flags.seed.unwrap_or(1));
            settings.movetime = Some(movetime);
            settings.threads = 1;
        });
        let mut wanted = ProofWanted::new(problem.problem.clone(), self.games(), settings);
        wanted.start = start.clone();
        wanted.threads = flags.threads as usize;
        wanted.hash = self.hash as usize;
        wanted.time = Some(Duration::from_millis(movetime));
        wanted
    }
}

/// Runs `entente prove` and returns its exit status.
///
/// # Errors
/// Wrong input, settings that contradict each other, and results that cannot be written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let start = arguments.start.root()?;
    let input = Input::read(&arguments.input, &start)?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;
    match input {
        Input::One(asked) if arguments.output.is_none() => one(arguments, &start, &asked, &stop),
        Input::One(asked) => many(arguments, &start, &[asked], &stop),
        Input::Many(asked) => many(arguments, &start, &asked, &stop),
    }
}

fn one(arguments: &Arguments, start: &Chess, asked: &Asked, stop: &AtomicBool) -> anyhow::Result<u8> {
    let problem = asked.problem.as_ref().map_err(|error| anyhow!("{error}"))?;
    let wanted = arguments.wanted(problem, start);
    let status = Mutex::new(Status::default());
    let proof = prove(&mut Engine::default(), &wanted, stop, &|step, found| {
        status.lock().expect("updates do not panic").update(step.map(|step| step.plies), found);
    })?;
    status.into_inner().expect("updates do not panic").finish();
    let answer = Answer::new(asked, wanted.games, &arguments.question(start), &proof);
    if let Some(note) = asked.note(start).filter(|_| !arguments.json) {
        let _ = writeln!(io::stderr(), "note: {note}");
    }
    super::print(&if arguments.json { answer.json() } else { in_words(wanted.games, &proof, "--shortest") })?;
    Ok(match (answer.decided, stop.load(Ordering::Relaxed)) {
        (true, _) => FOUND,
        (false, true) => INTERRUPTED,
        (false, false) => UNDETERMINED,
    })
}

/// The progress of a search for a shortest game, shown on a terminal.
#[derive(Default)]
struct Status {
    least: u32,
    found: Option<u32>,
    spinner: Option<ProgressBar>,
}

impl Status {
    fn update(&mut self, least: Option<u32>, found: Option<u32>) {
        self.least = least.unwrap_or(self.least);
        self.found = found.or(self.found);
        let found = self.found.map_or("none found yet".to_owned(), |found| format!("found one of {found}"));
        let spinner = self.spinner.get_or_insert_with(|| {
            let spinner = ProgressBar::new_spinner();
            spinner.enable_steady_tick(Duration::from_millis(200));
            spinner
        });
        spinner
            .set_message(format!("every game has at least {}; {found}", counted(self.least, "ply", "plies")));
    }

    fn finish(self) {
        self.spinner.iter().for_each(ProgressBar::finish_and_clear);
    }
}

fn prove(
    engine: &mut Engine,
    wanted: &ProofWanted,
    stop: &AtomicBool,
    progress: &(impl Fn(Option<Step>, Option<u32>) + Sync),
) -> anyhow::Result<Proof> {
    engine.prove(wanted, stop, progress).map_err(|error| match error {
        EngineError::Request(error) => anyhow!(error.with_flags()),
        error => error.into(),
    })
}

fn many(arguments: &Arguments, start: &Chess, asked: &[Asked], stop: &AtomicBool) -> anyhow::Result<u8> {
    let Begun { mut results, answers } =
        Results::open(arguments.output.as_deref(), arguments.resume, asked, &arguments.question(start))?;
    let known: HashSet<u64> = answers.iter().map(|answer| answer.line).collect();
    let open: Vec<&Asked> = asked.iter().filter(|asked| !known.contains(&asked.line)).collect();
    let mut counts = Counts::default();
    answers.iter().for_each(|answer| counts.add(answer));
    let bar = ProgressLine::new(asked.len() as u64, answers.len() as u64, "diagrams");
    // A search for a shortest game uses all threads itself.
    let is_shared = matches!(arguments.games(), GamesWanted::Any | GamesWanted::Short);
    let threads =
        if is_shared { (arguments.flags.0.threads as usize).clamp(1, open.len().max(1)) } else { 1 };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let written = thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, open, failed) = (sender.clone(), &next, &open, &failed);
            scope.spawn(move || {
                let mut engine = Engine::default();
                while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
                    let Some(asked) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let answer = answer(arguments, start, asked, is_shared, &mut engine, stop);
                    // The result of an interrupted search would not be fair.
                    let is_cut =
                        stop.load(Ordering::Relaxed) && answer.as_ref().is_ok_and(|answer| !answer.decided);
                    if is_cut || sender.send(answer).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut order = InOrder::new(&open, arguments.output.is_none());
        for answer in receiver {
            let added = answer.and_then(|answer| {
                for line in order.next(answer.line, answer.json()) {
                    results.write(&line).context("cannot write the results")?;
                }
                counts.add(&answer);
                bar.set(counts.all, &counts.in_words());
                Ok(())
            });
            if added.is_err() {
                failed.store(true, Ordering::Relaxed);
                return added;
            }
        }
        // After an interruption, lines may be left that waited for others.
        for line in order.rest() {
            results.write(&line).context("cannot write the results")?;
        }
        if let Err(error) = results.sort(arguments.output.as_deref()) {
            // All answers are there, in the order in which they were found.
            let _ = writeln!(io::stderr(), "the results are complete but could not be sorted: {error}");
        }
        Ok(())
    });
    bar.finish();
    if let Err(error) = written {
        // The reader has closed the pipe, as `head` does.
        return match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(FOUND),
            _ => Err(error),
        };
    }
    let _ = writeln!(io::stderr(), "{}: {}", counted(counts.all, "diagram", "diagrams"), counts.in_words());
    if counts.all < asked.len() as u64 {
        if let Some(path) = &arguments.output {
            let _ = writeln!(io::stderr(), "stopped; --resume continues {}", path.display());
        }
        return Ok(INTERRUPTED);
    }
    Ok(if counts.decided == counts.all { FOUND } else { UNDETERMINED })
}

/// The answer for a line of a file. Problems that share the threads have one thread each.
fn answer(
    arguments: &Arguments,
    start: &Chess,
    asked: &Asked,
    is_shared: bool,
    engine: &mut Engine,
    stop: &AtomicBool,
) -> anyhow::Result<Answer> {
    let question = arguments.question(start);
    let problem = match &asked.problem {
        Ok(problem) => problem,
        Err(error) => return Ok(Answer::unreadable(asked, &question, error)),
    };
    let mut wanted = arguments.wanted(problem, start);
    if is_shared {
        wanted.threads = 1;
    }
    let proof = prove(engine, &wanted, stop, &|_, _| ())?;
    Ok(Answer::new(asked, wanted.games, &question, &proof))
}

/// Puts answers that are printed into the order of the input. A file receives each answer at once, so that nothing is
/// lost if the run is killed, and is sorted at the end.
struct InOrder {
    /// The lines that have not been printed yet, in order; empty for a file.
    expected: VecDeque<u64>,
    waiting: HashMap<u64, String>,
}

impl InOrder {
    fn new(asked: &[&Asked], is_printed: bool) -> InOrder {
        let expected = asked.iter().map(|asked| asked.line).filter(|_| is_printed).collect();
        InOrder { expected, waiting: HashMap::new() }
    }

    /// What can be written now that the answer for the line `number` is known.
    fn next(&mut self, number: u64, text: String) -> Vec<String> {
        if self.expected.is_empty() {
            return vec![text];
        }
        self.waiting.insert(number, text);
        let mut ready = Vec::new();
        while let Some(text) = self.expected.front().and_then(|number| self.waiting.remove(number)) {
            ready.push(text);
            self.expected.pop_front();
        }
        ready
    }

    /// What still waits, in order.
    fn rest(mut self) -> Vec<String> {
        self.expected.iter().filter_map(|number| self.waiting.remove(number)).collect()
    }
}

/// The numbers of answers of each kind.
#[derive(Default)]
struct Counts {
    all: u64,
    found: u64,
    refuted: u64,
    decided: u64,
    /// Lines that are no problems.
    unreadable: u64,
}

impl Counts {
    fn add(&mut self, answer: &Answer) {
        self.all += 1;
        self.found += u64::from(answer.is_found());
        self.refuted += u64::from(answer.is_refuted());
        self.decided += u64::from(answer.decided);
        self.unreadable += u64::from(answer.is_unreadable());
    }

    fn in_words(&self) -> String {
        let open = self.all - self.found - self.refuted - self.unreadable;
        let unreadable = match self.unreadable {
            0 => String::new(),
            lines => format!(", {} that could not be read", counted(lines, "line", "lines")),
        };
        let (found, refuted) = (self.found, self.refuted);
        format!("{found} found, {refuted} proved to have no such game, {open} undetermined{unreadable}")
    }
}
