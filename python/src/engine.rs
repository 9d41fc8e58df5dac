//! An engine that plays and analyses; `entente/_play.py` makes it look like `chess.engine`.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

use entente::{
    engine::{Engine as Inner, Event},
    judge::endings::open,
    settings::{Setting, Settings, Value},
};
use entente_search::{
    Clock, Game, Limits, Score, SearchEvent, SearchReport, SearchRequest, Timer, Variation,
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use shakmaty::{CastlingMode, Move, Position as _, uci::UciMove};

use crate::{endings, errors, given, networks, number::Number, settings, work};

#[doc = doc!("Engine")]
#[pyclass(module = "entente._entente", subclass, frozen)]
pub(crate) struct Engine {
    inner: Arc<Mutex<Playing>>,
}

struct Playing {
    engine: Inner,
    settings: Settings,
}

/// A line: centipawns or the number of moves to mate, moves, depth, and chances of a win, a draw and a loss in
/// thousandths; all for the side to move.
type Line = (Option<i32>, Option<i32>, Vec<String>, Option<u32>, Chances);

/// The chances of a win, a draw and a loss, in thousandths.
type Chances = (u32, u32, u32);

/// What ends a search.
struct Until {
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    clock: Clock,
}

impl Until {
    /// What ends a search, checked.
    fn new(
        depth: Option<Number>,
        nodes: Option<Number>,
        mate: Option<Number>,
        clock: Clock,
    ) -> PyResult<Until> {
        let until = Until {
            depth: depth.map(|depth| depth.within_32("depth", 1, u32::MAX - 1)).transpose()?,
            nodes: nodes.map(|nodes| nodes.positive("nodes")).transpose()?,
            mate: mate.map(|mate| mate.within_32("mate", 1, 1000)).transpose()?,
            clock,
        };
        let is_limited = until.depth.is_some() || until.nodes.is_some() || until.mate.is_some();
        if is_limited || clock.left.is_some() || clock.move_time.is_some() {
            return Ok(until);
        }
        Err(PyValueError::new_err("expected a limit: depth, nodes, mate, a time or a clock"))
    }
}

impl Playing {
    /// The best lines, their depth, and the number of nodes.
    fn search(
        &mut self,
        game: &Game,
        moves: Vec<Move>,
        lines: usize,
        until: &Until,
        stop: &AtomicBool,
    ) -> Result<(Vec<Variation>, u32, u64), String> {
        let begun = Instant::now();
        let timer = Timer::unlimited();
        let budget = until.clock.time_budget();
        budget.into_iter().for_each(|budget| timer.set(begun, budget));
        let request = SearchRequest {
            moves,
            depth: until.depth.unwrap_or(SearchRequest::NO_DEPTH),
            mate: until.mate,
            patient: until.clock.left.is_none(),
            lines,
        };
        let limits = Limits {
            nodes: until.nodes.unwrap_or(u64::MAX),
            timer: budget.is_some().then_some(&timer),
            ..Limits::until(stop)
        };
        let (mut failure, mut depth, mut nodes) = (None, 0, 0);
        let mut tell = |event| {
            if let Event::Error(error) = event {
                failure.get_or_insert(error);
            }
        };
        let mut report = |report: &SearchReport<'_>| {
            nodes = nodes.max(report.nodes);
            if let SearchEvent::Variations(_) = report.event {
                depth = report.depth;
            }
        };
        let settings = self.settings.player();
        let found = self.engine.best_lines(game, &request, settings, limits, &mut tell, &mut report);
        failure.map_or(Ok((found, depth, nodes)), Err)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, tables = None, **settings))]
    fn new(
        py: Python<'_>,
        tables: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Engine> {
        let mut engine = networks::new_engine();
        if let Some(folders) = endings::folders(tables)? {
            let tables = open(Some(&folders), &[], &AtomicBool::new(false));
            engine.set_endings(tables.map_err(|error| endings::exception(py, &error))?);
        }
        let engine =
            Engine { inner: Arc::new(Mutex::new(Playing { engine, settings: Settings::default() })) };
        engine.configure(py, settings)?;
        Ok(engine)
    }

    #[doc = doc!("Engine.configure")]
    #[pyo3(signature = (**settings))]
    fn configure(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut wanted = py.detach(|| self.lock().settings.clone());
        settings::change_all("configure", settings, &mut wanted)?;
        // Here, a rating is that of the engine.
        let elo = settings.map(|settings| settings.get_item("elo")).transpose()?.flatten();
        if let Some(elo) = elo.filter(|elo| !elo.is_none()) {
            let row = Setting::PlayElo.row();
            row.set(&mut wanted, Some(Value::Integer(elo.extract()?))).map_err(|error| {
                errors::exception(py, "SettingError", (format!("elo: {error}"), Some("elo")))
            })?;
            wanted.play.limit_strength = true;
        }
        py.detach(|| self.lock().settings = wanted);
        Ok(())
    }

    #[doc = doc!("Engine.search")]
    #[pyo3(signature = (board, *, depth = None, nodes = None, mate = None, seconds = None, left = None, increment = 0.0, moves_to_go = None, lines = None, moves = None))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn search(
        &self,
        board: &Bound<'_, PyAny>,
        depth: Option<Number>,
        nodes: Option<Number>,
        mate: Option<Number>,
        seconds: Option<f64>,
        left: Option<f64>,
        increment: f64,
        moves_to_go: Option<Number>,
        lines: Option<Number>,
        moves: Option<Vec<String>>,
    ) -> PyResult<(Vec<Line>, u32, u64)> {
        let py = board.py();
        let game = given::read(board)?.game;
        let overhead =
            Duration::from_millis(u64::from(py.detach(|| self.lock().settings.play.move_overhead)));
        let clock = Clock {
            left: left.map(|left| time("left", left)).transpose()?,
            increment: time("increment", increment)?,
            moves_to_go: moves_to_go.map(|moves| moves.within_32("moves_to_go", 1, u32::MAX)).transpose()?,
            move_time: seconds.map(|seconds| time("seconds", seconds)).transpose()?,
            // A time for this move is a wish, and not a clock that could run out.
            overhead: if left.is_some() { overhead } else { Duration::ZERO },
        };
        let lines = lines.map_or(Ok(1), |lines| lines.within("lines", 1, 256))? as usize;
        let legal = game.position().legal_moves();
        let moves = match moves {
            None => legal.to_vec(),
            Some(moves) => moves.iter().map(|text| named(py, &game, text)).collect::<PyResult<_>>()?,
        };
        if moves.is_empty() {
            return Ok((Vec::new(), 0, 0));
        }
        let until = Until::new(depth, nodes, mate, clock)?;
        let inner = Arc::clone(&self.inner);
        let mode = game.position().castles().mode();
        let found = work::interruptible(py, move |stop: &AtomicBool| {
            let mut playing = inner.lock().unwrap_or_else(PoisonError::into_inner);
            playing.search(&game, moves, lines, &until, stop)
        })?;
        let (found, depth, nodes) = found.map_err(|error| errors::other(py, &error))?;
        Ok((found.iter().map(|found| line(found, mode)).collect(), depth, nodes))
    }

    #[doc = doc!("Engine.forget")]
    fn forget(&self, py: Python<'_>) {
        py.detach(|| self.lock().engine.forget_games());
    }
}

impl Engine {
    fn lock(&self) -> std::sync::MutexGuard<'_, Playing> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line for Python.
fn line(found: &Variation, mode: CastlingMode) -> Line {
    let (centipawns, mate) = match found.score {
        Score::Centipawns(centipawns) => (Some(centipawns), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    let moves = found.moves.iter().map(|m| m.to_uci(mode).to_string()).collect();
    (centipawns, mate, moves, found.depth, found.chances.into())
}

/// The time of the argument `name`.
fn time(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{name}: expected seconds, found {seconds}")))
}

/// An evaluation for White: centipawns or the number of moves to mate, chances in thousandths, the best line, its depth
/// and the nodes searched.
type Evaluation = (Option<i32>, Option<i32>, Chances, Vec<String>, u32, u64);

/// Evaluates a position. `entente/_play.py` documents it.
#[pyfunction]
#[pyo3(signature = (position, *, nodes, depth, seconds, tables))]
pub(crate) fn evaluate(
    position: &Bound<'_, PyAny>,
    nodes: Option<Number>,
    depth: Option<Number>,
    seconds: Option<f64>,
    tables: Option<&Bound<'_, PyAny>>,
) -> PyResult<Evaluation> {
    /// Enough memory for a few hundred thousand nodes, in mebibytes.
    const HASH: u32 = 16;
    let py = position.py();
    let given::Given { game, .. } = given::read(position)?;
    let engine = Engine::new(py, tables, None)?;
    py.detach(|| engine.lock().settings.play.hash = HASH);
    let here = game.position().clone();
    let clock =
        Clock { move_time: seconds.map(|seconds| time("seconds", seconds)).transpose()?, ..Clock::default() };
    let until = Until::new(depth, nodes, None, clock)?;
    let moves = here.legal_moves().to_vec();
    let (score, chances, moves, depth, nodes) = if moves.is_empty() {
        let score = Score::without_moves(&here);
        (score, score.chances(), Vec::new(), 0, 0)
    } else {
        let inner = engine.inner;
        let found = work::interruptible(py, move |stop: &AtomicBool| {
            let mut playing = inner.lock().unwrap_or_else(PoisonError::into_inner);
            playing.search(&game, moves, 1, &until, stop)
        })?;
        let (lines, depth, nodes) = found.map_err(|error| errors::other(py, &error))?;
        let best = lines.first().ok_or_else(errors::fault)?;
        let (_, _, moves, ..) = line(best, here.castles().mode());
        (best.score, best.chances, moves, depth, nodes)
    };
    let is_white = here.turn().is_white();
    let for_white = |number: i32| if is_white { number } else { -number };
    let [win, draw, loss] = chances;
    let chances = if is_white { (win, draw, loss) } else { (loss, draw, win) };
    Ok(match score {
        // A draw without moves has the chances of a draw.
        Score::Centipawns(_) if moves.is_empty() => (Some(0), None, (0, 1000, 0), moves, depth, nodes),
        Score::Centipawns(centipawns) => (Some(for_white(centipawns)), None, chances, moves, depth, nodes),
        Score::Mate(mate) => (None, Some(for_white(mate)), chances, moves, depth, nodes),
    })
}

/// A legal move in UCI notation.
fn named(py: Python<'_>, game: &Game, text: &str) -> PyResult<Move> {
    let uci = text.parse::<UciMove>().ok();
    uci.and_then(|uci| uci.to_move(game.position()).ok())
        .ok_or_else(|| errors::position(py, format!("moves: {text:?} is not a legal move")))
}
