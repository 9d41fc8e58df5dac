//! `entente.policy`: which moves humans play, in many positions at once.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use entente::{
    engine::EngineError,
    generation::{
        DEFAULT_MAX_PLIES, Plan, Request,
        policy::{Asked, Inquiry, MoveProbabilities},
    },
    parallel::in_order,
};
use entente_constraint::{Target, counted};
use entente_network::NetworkError;
use entente_search::{Chess960, Game};
use pyo3::{
    exceptions::{PyIndexError, PyTypeError},
    prelude::*,
    types::{PyDict, PyList, PyString},
};
use shakmaty::Position as _;

use crate::{
    arrays::matrix, constraint, errors, given, networks, number::Number, position::fen_of, settings, work,
};

/// How many batches each thread may have ahead of the slowest.
const AHEAD: usize = 4;

#[doc = doc!("Predictions")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Predictions {
    games: Arc<Vec<Game>>,
    answers: Vec<MoveProbabilities>,
    has_results: bool,
    has_goal: bool,
    /// The arrays, each made when it is first asked for.
    probabilities: OnceLock<Py<PyAny>>,
    results: OnceLock<Py<PyAny>>,
    met: OnceLock<Py<PyAny>>,
}

/// Everything that the answers depend on.
struct Question {
    target: Option<Target>,
    plies_left: u32,
    request: Request,
    games: Arc<Vec<Game>>,
}

/// The answers, and whether they predict results and the constraint.
type Answered = Result<(Vec<MoveProbabilities>, bool, bool), Failure>;

enum Failure {
    Request(Box<entente::generation::RequestError>),
    Network(NetworkError),
}

impl Question {
    fn answer(&self, stop: &AtomicBool) -> Answered {
        let job = networks::with_engine(|engine| engine.job_within_reach(&self.request));
        let job = job.map_err(|error| Failure::Request(Box::new(error)))?;
        let Plan::GoalPolicy(plan) = &job.plan else { unreachable!("this method uses a policy") };
        let ratings = job.plan.middle_ratings();
        let inquiry = Inquiry::of(plan, self.target.as_ref().map(|target| (target, self.plies_left)));
        let batches = self.games.chunks(Inquiry::BATCH).take_while(|_| !stop.load(Ordering::Relaxed));
        let threads =
            (self.request.settings.threads as usize).min(self.games.len().div_ceil(Inquiry::BATCH)).max(1);
        let mut sessions: Vec<_> = (0..threads).map(|_| inquiry.session()).collect();
        let mut answers = Vec::with_capacity(self.games.len());
        in_order(
            batches,
            &mut sessions,
            AHEAD * threads,
            |session, batch: &[Game]| {
                let asked: Vec<Asked<'_>> = batch.iter().map(|game| Asked { game, ratings }).collect();
                inquiry.answer(&asked, session)
            },
            |batch| {
                answers.extend(batch);
                Ok(ControlFlow::Continue(()))
            },
        )
        .map_err(Failure::Network)?;
        Ok((answers, inquiry.policy.predicts_results(), inquiry.predicts_goal()))
    }
}

#[doc = doc!("policy")]
#[pyfunction]
#[pyo3(signature = (positions, *, constraint = None, plies_left = None, **settings))]
pub(crate) fn policy(
    positions: &Bound<'_, PyAny>,
    constraint: Option<&Bound<'_, PyAny>>,
    plies_left: Option<Number>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Predictions> {
    let py = positions.py();
    let target = constraint.map(constraint::read).transpose()?;
    let target = target.map(|target| constraint::target(py, target)).transpose()?;
    if plies_left.is_some() && target.is_none() {
        return Err(PyTypeError::new_err(
            "plies_left: expected constraint, too, which these plies are left for",
        ));
    }
    let plies_left = plies_left.map(|plies| plies.within_32("plies_left", 1, 1000)).transpose()?;
    let settings = settings::of_players("policy", settings)?;
    let games = Arc::new(games(positions)?);
    let request = Request::for_predictions(target.as_ref(), settings);
    let question = Question {
        target,
        plies_left: plies_left.unwrap_or(DEFAULT_MAX_PLIES),
        request,
        games: Arc::clone(&games),
    };
    let answered = work::interruptible(py, move |stop: &AtomicBool| question.answer(stop))?;
    let (answers, has_results, has_goal) = answered.map_err(|failure| match failure {
        Failure::Request(error) => errors::request(py, &error),
        Failure::Network(error) => errors::other(py, &error),
    })?;
    Ok(Predictions {
        games,
        answers,
        has_results,
        has_goal,
        probabilities: OnceLock::new(),
        results: OnceLock::new(),
        met: OnceLock::new(),
    })
}

/// The games that lead to the positions: of one, or of many.
fn games(positions: &Bound<'_, PyAny>) -> PyResult<Vec<Game>> {
    let py = positions.py();
    let standard = |given: given::Given| match Chess960::castles_differently(given.game.position()) {
        true => Err(errors::position(py, EngineError::StandardChessOnly.to_string())),
        false => Ok(given.game),
    };
    let is_one = positions.is_instance_of::<PyString>() || positions.hasattr("move_stack")?;
    if is_one || positions.is_instance_of::<crate::position::Position>() {
        return Ok(vec![given::read(positions).and_then(standard)?]);
    }
    let mut games = Vec::with_capacity(positions.len().unwrap_or(0));
    for (place, position) in positions.try_iter()?.enumerate() {
        let game = given::read(&position?).and_then(standard).map_err(|error| {
            // The same exception, with the place.
            let message = format!("position {place}: {}", error.value(py));
            error.get_type(py).call1((message,)).map_or_else(|other| other, PyErr::from_value)
        })?;
        games.push(game);
    }
    Ok(games)
}

impl Predictions {
    fn uci(&self, place: usize) -> impl Iterator<Item = String> {
        let mode = self.games[place].position().castles().mode();
        self.answers[place].moves.iter().map(move |m| m.to_uci(mode).to_string())
    }

    fn cached<'py>(
        py: Python<'py>,
        cell: &OnceLock<Py<PyAny>>,
        columns: usize,
        numbers: impl FnOnce() -> Vec<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(array) = cell.get() {
            return Ok(array.bind(py).clone());
        }
        let array = matrix(py, numbers(), columns)?;
        Ok(cell.get_or_init(|| array.unbind()).bind(py).clone())
    }
}

#[pymethods]
impl Predictions {
    fn __len__(&self) -> usize {
        self.answers.len()
    }

    /// A dict of moves and probabilities, the likeliest first.
    fn __getitem__<'py>(&self, py: Python<'py>, place: isize) -> PyResult<Bound<'py, PyDict>> {
        let length = self.answers.len();
        let place = if place < 0 { place.checked_add_unsigned(length) } else { Some(place) };
        let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < length);
        let place = place.ok_or_else(|| PyIndexError::new_err(format!("expected a place below {length}")))?;
        let probabilities = &self.answers[place].probabilities;
        let mut moves: Vec<(String, f32)> = self.uci(place).zip(probabilities.iter().copied()).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        let dict = PyDict::new(py);
        for (m, probability) in moves {
            dict.set_item(m, probability)?;
        }
        Ok(dict)
    }

    #[doc = doc!("Predictions.fens")]
    #[getter]
    fn fens(&self) -> Vec<String> {
        self.games.iter().map(|game| fen_of(game.position())).collect()
    }

    #[doc = doc!("Predictions.moves")]
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lists = (0..self.answers.len()).map(|place| PyList::new(py, self.uci(place).collect::<Vec<_>>()));
        PyList::new(py, lists.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = doc!("Predictions.probabilities")]
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let widest = self.answers.iter().map(|answer| answer.moves.len()).max().unwrap_or(0);
        Self::cached(py, &self.probabilities, widest, || {
            let mut numbers = Vec::with_capacity(widest * self.answers.len());
            for answer in &self.answers {
                numbers.extend_from_slice(&answer.probabilities);
                numbers.resize(numbers.len() + widest - answer.probabilities.len(), 0.0);
            }
            numbers
        })
    }

    #[doc = doc!("Predictions.results")]
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let numbers = || self.answers.iter().flat_map(|answer| answer.prediction.result).collect();
        self.has_results.then(|| Self::cached(py, &self.results, 3, numbers)).transpose()
    }

    #[doc = doc!("Predictions.met")]
    #[getter]
    fn met<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.has_goal {
            return Ok(None);
        }
        let numbers = || self.answers.iter().map(|answer| answer.prediction.value).collect();
        Self::cached(py, &self.met, 1, numbers)?.call_method0("ravel").map(Some)
    }

    fn __repr__(&self) -> String {
        format!("<entente.Predictions for {}>", counted(self.answers.len() as u64, "position", "positions"))
    }
}
