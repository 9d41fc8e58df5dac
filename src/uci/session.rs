//! A session: the position, the options, one search at a time, and the rules of conduct between them.
//!
//! A thread reads lines; a search has a thread of its own; both report to the session as events.
//! While a search runs, `uci`, `debug`, `isready`, `stop`, `ponderhit` and `quit` are obeyed at once and
//! every other command waits its turn, so that what a script pipes in is carried out in order.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::mpsc,
    thread,
};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Move, Position, uci::UciMove};

use super::{
    command::{Command, CommandError},
    event::{Event, read_lines},
    generate::{Job, give_up, impossible},
    go::{Generate, Go},
    networks::Networks,
    options::{OptionError, Options, TABLE, Target},
    play,
    position::set_up,
    reply::{ConstraintState, Info, Reply},
    running::{Purpose, Running},
    stop::Stop,
    writer::Writer,
};
use crate::{
    constraint::Men,
    generation::{Budget, Settings},
    search::NegamaxSettings,
};

/// Speaks UCI until `quit`, the end of `input`, or until nobody reads `output` any more.
///
/// `interactive` says that a person types; otherwise `go generate` is finished even when `quit` or
/// the end of the input stands right behind it, as it does in a pipe.
///
/// # Errors
/// If `output` cannot be written.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    interactive: bool,
) -> io::Result<()> {
    let (events, inbox) = mpsc::channel();
    let lines = events.clone();
    // Not joined: it may be waiting for a line that never comes.
    thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &lines))?;
    let mut session = Session::new(Writer::new(output), events, interactive);
    while !session.is_over() {
        match inbox.recv() {
            Ok(event) => session.handle(event),
            Err(mpsc::RecvError) => break,
        }
    }
    session.writer.into_result()
}

struct Session {
    writer: Writer,
    events: mpsc::Sender<Event>,
    interactive: bool,
    debug: bool,
    options: Options,
    position: Chess,
    networks: Networks,
    search: Option<Running>,
    waiting: VecDeque<Waiting>,
    leaving: bool,
}

/// A command that waits for the running search to end.
struct Waiting {
    command: Result<Command, CommandError>,
    /// True if `stop` came behind it: it is a search to be ended as soon as it begins.
    stopped: bool,
    /// True if `ponderhit` came behind it: a `go ponder` is a plain `go` by now.
    ponder_hit: bool,
}

impl Session {
    fn new(writer: Writer, events: mpsc::Sender<Event>, interactive: bool) -> Session {
        Session {
            writer,
            events,
            interactive,
            debug: false,
            options: Options::default(),
            position: Chess::default(),
            networks: Networks::default(),
            search: None,
            waiting: VecDeque::new(),
            leaving: false,
        }
    }

    fn is_over(&self) -> bool {
        let idle = self.search.is_none() && self.waiting.is_empty();
        idle && (self.leaving || self.writer.is_closed())
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Line(Ok(Command::Stop)) => self.stop(),
            Event::Line(Ok(Command::Quit)) => self.quit(),
            Event::EndOfInput if !self.leaving => self.quit(),
            Event::EndOfInput => {}
            Event::Line(Ok(Command::Uci)) => self.introduce(),
            Event::Line(Ok(Command::Debug(on))) => self.debug = on,
            Event::Line(Ok(Command::PonderHit)) => {
                let pondering = self.search.iter().filter(|search| search.purpose == Purpose::Ponder);
                pondering.for_each(|search| search.stop.release());
                self.waiting.iter_mut().for_each(|waiting| waiting.ponder_hit = true);
            }
            // While searching nothing is loaded: the answer must come at once.
            Event::Line(Ok(Command::IsReady)) if self.search.is_some() => self.writer.send(&Reply::ReadyOk),
            // Nothing that stands behind `quit` counts.
            Event::Line(_) if self.leaving => {}
            Event::Line(command) => {
                self.waiting.push_back(Waiting { command, stopped: false, ponder_hit: false });
            }
            Event::Unknown(line) if self.debug && !line.is_empty() => {
                self.writer.send(&Reply::Note(format!("unknown command: {line}")));
            }
            Event::Unknown(_) => {}
            Event::SearchEnded => self.search = None,
        }
        if self.writer.is_closed() {
            self.abandon();
        }
        while self.search.is_none()
            && let Some(Waiting { mut command, stopped, ponder_hit }) = self.waiting.pop_front()
        {
            if let Ok(Command::Go(go)) = &mut command {
                go.ponder &= !ponder_hit;
            }
            self.obey(command, stopped);
        }
    }

    /// Ends the running search and those that wait.
    fn stop(&mut self) {
        self.search.iter().for_each(|search| search.stop.request());
        self.waiting.iter_mut().for_each(|waiting| waiting.stopped = true);
    }

    /// Ends the session: at once if a person or a second `quit` says so; otherwise generations, which
    /// always end by themselves, are finished first.
    fn quit(&mut self) {
        if self.interactive || self.leaving {
            self.abandon();
        } else {
            self.search
                .iter()
                .filter(|search| search.purpose != Purpose::Generate)
                .for_each(|search| search.stop.request());
            let plays = |waiting: &&mut Waiting| matches!(waiting.command, Ok(Command::Go(_)));
            self.waiting.iter_mut().filter(plays).for_each(|waiting| waiting.stopped = true);
        }
        self.leaving = true;
    }

    fn abandon(&mut self) {
        self.stop();
        self.waiting.clear();
    }

    fn introduce(&self) {
        self.writer.send(&Reply::Id);
        TABLE.iter().for_each(|declaration| self.writer.send(&Reply::Option(declaration)));
        self.writer.send(&Reply::UciOk);
    }

    /// Carries out a command while no search runs.
    fn obey(&mut self, command: Result<Command, CommandError>, stopped: bool) {
        match command {
            Ok(Command::IsReady) => {
                if self.options.wants_network() {
                    let _reported = self.networks.load(&mut self.options, &self.writer);
                }
                self.writer.send(&Reply::ReadyOk);
            }
            Ok(Command::NewGame) => self.position = Chess::default(),
            Ok(Command::Position { fen, moves }) => match set_up(fen.as_deref(), &moves) {
                Ok(position) => self.position = position,
                Err(error) => self.writer.send(&Reply::Error(error.to_string())),
            },
            Ok(Command::SetOption { name, value }) => match self.options.set(&name, value.as_deref()) {
                Ok(()) => {}
                Err(error @ OptionError::Unknown(_)) if self.debug => {
                    self.writer.send(&Reply::Note(error.to_string()));
                }
                Err(OptionError::Unknown(_)) => {}
                Err(error) => self.writer.send(&Reply::Error(error.to_string())),
            },
            Ok(Command::Go(go)) => self.go(&go, stopped),
            Ok(Command::Generate(limits)) => self.generate(limits, stopped),
            Ok(Command::Display) => self.display(),
            // Obeyed as soon as they are read.
            Ok(Command::Uci | Command::Debug(_) | Command::Stop | Command::PonderHit | Command::Quit) => {}
            // Even a generation that cannot be understood is answered with a move, or a script would wait for ever.
            Err(error @ CommandError::Generate { .. }) => self.give_up(Reply::Error(error.to_string())),
            Err(error) => self.writer.send(&Reply::Error(error.to_string())),
        }
    }

    fn go(&mut self, go: &Go, stopped: bool) {
        let legal = self.position.legal_moves();
        let named = |text: &String| text.parse::<UciMove>().ok()?.to_move(&self.position).ok();
        let wanted = |m: &&Move| go.search_moves.iter().any(|text| named(text) == Some(**m));
        let mut moves: Vec<Move> = legal.iter().filter(wanted).copied().collect();
        if moves.is_empty() {
            moves.extend(legal);
        }
        let seed = self.seed();
        let position = self.position.clone();
        let purpose = match go {
            Go { infinite: true, .. } => Purpose::Infinite,
            Go { ponder: true, .. } => Purpose::Ponder,
            Go { .. } => Purpose::Move,
        };
        self.start(purpose, stopped, move |stop, writer| {
            let choice = play::choose(&position, &moves, &mut ChaCha8Rng::seed_from_u64(seed));
            let (best, info) = match choice {
                Some((m, info)) => (Some(play::to_uci(m)), info),
                None => (None, Info::nothing()),
            };
            writer.send(&Reply::Info(info));
            stop.wait_for_release();
            writer.send(&Reply::BestMove { best, ponder: None });
        });
    }

    fn generate(&mut self, limits: Generate, stopped: bool) {
        let Some(target) = self.options.target.clone() else {
            let reason = "go generate: there is no constraint; set the option Constraint first";
            return self.give_up(Reply::Error(reason.to_owned()));
        };
        if let Some(reply) = impossible(&self.position, &target, limits.count) {
            return self.give_up(reply);
        }
        let recipe = match self.networks.recipe(&mut self.options, &self.writer) {
            Ok(recipe) => recipe,
            Err(error) => return self.give_up(Reply::Error(error.to_string())),
        };
        let faithful = self.options.faithful;
        let job = Job {
            settings: Settings {
                root: self.position.clone(),
                goal: target.goal,
                search: NegamaxSettings {
                    depth: limits.depth.or(self.options.search_depth).unwrap_or(recipe.default_depth()),
                    criterion: self.options.criterion,
                    faithful,
                },
                max_plies: self.options.max_plies,
                budget: Budget::new(faithful, limits.nodes, limits.move_time),
                seed: self.seed(),
            },
            recipe,
            count: limits.count,
            threads: self.options.threads as usize,
        };
        self.start(Purpose::Generate, stopped, move |stop, writer| job.run(stop, writer));
    }

    fn start(
        &mut self,
        purpose: Purpose,
        stopped: bool,
        search: impl FnOnce(&Stop, &Writer) + Send + 'static,
    ) {
        let running = Running::start(purpose, &self.writer, &self.events, search);
        if stopped {
            running.stop.request();
        }
        self.search = Some(running);
    }

    fn give_up(&self, why: Reply) {
        give_up(&self.position, why, &self.writer);
    }

    fn seed(&self) -> u64 {
        self.options.seed.unwrap_or_else(rand::random)
    }

    fn display(&self) {
        let men = Men::on(self.position.board());
        let state = self.options.target.as_ref().map(|Target { goal, .. }| {
            if goal.is_satisfied_by(&men) {
                ConstraintState::Satisfied
            } else if let Some(reason) = goal.impossible_from(&men) {
                ConstraintState::Impossible { reason: reason.to_string() }
            } else {
                ConstraintState::Reachable { distance: goal.distance_of(&men) }
            }
        });
        let constraint = self.options.target.as_ref().map(|target| target.constraint.to_string());
        self.writer.send(&Reply::Board { position: self.position.clone(), constraint, state });
    }
}
