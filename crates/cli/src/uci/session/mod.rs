//! A session: the position, the options, and one job at a time.
//!
//! One thread reads lines, and another one runs searches and other long jobs. Each hands its events to the session
//! ([`shared`]). While a job runs, the session executes `uci`, `isready`, `stop`, `ponderhit` and `quit` at once. All
//! other commands wait, so that the commands of a script are executed in order.

mod jobs;
mod shared;

use std::{
    io::{self, BufRead, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use entente::{
    engine::Engine,
    settings::{Setting, Settings},
};
use entente_endings::{Endings, syzygy_folders};
use entente_search::Game;
use shakmaty::Chess;

use super::{
    command::Command,
    event::{LONGEST_LINE, SessionEvent},
    measure,
    options::{self, OptionError, Usual},
    position::set_up,
    queue::{Queue, Waiting},
    reply::Reply,
    running::{Purpose, Running, Worker},
    words::{CommandError, shortened},
    writer::Writer,
};

/// The commands for people who type, listed by `help` and for an unknown command.
const COMMANDS: &str = "uci, setoption, position, go, go generate, go prove, genfens, stop, d, eval, policy, bench, perft, \
                        help, quit";

/// Speaks UCI until `quit`, until the end of `input`, or until nothing reads `output` any more.
///
/// `interactive` is true if a user types the input. Otherwise a `go generate` is finished even if `quit` or the end of
/// the input follows it directly, as in a pipe.
///
/// # Errors
/// If `output` cannot be written.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    interactive: bool,
) -> io::Result<()> {
    shared::run(input, Writer::new(output), interactive)
}

struct Session {
    writer: Writer,
    worker: Worker,
    interactive: bool,
    settings: Settings,
    /// The game on the GUI's board, or why the last `position` was refused. Then no search must begin: its move would
    /// belong to another game.
    game: Result<Game, String>,
    /// Whether the positions to come are of Chess960.
    is_chess960: bool,
    /// Why the last value of the option Constraint was refused, until it is set again. Then nothing must be generated:
    /// it would satisfy another constraint.
    constraint: Result<(), String>,
    /// Locked by the running job, and by the session only if no job is running.
    engine: Arc<Mutex<Engine>>,
    job: Option<Running>,
    queue: Queue,
    leaving: bool,
    /// True once no job needs to be finished.
    abandoned: bool,
}

impl Session {
    fn new(writer: Writer, worker: Worker, interactive: bool) -> Session {
        Session {
            writer,
            worker,
            interactive,
            settings: Settings::default(),
            game: Ok(Game::new(Chess::default())),
            is_chess960: false,
            constraint: Ok(()),
            engine: Arc::default(),
            job: None,
            queue: Queue::default(),
            leaving: false,
            abandoned: false,
        }
    }

    fn is_over(&self) -> bool {
        // A preparation cannot be stopped, and nothing depends on it.
        let preparing = self.job.as_ref().is_some_and(|job| job.purpose == Purpose::Prepare);
        let idle = (self.job.is_none() && self.queue.is_empty()) || (self.abandoned && preparing);
        idle && (self.leaving || self.abandoned)
    }

    fn handle(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::Line(Ok(Command::Stop), _) => self.stop(),
            SessionEvent::Line(Ok(Command::Quit), _) => self.quit(),
            SessionEvent::EndOfInput if !self.leaving => self.quit(),
            SessionEvent::EndOfInput => {}
            SessionEvent::Line(Ok(Command::Uci), _) => self.introduce(),
            SessionEvent::Line(Ok(Command::PonderHit), read) => {
                self.job.iter().for_each(|job| job.ponder_hit(read));
                self.queue.ponder_hit(read);
            }
            // During a search the answer must come at once, and the search has everything it needs.
            SessionEvent::Line(Ok(Command::IsReady), _)
                if self.job.as_ref().is_some_and(|job| job.purpose != Purpose::Prepare) =>
            {
                self.writer.send(&Reply::ReadyOk)
            }
            // Commands after `quit` are ignored.
            SessionEvent::Line(..) if self.leaving => {}
            SessionEvent::Line(command, read) => self.queue.push(command, read),
            SessionEvent::Unknown(line) => {
                let note = format!("unknown command: {}; try {COMMANDS}", shortened(&line));
                self.writer.send(&Reply::Note(note));
            }
            SessionEvent::TooLong => {
                let error = format!("a line of more than {LONGEST_LINE} bytes was skipped");
                self.writer.send(&Reply::Error(error));
            }
            SessionEvent::JobEnded(answer) => {
                let answered = self.job.take().and_then(|job| job.stop.answered());
                self.queue.free(answered.unwrap_or_else(Instant::now));
                answer.iter().for_each(|answer| self.writer.send(answer));
            }
        }
        if self.writer.is_closed() {
            self.abandon();
        }
        while self.job.is_none()
            && let Some(waiting) = self.queue.pop()
        {
            self.execute(waiting);
        }
    }

    /// Stops the running search and all waiting searches.
    fn stop(&mut self) {
        self.job.iter().for_each(|job| job.stop.request());
        self.queue.stop();
    }

    /// Ends the session: at once if the input is interactive or this is the second `quit`. Otherwise jobs that
    /// [outlive](Purpose::outlives_quit) `quit` are finished first.
    fn quit(&mut self) {
        if self.interactive || self.leaving {
            self.abandon();
        } else {
            let running = self.job.iter().filter(|job| !job.purpose.outlives_quit());
            running.for_each(|job| job.stop.request());
        }
        self.leaving = true;
    }

    fn abandon(&mut self) {
        self.stop();
        self.queue.clear();
        self.abandoned = true;
    }

    fn introduce(&self) {
        self.writer.send(&Reply::Id);
        options::all().for_each(|option| self.writer.send(&Reply::Option(option)));
        Usual::ALL.into_iter().for_each(|option| self.writer.send(&Reply::UsualOption(option)));
        self.writer.send(&Reply::UciOk);
    }

    /// Executes a command while no job is running.
    fn execute(&mut self, Waiting { command, begins, is_stopped }: Waiting) {
        match command {
            Ok(Command::IsReady) => self.prepare(),
            Ok(Command::NewGame) => {
                self.game = Ok(Game::new(Chess::default()));
                lock(&self.engine).forget_games();
            }
            Ok(Command::Position { fen, moves }) => {
                self.game =
                    set_up(fen.as_deref(), &moves, self.is_chess960).map_err(|error| error.to_string());
                if let Err(error) = &self.game {
                    self.writer.send(&Reply::Error(error.clone()));
                }
            }
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Ok(Command::Go(go)) => {
                if !go.skipped.is_empty() {
                    let skipped = shortened(&go.skipped.join(", "));
                    let note = format!("go: skipped unknown words and limits without a number: {skipped}");
                    self.writer.send(&Reply::Note(note));
                }
                self.go(&go, begins, is_stopped);
            }
            Ok(Command::Generate(limits)) => self.generate(limits, is_stopped),
            Ok(Command::GenFens(openings)) => {
                if let Err(why) = &self.constraint {
                    return self.writer.send(&Reply::Error(format!("genfens: {why}")));
                }
                let settings = self.settings.clone();
                self.start(Purpose::Work, is_stopped, None, move |engine, stop, writer| {
                    openings.run(engine, &settings, stop, writer)
                });
            }
            Ok(Command::Bench) => {
                self.start(Purpose::Work, is_stopped, None, |_, stop, _| Some(measure::bench(stop)));
            }
            Ok(Command::Prove(prove)) => match self.game.clone() {
                Ok(game) => {
                    let settings = self.settings.clone();
                    let otherwise = Reply::no_move();
                    self.start(Purpose::Work, is_stopped, Some(otherwise), move |engine, stop, writer| {
                        Some(prove.run(game.position(), &settings, engine, stop, writer))
                    });
                }
                Err(why) => self.refuse(Purpose::Work, &why, is_stopped),
            },
            Ok(command @ (Command::Display | Command::Eval | Command::Policy | Command::Perft(_))) => {
                match self.game.clone() {
                    Ok(game) => self.examine(command, game, is_stopped),
                    Err(why) => self.writer.send(&Reply::Error(why)),
                }
            }
            Ok(Command::Help) => self.writer.send(&Reply::Note(format!("commands: {COMMANDS}"))),
            // Executed as soon as they are read.
            Ok(Command::Nothing | Command::Uci | Command::Stop | Command::PonderHit | Command::Quit) => {}
            // A wrong `go` of ours is answered, too; otherwise a script would wait forever.
            Err(error @ (CommandError::Generate { .. } | CommandError::Prove { .. })) => {
                self.refuse(Purpose::Work, &error.to_string(), is_stopped);
            }
            Err(error) => {
                if error.is_about_position() {
                    self.game = Err(error.to_string());
                }
                self.writer.send(&Reply::Error(error.to_string()));
            }
        }
    }

    /// Opens Syzygy tablebases in the folders of `path`; without folders, only the tables that are part of the program remain.
    fn set_tables(&mut self, path: &str) {
        let folders = if path == "<empty>" { Vec::new() } else { syzygy_folders(path) };
        match Endings::new(&folders, None) {
            Ok(endings) => lock(&self.engine).set_endings(endings),
            Err(error) => self.writer.send(&Reply::Error(format!("option SyzygyPath: {error}"))),
        }
    }

    fn set_chess960(&mut self, value: Option<&str>) {
        match value.map(str::to_ascii_lowercase).as_deref() {
            Some("true") => self.is_chess960 = true,
            Some("false") => self.is_chess960 = false,
            _ => {
                let found = shortened(value.unwrap_or_default());
                let error = format!("option UCI_Chess960: expected true or false, found '{found}'");
                self.writer.send(&Reply::Error(error));
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match Usual::named(name) {
            Some(Usual::ClearHash) => return lock(&self.engine).forget_games(),
            Some(Usual::AnalyseMode | Usual::Opponent) => return,
            Some(Usual::Chess960) => return self.set_chess960(value),
            Some(Usual::SyzygyPath) => return self.set_tables(value.unwrap_or_default()),
            None => {}
        }
        match options::set(&mut self.settings, name, value) {
            Ok(setting) => {
                if setting == Setting::Constraint {
                    self.constraint = Ok(());
                }
                lock(&self.engine).note_change_of(setting, &self.settings.generation);
            }
            Err(error @ OptionError::Unknown { .. }) => self.writer.send(&Reply::Note(error.to_string())),
            Err(error) => {
                if error.setting() == Some(Setting::Constraint) {
                    self.constraint = Err(error.to_string());
                }
                self.writer.send(&Reply::Error(error.to_string()));
            }
        }
    }
}

/// Locks the engine, even after a job has panicked: it leaves nothing in a state that a later job could not use.
fn lock(engine: &Mutex<Engine>) -> MutexGuard<'_, Engine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}
