//! `entente.prove`: proof games of whole diagrams.

use std::{sync::atomic::AtomicBool, time::Duration};

use entente::{
    engine::{GamesWanted, Proof as Proved, ProofWanted, Verdict},
    records::{pgn::movetext, san},
};
use entente_constraint::counted;
use entente_search::proof::ProblemLine;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString},
};
use shakmaty::Position as _;

use crate::{
    errors,
    generate::root_of,
    given, networks,
    number::Number,
    position::{Position, fen_of},
    settings, work,
};

/// The time for each diagram, unless it is set, in milliseconds.
const MOVETIME: u64 = 60_000;

/// The most memory that can be given, in mebibytes.
const MAX_HASH: u32 = 1 << 20;

#[doc = doc!("Proof")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Proof {
    diagram: String,
    wanted: GamesWanted,
    proved: Proved,
}

#[doc = doc!("prove")]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
#[pyfunction]
#[pyo3(signature = (diagram, *, shortest = false, first = false, solutions = None, plies = None, hash = None, root = None, start = None, **settings))]
pub(crate) fn prove(
    diagram: &Bound<'_, PyAny>,
    shortest: bool,
    first: bool,
    solutions: Option<Number>,
    plies: Option<Number>,
    hash: Option<Number>,
    root: Option<&Bound<'_, PyAny>>,
    start: Option<Number>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Proof> {
    let py = diagram.py();
    let text = match diagram.cast::<PyString>() {
        Ok(text) => text.to_string(),
        Err(_) => fen_of(given::read(diagram)?.game.position()),
    };
    let begin = root_of(root, start.as_ref())?;
    let problem = ProblemLine::parse_from(&text, &begin)
        .map_err(|error| errors::position(py, format!("{text:?}: {error}")))?
        .problem;
    let exclusive = [("shortest", shortest), ("solutions", solutions.is_some()), ("plies", plies.is_some())];
    if let Some((other, _)) = exclusive.iter().find(|(_, is_given)| first && *is_given) {
        return Err(PyTypeError::new_err(format!("first and {other}: give one of them")));
    }
    if shortest && plies.is_some() {
        return Err(PyTypeError::new_err("shortest and plies: give one of them"));
    }
    let solutions =
        solutions.map(|games| games.within_32("solutions", 1, GamesWanted::MAX_GAMES)).transpose()?;
    let plies = plies.map(|plies| plies.within_32("plies", 0, GamesWanted::MAX_PLIES)).transpose()?;
    let wanted = GamesWanted::of(first, shortest, solutions, plies);
    let mut settings = settings::of_proofs("prove", settings)?;
    let (threads, movetime) = (settings.threads as usize, settings.movetime.unwrap_or(MOVETIME));
    (settings.seed, settings.movetime) = (Some(settings.seed.unwrap_or(1)), Some(movetime));
    settings.threads = 1;
    let mut question = ProofWanted::new(problem, wanted, settings);
    let hash = hash.map(|hash| hash.within_32("hash", 1, MAX_HASH)).transpose()?;
    (question.threads, question.hash) = (threads, hash.map_or(ProofWanted::HASH, |hash| hash as usize));
    (question.start, question.time) = (begin, Some(Duration::from_millis(movetime)));
    let proved = work::interruptible(py, move |stop: &AtomicBool| {
        networks::with_engine(|engine| engine.prove(&question, stop, &|_, _| ()))
    })?;
    Ok(Proof { diagram: text, wanted, proved: proved.map_err(|error| errors::engine(py, &error))? })
}

#[pymethods]
impl Proof {
    #[doc = doc!("Proof.outcome")]
    #[getter]
    fn outcome(&self) -> &'static str {
        self.proved.verdict.word()
    }

    #[doc = doc!("Proof.diagram")]
    #[getter]
    fn diagram(&self) -> &str {
        &self.diagram
    }

    #[doc = doc!("Proof.rule")]
    #[getter]
    fn rule(&self) -> Option<&'static str> {
        match &self.proved.verdict {
            Verdict::Illegal { rule, .. } => Some(rule),
            _ => None,
        }
    }

    #[doc = doc!("Proof.reason")]
    #[getter]
    fn reason(&self) -> Option<&str> {
        match &self.proved.verdict {
            Verdict::Illegal { reason, .. } => Some(reason),
            _ => None,
        }
    }

    #[doc = doc!("Proof.is_decided")]
    #[getter]
    fn is_decided(&self) -> bool {
        self.proved.is_decided(self.wanted)
    }

    #[doc = doc!("Proof.plies")]
    #[getter]
    fn plies(&self) -> Option<usize> {
        self.proved.games.first().map(Vec::len)
    }

    #[doc = doc!("Proof.at_least")]
    #[getter]
    fn at_least(&self) -> u32 {
        self.proved.at_least
    }

    #[doc = doc!("Proof.is_all")]
    #[getter]
    fn is_all(&self) -> bool {
        self.proved.is_all
    }

    #[doc = doc!("Proof.games")]
    #[getter]
    fn games(&self) -> Vec<Vec<String>> {
        let mode = self.proved.start.castles().mode();
        let uci = |game: &Vec<shakmaty::Move>| game.iter().map(|m| m.to_uci(mode).to_string()).collect();
        self.proved.games.iter().map(uci).collect()
    }

    #[doc = doc!("Proof.san")]
    #[getter]
    fn san(&self) -> Vec<Vec<String>> {
        self.proved.games.iter().map(|game| san(&self.proved.start, game)).collect()
    }

    #[doc = doc!("Proof.positions")]
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let game = |moves: &Vec<shakmaty::Move>| {
            let mut game = entente_search::Game::new(self.proved.start.clone());
            moves.iter().for_each(|m| game.play(*m));
            Position::of_game(&game)
        };
        self.proved.games.iter().map(game).collect()
    }

    #[doc = doc!("Proof.surprise")]
    #[getter]
    fn surprise(&self) -> Option<f64> {
        self.proved.surprise
    }

    #[doc = doc!("Proof.nodes")]
    #[getter]
    fn nodes(&self) -> u64 {
        self.proved.nodes
    }

    #[doc = doc!("Proof.seconds")]
    #[getter]
    fn seconds(&self) -> f64 {
        self.proved.time.as_secs_f64()
    }

    fn __str__(&self) -> String {
        match (&self.proved.verdict, self.proved.games.first()) {
            (Verdict::Illegal { reason, .. }, _) => format!("illegal: {reason}"),
            (_, Some(game)) => movetext(&self.proved.start, game),
            _ => self.proved.verdict.word().to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        let counted = |plies| format!(", {}", counted(plies as u64, "ply", "plies"));
        let plies = self.plies().map_or(String::new(), counted);
        format!("<entente.Proof of {:?}: {}{plies}>", self.diagram, self.proved.verdict.word())
    }
}
