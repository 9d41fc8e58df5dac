//! A session: the position, the options, one search at a time, and the rules of conduct between them.
//!
//! A thread reads lines; a search has a thread of its own; both report to the session as events.
//! While a search runs, `uci`, `debug`, `isready`, `stop`, `ponderhit` and `quit` are obeyed at once and
//! every other command waits its turn, so that what a script pipes in is carried out in order.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::{PoisonError, mpsc},
    thread,
    time::Instant,
};

use shakmaty::{Chess, Move, Position, uci::UciMove};

use super::{
    command::{Command, CommandError},
    event::{Event, LONGEST_LINE, read_lines},
    generate::{Job, give_up, impossible},
    go::{Generate, Go},
    networks::Networks,
    options::{OptionError, Options, TABLE, Target},
    play,
    player::Player,
    position::set_up,
    reply::{ConstraintState, Reply},
    running::{Purpose, Running},
    stop::Stop,
    writer::Writer,
};
use crate::{
    constraint::Men,
    generation::{Budget, Settings},
    search::{AlphaBeta, Game, NegamaxSettings, alpha_beta::Request},
};

/// What a person who types something else is told.
const COMMANDS: &str = "uci, setoption, position, go, go generate, stop, d, quit";

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
    game: Game,
    player: Player,
    networks: Networks,
    search: Option<Running>,
    waiting: VecDeque<Waiting>,
    leaving: bool,
}

/// A command that waits for the running search to end.
struct Waiting {
    command: Result<Command, CommandError>,
    /// When it was read.
    read: Instant,
    /// True if `stop` came behind it: it is a search to be ended as soon as it begins.
    stopped: bool,
    /// When `ponderhit` came behind it: a `go ponder` is a plain `go` by now.
    ponder_hit: Option<Instant>,
}

impl Session {
    fn new(writer: Writer, events: mpsc::Sender<Event>, interactive: bool) -> Session {
        Session {
            writer,
            events,
            interactive,
            debug: false,
            options: Options::default(),
            game: Game::new(Chess::default()),
            player: Player::default(),
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
            Event::Line(Ok(Command::Stop), _) => self.stop(),
            Event::Line(Ok(Command::Quit), _) => self.quit(),
            Event::EndOfInput if !self.leaving => self.quit(),
            Event::EndOfInput => {}
            Event::Line(Ok(Command::Uci), _) => self.introduce(),
            Event::Line(Ok(Command::Debug(on)), _) => self.debug = on,
            Event::Line(Ok(Command::PonderHit), read) => {
                self.search.iter().for_each(|search| search.ponder_hit(read));
                self.waiting.iter_mut().for_each(|waiting| waiting.ponder_hit = Some(read));
            }
            // While searching nothing is loaded: the answer must come at once.
            Event::Line(Ok(Command::IsReady), _) if self.search.is_some() => {
                self.writer.send(&Reply::ReadyOk)
            }
            // Nothing that stands behind `quit` counts.
            Event::Line(..) if self.leaving => {}
            Event::Line(command, read) => {
                self.waiting.push_back(Waiting { command, read, stopped: false, ponder_hit: None });
            }
            Event::Unknown(line) if (self.debug || self.interactive) && !line.is_empty() => {
                self.writer.send(&Reply::Note(format!("unknown command: {line}; try {COMMANDS}")));
            }
            Event::TooLong => {
                let error = format!("a line of more than {LONGEST_LINE} bytes was skipped");
                self.writer.send(&Reply::Error(error));
            }
            Event::Unknown(_) => {}
            Event::SearchEnded => self.search = None,
        }
        if self.writer.is_closed() {
            self.abandon();
        }
        while self.search.is_none()
            && let Some(Waiting { mut command, mut read, stopped, ponder_hit }) = self.waiting.pop_front()
        {
            if let (Ok(Command::Go(go @ Go { ponder: true, .. })), Some(hit)) = (&mut command, ponder_hit) {
                go.ponder = false;
                read = hit;
            }
            self.obey(command, read, stopped);
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
    fn obey(&mut self, command: Result<Command, CommandError>, read: Instant, stopped: bool) {
        match command {
            Ok(Command::IsReady) => {
                if self.options.wants_network() {
                    let _reported = self.networks.load(&mut self.options, &self.writer);
                }
                self.writer.send(&Reply::ReadyOk);
            }
            Ok(Command::NewGame) => {
                self.game = Game::new(Chess::default());
                self.player.forget();
            }
            Ok(Command::Position { fen, moves }) => match set_up(fen.as_deref(), &moves) {
                Ok(game) => self.game = game,
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
            Ok(Command::Go(go)) => self.go(&go, read, stopped),
            Ok(Command::Generate(limits)) => self.generate(limits, stopped),
            Ok(Command::Display) => self.display(),
            // Obeyed as soon as they are read.
            Ok(Command::Uci | Command::Debug(_) | Command::Stop | Command::PonderHit | Command::Quit) => {}
            // Even a generation that cannot be understood is answered with a move, or a script would wait for ever.
            Err(error @ CommandError::Generate { .. }) => self.give_up(Reply::Error(error.to_string())),
            Err(error) => self.writer.send(&Reply::Error(error.to_string())),
        }
    }

    fn go(&mut self, go: &Go, read: Instant, stopped: bool) {
        let position = self.game.position();
        let legal = position.legal_moves();
        let named = |text: &String| text.parse::<UciMove>().ok()?.to_move(position).ok();
        let wanted: Vec<Move> = go.search_moves.iter().filter_map(named).collect();
        // A move may be named twice.
        let mut moves: Vec<Move> = legal.iter().filter(|m| wanted.contains(m)).copied().collect();
        if moves.is_empty() {
            moves.extend(legal);
        }
        let allotment = go.allotment(position.turn(), self.options.move_overhead);
        let job = play::Job {
            request: Request {
                moves,
                depth: go.depth.unwrap_or(AlphaBeta::MAX_DEPTH),
                mate: go.mate,
                patient: go.move_time.is_some(),
                lines: self.options.multi_pv as usize,
            },
            game: self.game.clone(),
            nodes: go.nodes,
            show_wdl: self.options.show_wdl,
        };
        let purpose = match go {
            Go { infinite: true, .. } => Purpose::Infinite,
            Go { ponder: true, .. } => Purpose::Ponder(allotment),
            Go { .. } => Purpose::Move,
        };
        let player = self.player.with_hash(self.options.hash);
        let limit = if purpose == Purpose::Move { allotment } else { None };
        self.start(purpose, stopped, move |stop, writer| {
            if let Some(allotment) = limit {
                stop.timer.set(read, allotment);
            }
            job.run(&mut player.lock().unwrap_or_else(PoisonError::into_inner), stop, writer);
        });
    }

    fn generate(&mut self, limits: Generate, stopped: bool) {
        let Some(target) = self.options.target.clone() else {
            let reason = "go generate: there is no constraint; set the option Constraint first";
            return self.give_up(Reply::Error(reason.to_owned()));
        };
        if let Some(reply) = impossible(self.game.position(), &target, limits.count) {
            return self.give_up(reply);
        }
        let recipe = match self.networks.recipe(&mut self.options, &self.writer) {
            Ok(recipe) => recipe,
            Err(error) => return self.give_up(Reply::Error(error.to_string())),
        };
        let faithful = self.options.faithful;
        let job = Job {
            settings: Settings {
                root: self.game.position().clone(),
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
        let running =
            Running::start(purpose, self.game.position().clone(), &self.writer, &self.events, search);
        if stopped {
            running.stop.request();
        }
        self.search = Some(running);
    }

    fn give_up(&self, why: Reply) {
        give_up(self.game.position(), why, &self.writer);
    }

    fn seed(&self) -> u64 {
        self.options.seed.unwrap_or_else(rand::random)
    }

    fn display(&self) {
        let men = Men::on(self.game.position().board());
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
        self.writer.send(&Reply::Board { position: self.game.position().clone(), constraint, state });
    }
}
