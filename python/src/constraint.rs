//! Constraints, and which positions satisfy them.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use entente::{
    generation::reason_impossible,
    judge::{
        Judge, JudgeOptions,
        endings::{endings_of, endings_on, open, prepare},
    },
};
use entente_constraint::{Constraint as Expression, Definitions, Target};
use entente_endings::{Endings, Material};
use entente_search::{Game, Limits};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyString, PyTuple},
};
use shakmaty::Chess;

use crate::{errors, given, work};

#[doc = doc!("Constraint")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Constraint {
    expression: Arc<Expression>,
    is_judged: bool,
    is_of_the_game: bool,
    /// What decides judged conditions, made when it is first needed.
    judge: Arc<Mutex<Option<Referee>>>,
}

impl Constraint {
    pub(crate) fn new(expression: Expression) -> Constraint {
        Constraint {
            is_judged: expression.is_judged(),
            is_of_the_game: expression.atoms().into_iter().any(|atom| atom.is_of_the_game()),
            expression: Arc::new(expression),
            judge: Arc::default(),
        }
    }

    pub(crate) fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The game that `given` stands for, which must be known if the constraint says something about it.
    fn game(&self, given: &Bound<'_, PyAny>) -> PyResult<Game> {
        let given::Given { game, has_game } = given::read(given)?;
        if self.is_of_the_game && !has_game {
            return Err(PyValueError::new_err(format!(
                "'{}' is about the game, and a FEN has none: give an entente.Position or a chess.Board with its moves",
                self.expression
            )));
        }
        Ok(if self.is_of_the_game { noted(&game, &self.expression) } else { game })
    }

    /// For each of `parts`, whether it holds at the end of the game. `wanted` are endings whose tables are used.
    fn judged(
        &self,
        py: Python<'_>,
        game: Game,
        wanted: Vec<Material>,
        parts: Vec<Expression>,
    ) -> PyResult<Vec<bool>> {
        let (expression, judge) = (Arc::clone(&self.expression), Arc::clone(&self.judge));
        let ruled = work::interruptible(py, move |stop: &AtomicBool| {
            rule(&expression, &judge, (&game, &wanted), &parts, stop)
        })?;
        ruled.map_err(|error| errors::other(py, &error))
    }

    /// Whether the constraint holds at the end of a game of which it knows enough. `wanted` are endings whose tables are
    /// used, in addition to those that the constraint names.
    pub(crate) fn holds_in(&self, py: Python<'_>, game: Game, wanted: Vec<Material>) -> PyResult<bool> {
        if !self.expression.holds(game.situation()) {
            return Ok(false);
        }
        if !self.is_judged {
            return Ok(true);
        }
        Ok(self.judged(py, game, wanted, vec![(*self.expression).clone()])?[0])
    }
}

/// The game with the notes that the constraint asks for, which are taken as it is played.
fn noted(game: &Game, expression: &Expression) -> Game {
    let mut noted = Game::new(game.root().clone()).noting(expression);
    game.moves().iter().for_each(|m| noted.play(*m));
    noted
}

/// The search that decides judged conditions, and its tables of endings.
struct Referee {
    judge: Judge,
    tables: Endings,
}

impl Referee {
    /// The referee of a constraint; `None` if it has no judged conditions.
    fn new(expression: &Expression, stop: &AtomicBool) -> Result<Option<Referee>, String> {
        let of_target = Target::new(expression.clone()).map(|target| endings_of(&target, &Chess::default()));
        let tables = open(None, &of_target.unwrap_or_default(), stop).map_err(|error| error.to_string())?;
        let judge = Judge::new(expression, &JudgeOptions::default(), Some(&tables));
        Ok(judge.map_err(|error| error.to_string())?.map(|judge| Referee { judge, tables }))
    }
}

/// The rulings of the referee, which is made if there is none.
fn rule(
    expression: &Expression,
    referee: &Mutex<Option<Referee>>,
    (game, wanted): (&Game, &[Material]),
    parts: &[Expression],
    stop: &AtomicBool,
) -> Result<Vec<bool>, String> {
    let mut referee = referee.lock().unwrap_or_else(PoisonError::into_inner);
    if referee.is_none() {
        *referee = Referee::new(expression, stop)?;
    }
    let Some(Referee { judge, tables }) = referee.as_mut() else { return Ok(vec![true; parts.len()]) };
    prepare(tables, wanted, stop);
    let rulings = parts.iter().map(|part| judge.rules(part, game.situation(), Limits::until(stop)));
    let rulings: Result<Vec<bool>, _> = rulings.collect();
    // After an interruption no one reads the rulings.
    debug_assert!(!stop.load(Ordering::Relaxed) || rulings.is_ok());
    rulings.map_err(|error| error.to_string())
}

#[pymethods]
impl Constraint {
    #[new]
    #[pyo3(signature = (text, *, definitions = None))]
    fn parse(py: Python<'_>, text: &str, definitions: Option<&str>) -> PyResult<Constraint> {
        let definitions = match definitions {
            None => Definitions::default(),
            Some(text) => Definitions::read(text)
                .map_err(|error| errors::complex(py, format!("definitions: {error}")))?,
        };
        let parsed = definitions.parse(text);
        Ok(Constraint::new(parsed.map_err(|error| errors::parse(py, &error))?))
    }

    #[doc = doc!("Constraint.holds")]
    fn holds(&self, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        let game = self.game(board)?;
        let wanted = endings_on(std::iter::once(game.position()));
        self.holds_in(board.py(), game, wanted)
    }

    #[doc = doc!("Constraint.explain")]
    #[pyo3(signature = (board = None))]
    fn explain(&self, board: Option<&Bound<'_, PyAny>>) -> PyResult<Explanation> {
        let lines = self.expression.in_words();
        let text = self.expression.to_string();
        let Some(board) = board else {
            let lines = lines.iter().map(|line| (line.text.clone(), line.depth, None)).collect();
            return Ok(Explanation { constraint: text, satisfied: None, lines });
        };
        let (py, game) = (board.py(), self.game(board)?);
        let holds: Vec<bool> = if self.is_judged {
            let parts = std::iter::once(&*self.expression).chain(lines.iter().map(|line| line.part));
            let wanted = endings_on(std::iter::once(game.position()));
            self.judged(py, game, wanted, parts.cloned().collect())?
        } else {
            let situation = game.situation();
            let parts = std::iter::once(&*self.expression).chain(lines.iter().map(|line| line.part));
            parts.map(|part| part.holds(situation)).collect()
        };
        let lines = lines
            .iter()
            .zip(&holds[1..])
            .map(|(line, holds)| (line.text.clone(), line.depth, Some(*holds != line.negated)));
        Ok(Explanation { constraint: text, satisfied: Some(holds[0]), lines: lines.collect() })
    }

    #[doc = doc!("Constraint.reason_impossible")]
    #[pyo3(signature = (root = None))]
    fn reason_impossible(&self, root: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        let reason = reason_impossible(&self.expression, &given::root(root)?);
        Ok(reason.map(|reason| reason.to_string()))
    }

    #[doc = doc!("Constraint.is_judged")]
    #[getter]
    fn is_judged(&self) -> bool {
        self.is_judged
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Constraint> {
        let parts = vec![(*self.expression).clone(), read(other)?];
        Ok(Constraint::new(Expression::All(parts)))
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Constraint> {
        let parts = vec![(*self.expression).clone(), read(other)?];
        Ok(Constraint::new(Expression::Any(parts)))
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Constraint> {
        let parts = vec![read(other)?, (*self.expression).clone()];
        Ok(Constraint::new(Expression::All(parts)))
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Constraint> {
        let parts = vec![read(other)?, (*self.expression).clone()];
        Ok(Constraint::new(Expression::Any(parts)))
    }

    fn __invert__(&self) -> Constraint {
        Constraint::new(Expression::Not(Box::new((*self.expression).clone())))
    }

    fn __str__(&self) -> String {
        self.expression.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Constraint({:?})", self.expression.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Constraint>().is_ok_and(|other| other.get().expression == self.expression)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.expression.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let class = py.get_type::<Constraint>().into_any();
        Ok((class, PyTuple::new(py, [slf.get().expression.to_string()])?))
    }
}

#[doc = doc!("Explanation")]
#[pyclass(module = "entente", frozen, get_all)]
pub(crate) struct Explanation {
    #[doc = doc!("Explanation.constraint")]
    constraint: String,
    #[doc = doc!("Explanation.satisfied")]
    satisfied: Option<bool>,
    #[doc = doc!("Explanation.lines")]
    lines: Vec<(String, usize, Option<bool>)>,
}

#[pymethods]
impl Explanation {
    fn __bool__(&self) -> PyResult<bool> {
        self.satisfied.ok_or_else(|| {
            PyTypeError::new_err(
                "this explains a constraint without a board; explain(board) says whether it holds",
            )
        })
    }

    fn __str__(&self) -> String {
        let verdict = match self.satisfied {
            None => "",
            Some(true) => ": satisfied",
            Some(false) => ": not satisfied",
        };
        let mut text = format!("{}{verdict}", self.constraint);
        for (line, depth, holds) in &self.lines {
            let mark = match holds {
                None => "",
                Some(true) => "yes  ",
                Some(false) => "no   ",
            };
            text += &format!("\n  {mark}{}{line}", "  ".repeat(*depth));
        }
        text
    }

    fn __repr__(&self) -> String {
        format!("<entente.Explanation of {:?}>", self.constraint)
    }
}

/// The constraint that an argument stands for: a text, or a [`Constraint`].
///
/// # Errors
/// `ConstraintError` for a text that is not a constraint, `TypeError` for anything else.
pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Expression> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        let parsed = text.to_cow()?.parse();
        return parsed.map_err(|error| errors::parse(py, &error));
    }
    match given.cast::<Constraint>() {
        Ok(constraint) => Ok(constraint.get().expression().clone()),
        Err(_) => {
            let found = errors::type_name(given);
            Err(PyTypeError::new_err(format!(
                "constraint: expected a str or an entente.Constraint, found {found}"
            )))
        }
    }
}

/// The target of a constraint.
///
/// # Errors
/// `ConstraintError` if the constraint is too complex.
pub(crate) fn target(py: Python<'_>, constraint: Expression) -> PyResult<Target> {
    Target::new(constraint).map_err(|error| errors::complex(py, error.to_string()))
}
