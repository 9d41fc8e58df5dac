//! The positions of games in PGN that satisfy a constraint.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Cursor, Read},
    sync::{Mutex, PoisonError},
};

use entente_cli::pgn::{Found, GameFault, Games, decoded};
use entente_constraint::Constraint as Expression;
use entente_search::Game;
use pyo3::{exceptions::PyOSError, prelude::*};

use crate::{constraint::Constraint, errors, position::Position};

#[doc = doc!("Matches")]
#[pyclass(module = "entente._entente", frozen)]
pub(crate) struct Matches {
    constraint: Py<Constraint>,
    reading: Mutex<Reading>,
}

struct Reading {
    games: Games<Box<dyn Read + Send>>,
    /// The game that is being replayed, and what has been replayed of it; the constraint's notes are taken on the way.
    current: Option<(Game, Game)>,
    /// True if the last position of the replay has been looked at.
    is_seen: bool,
    /// The games read so far.
    number: u64,
    faults: VecDeque<String>,
}

impl Reading {
    /// Goes to the next position of the file, which is the last one of the game returned; `None` at the end.
    fn next(&mut self, constraint: &Expression) -> Result<Option<&Game>, String> {
        loop {
            if let Some((whole, replayed)) = &mut self.current {
                match whole.moves().get(replayed.moves().len()) {
                    _ if !self.is_seen => self.is_seen = true,
                    Some(m) => replayed.play(*m),
                    None => self.current = None,
                }
            }
            if self.current.is_some() {
                return Ok(self.current.as_ref().map(|(_, replayed)| replayed));
            }
            match self.games.next_game().map_err(|error| error.to_string())? {
                None => return Ok(None),
                Some(Found::Game(read)) => {
                    self.number += 1;
                    if let Some(GameFault { line, game, ply, what }) = &read.fault {
                        self.faults.push_back(format!("line {line}, game {game}, ply {ply}: {what}"));
                    }
                    let replayed = Game::new(read.game.root().clone()).noting(constraint);
                    (self.current, self.is_seen) = (Some((read.game, replayed)), false);
                }
                Some(Found::Skipped(GameFault { line, game, what, .. })) => {
                    self.number += 1;
                    self.faults.push_back(format!("line {line}: game {game} is skipped: {what}"));
                }
                Some(Found::Text(GameFault { line, what, .. })) => {
                    self.faults.push_back(format!("line {line}: not a game: {what}"));
                }
                Some(Found::Nothing) => {}
            }
        }
    }

    /// Looks at up to `most` positions.
    fn look(&mut self, constraint: &Expression, most: usize) -> Result<Looked, String> {
        for _ in 0..most {
            let Some(game) = self.next(constraint)? else { return Ok(Looked::End) };
            if constraint.holds(game.situation()) {
                let game = Box::new(game.clone());
                return Ok(Looked::Found(self.number, game));
            }
        }
        Ok(Looked::Nothing)
    }
}

#[pymethods]
impl Matches {
    /// Of the file `path`, or of the text `text`.
    #[new]
    #[pyo3(signature = (constraint, *, path = None, text = None))]
    fn new(constraint: Py<Constraint>, path: Option<String>, text: Option<String>) -> PyResult<Matches> {
        let input: Box<dyn Read + Send> = match (&path, text) {
            (Some(path), _) => {
                let file = File::open(path).map_err(|error| {
                    // With the number and the name, Python makes it a FileNotFoundError.
                    PyOSError::new_err((error.raw_os_error().unwrap_or(0), reason(&error), path.clone()))
                })?;
                Box::new(file)
            }
            (None, text) => Box::new(Cursor::new(text.unwrap_or_default())),
        };
        let input = decoded(input)?;
        let reading = Reading {
            games: Games::new(input),
            current: None,
            is_seen: false,
            number: 0,
            faults: VecDeque::new(),
        };
        Ok(Matches { constraint, reading: Mutex::new(reading) })
    }

    fn __iter__(slf: Py<Matches>) -> Py<Matches> {
        slf
    }

    /// Game, ply and position.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(u64, usize, Position)>> {
        /// How many positions are read before a look for signals.
        const LOOK: usize = 20_000;
        let constraint = self.constraint.get();
        loop {
            let found = py.detach(|| {
                let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
                reading.look(constraint.expression(), LOOK)
            });
            match found.map_err(|error| errors::other(py, &error))? {
                Looked::End => return Ok(None),
                Looked::Nothing => {}
                Looked::Found(number, game) => {
                    let (plies, position) = (game.moves().len(), Position::of_game(&game));
                    if constraint.holds_in(py, *game, Vec::new())? {
                        return Ok(Some((number, plies, position)));
                    }
                }
            }
            py.check_signals()?;
        }
    }

    #[doc = doc!("Matches.faults")]
    fn faults(&self) -> Vec<String> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).faults.drain(..).collect()
    }
}

/// What a look at some positions found.
enum Looked {
    Nothing,
    Found(u64, Box<Game>),
    End,
}

/// Why a file cannot be read, without the number that Python adds.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
