//! The commands that start a job.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use entente::{engine::Engine, settings::Mode};
use entente_search::Game;
use log::debug;

use super::{Session, lock};
use crate::uci::{
    command::Command,
    cooperate, examine, generate,
    go::{Generate, Go},
    measure, play,
    reply::{Info, Reply},
    running::{Purpose, Running},
    stop::Stop,
    writer::{Writer, tell},
};

impl Session {
    /// Executes a command that only looks at the position.
    pub(super) fn examine(&mut self, command: Command, game: Game, is_stopped: bool) {
        let settings = self.settings.clone();
        match command {
            Command::Display => {
                let board = examine::board(game.situation(), &settings, self.constraint.as_ref().err());
                self.writer.send(&board);
            }
            Command::Perft(depth) => self.start(Purpose::Work, is_stopped, None, move |_, stop, _| {
                Some(measure::perft(game.position(), depth, stop))
            }),
            command => self.start(Purpose::Work, is_stopped, None, move |engine, _, writer| {
                let reply = if command == Command::Policy {
                    examine::policy(&game, &settings, engine, writer)
                } else {
                    examine::evaluation(&game, &settings, engine, writer)
                };
                Some(reply.unwrap_or_else(|error| Reply::Error(error.to_string())))
            }),
        }
    }

    /// Answers a `go` that cannot be executed: with the reason, a score, which some GUIs need before every `bestmove`,
    /// and no move.
    pub(super) fn refuse(&mut self, purpose: Purpose, why: &str, is_stopped: bool) {
        self.writer.send(&Reply::Error(why.to_owned()));
        self.writer.send(&Reply::Info(Info::nothing()));
        self.start(purpose, is_stopped, Some(Reply::no_move()), move |_, stop, _| {
            stop.wait_for_release();
            Some(Reply::no_move())
        });
    }

    /// Answers `isready`: at once if a search could start immediately, otherwise after a job that prepares it.
    pub(super) fn prepare(&mut self) {
        if lock(&self.engine).is_ready_for(&self.settings) {
            return self.writer.send(&Reply::ReadyOk);
        }
        let settings = self.settings.clone();
        self.start(Purpose::Prepare, false, Some(Reply::ReadyOk), move |engine, _, writer| {
            engine.prepare(&settings, &mut |event| tell(event, writer));
            Some(Reply::ReadyOk)
        });
    }

    pub(super) fn go(&mut self, go: &Go, begins: Instant, is_stopped: bool) {
        // After `quit` a plain `go` answers at once.
        let is_stopped = is_stopped || self.leaving;
        let overhead = Duration::from_millis(self.settings.play.move_overhead.into());
        let game = self.game.clone();
        let cooperates = self.settings.session.mode == Mode::Generate;
        let allotment =
            game.as_ref().ok().and_then(|game| go.allotment(game.position(), overhead, cooperates));
        debug!("time for the move: {allotment:?}");
        let (purpose, limit) = match go {
            Go { infinite: true, .. } => (Purpose::Infinite, None),
            Go { ponder: true, .. } => (Purpose::Ponder(allotment), None),
            Go { .. } => (Purpose::Move, allotment),
        };
        let obeyed = game.and_then(|game| {
            if cooperates {
                self.constraint.clone()?;
            }
            play::PlayJob::new(go, &game, &self.settings.play)
        });
        let play = match obeyed {
            Ok(play) => play,
            Err(why) => return self.refuse(purpose, &format!("go: {why}"), is_stopped),
        };
        play.notes(go).for_each(|note| self.writer.send(&note));
        let settings = self.settings.clone();
        let is_infinite = go.infinite;
        let any_move = generate::any_move(play.game.position());
        self.start(purpose, is_stopped, Some(any_move), move |engine, stop, writer| {
            if let Some(allotment) = limit {
                stop.timer.set(begins, allotment);
            }
            if cooperates {
                cooperate::CooperateJob { play, settings, is_infinite }.run(engine, stop, writer)
            } else {
                play.run(engine, settings.player(), stop, writer)
            }
        });
    }

    pub(super) fn generate(&mut self, limits: Generate, is_stopped: bool) {
        let game = self.game.clone().and_then(|game| self.constraint.clone().map(|()| game));
        let game = match game {
            Ok(game) => game,
            Err(why) => return self.refuse(Purpose::Work, &format!("go generate: {why}"), is_stopped),
        };
        let job = generate::GenerateJob {
            root: game.position().clone(),
            limits,
            target: self.settings.session.target.clone(),
            settings: self.settings.generation.clone(),
        };
        let any_move = generate::any_move(game.position());
        self.start(Purpose::Work, is_stopped, Some(any_move), move |engine, stop, writer| {
            Some(job.run(engine, stop, writer))
        });
    }

    /// Starts a job. If it panics, the answer is `otherwise`.
    pub(super) fn start(
        &mut self,
        purpose: Purpose,
        is_stopped: bool,
        otherwise: Option<Reply>,
        job: impl FnOnce(&mut Engine, &Stop, &Writer) -> Option<Reply> + Send + 'static,
    ) {
        let engine = Arc::clone(&self.engine);
        let job = move |stop: &Stop, writer: &Writer| job(&mut lock(&engine), stop, writer);
        let running = Running::start(purpose, &self.writer, &self.worker, otherwise, job);
        if is_stopped {
            running.stop.request();
        }
        self.job = Some(running);
    }
}
