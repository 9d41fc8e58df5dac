//! A generated position with its game.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
    sync::Arc,
};

use entente::{
    generation::Generation,
    records::{
        Provenance, Record, Replay, fen,
        pgn::{movetext, pgn, wrapped},
        san,
    },
};
use entente_cli::dataset::Position as Row;
use entente_constraint::counted;
use entente_render::Drawing;
use entente_search::Game;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyTuple},
};
use shakmaty::{Chess, Color, EnPassantMode, Move, Outcome, Position as _, fen::Epd};

use crate::{errors, given};

#[doc = doc!("Position")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Position {
    context: Arc<Provenance>,
    /// Everything else that is known; its moves are in `moves`.
    record: Record,
    moves: Vec<Move>,
    last: Chess,
    seconds: f64,
}

impl Position {
    /// The position of a run.
    pub(crate) fn new(context: &Arc<Provenance>, generation: &Generation) -> Position {
        let mut record = Record::new(context, generation);
        record.moves = Vec::new();
        Position {
            context: Arc::clone(context),
            record,
            moves: generation.moves.clone(),
            last: generation.position.clone(),
            seconds: generation.time.as_secs_f64(),
        }
    }

    /// The last position of a game that was not generated.
    pub(crate) fn of_game(game: &Game) -> Position {
        let (root, moves) = (game.root().clone(), game.moves().to_vec());
        let context = Arc::new(Provenance {
            event: "?".to_owned(),
            player: "?".to_owned(),
            root: root.clone(),
            constraint: String::new(),
            method: String::new(),
            seed: 0,
        });
        let distance = entente::generation::Distance::Men(0);
        Position::new(&context, &Generation::of_game(&root, moves, distance))
    }

    /// Its game.
    pub(crate) fn game(&self) -> Game {
        let mut game = Game::new(self.context.root.clone());
        self.moves.iter().for_each(|m| game.play(*m));
        game
    }

    /// Everything that is known, with the moves.
    pub(crate) fn whole_record(&self) -> Record {
        Record { moves: self.uci(), ..self.record.clone() }
    }

    /// Its row in a table.
    pub(crate) fn row(&self) -> Row {
        let replay =
            Replay { root: self.context.root.clone(), moves: self.moves.clone(), last: self.last.clone() };
        Row::new(self.whole_record(), &replay)
    }

    /// True if it was generated, and not read from a game.
    fn is_generated(&self) -> bool {
        !self.record.method.is_empty()
    }

    fn uci(&self) -> Vec<String> {
        let mode = self.context.root.castles().mode();
        self.moves.iter().map(|m| m.to_uci(mode).to_string()).collect()
    }

    fn drawing(&self) -> Drawing<'_> {
        let last_move = self.moves.last().and_then(|m| m.from().map(|from| (from, m.to())));
        Drawing { last_move, ..Drawing::new(self.last.board(), self.record.fen.clone()) }
    }
}

#[pymethods]
impl Position {
    #[doc = doc!("Position.fen")]
    #[getter]
    fn fen(&self) -> &str {
        &self.record.fen
    }

    #[doc = doc!("Position.root")]
    #[getter]
    fn root(&self) -> &str {
        &self.record.root
    }

    #[doc = doc!("Position.moves")]
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.uci()
    }

    #[doc = doc!("Position.san")]
    #[getter]
    fn san(&self) -> Vec<String> {
        san(&self.context.root, &self.moves)
    }

    #[doc = doc!("Position.plies")]
    #[getter]
    fn plies(&self) -> usize {
        self.moves.len()
    }

    #[doc = doc!("Position.found")]
    #[getter]
    fn found(&self) -> bool {
        self.record.outcome == entente::generation::Outcome::Found
    }

    #[doc = doc!("Position.distance")]
    #[getter]
    fn distance(&self) -> u32 {
        self.record.distance
    }

    #[doc = doc!("Position.constraint")]
    #[getter]
    fn constraint(&self) -> Option<&str> {
        self.is_generated().then_some(&*self.record.constraint)
    }

    #[doc = doc!("Position.method")]
    #[getter]
    fn method(&self) -> Option<&str> {
        self.is_generated().then_some(&*self.record.method)
    }

    #[doc = doc!("Position.delivered_by")]
    #[getter]
    fn delivered_by(&self) -> Option<&'static str> {
        self.record.policy.as_ref().map(|policy| policy.delivered_by.word())
    }

    #[doc = doc!("Position.surprise")]
    #[getter]
    fn surprise(&self) -> Option<f64> {
        self.record.policy.as_ref().map(|policy| policy.surprise)
    }

    #[doc = doc!("Position.white_elo")]
    #[getter]
    fn white_elo(&self) -> Option<u16> {
        self.record.policy.as_ref().and_then(|policy| policy.white_elo)
    }

    #[doc = doc!("Position.black_elo")]
    #[getter]
    fn black_elo(&self) -> Option<u16> {
        self.record.policy.as_ref().and_then(|policy| policy.black_elo)
    }

    #[doc = doc!("Position.centipawns")]
    #[getter]
    fn centipawns(&self) -> Option<i32> {
        self.record.centipawns
    }

    #[doc = doc!("Position.puzzle_rating")]
    #[getter]
    fn puzzle_rating(&self) -> Option<i16> {
        self.record.puzzle.map(|puzzle| puzzle.puzzle_rating)
    }

    #[doc = doc!("Position.seed")]
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.is_generated().then_some(self.record.seed)
    }

    #[doc = doc!("Position.index")]
    #[getter]
    fn index(&self) -> u64 {
        self.record.index
    }

    #[doc = doc!("Position.attempts")]
    #[getter]
    fn attempts(&self) -> u32 {
        self.record.attempts
    }

    #[doc = doc!("Position.nodes")]
    #[getter]
    fn nodes(&self) -> u64 {
        self.record.nodes
    }

    #[doc = doc!("Position.seconds")]
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    #[doc = doc!("Position.pgn")]
    #[pyo3(signature = (number = 1))]
    fn pgn(&self, number: u64) -> String {
        if !self.is_generated() {
            // Nothing is known but the game.
            return written(&self.context.root, &self.moves, &self.last);
        }
        pgn(&self.context, number, &self.moves, &self.last, self.record.policy.as_ref())
    }

    #[doc = doc!("Position.epd")]
    fn epd(&self) -> String {
        if !self.is_generated() {
            return Epd::from_position(&self.last, EnPassantMode::Legal).to_string();
        }
        let epd = self.context.epd(self.record.index, self.moves.len(), &self.last, self.record.centipawns);
        epd.trim_end().to_owned()
    }

    #[doc = doc!("Position.json")]
    fn json(&self) -> String {
        serde_json::to_string(&self.whole_record()).expect("a record is always JSON")
    }

    #[doc = doc!("Position.as_dict")]
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let read = py.import("json")?.call_method1("loads", (self.json(),))?.cast_into::<PyDict>()?;
        if !self.is_generated() {
            let known = PyDict::new(py);
            for key in ["root", "fen", "plies", "moves"] {
                known.set_item(key, read.get_item(key)?)?;
            }
            return Ok(known);
        }
        Ok(read)
    }

    #[doc = doc!("Position.board")]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let is_chess960 = self.context.root.castles().mode().is_chess960();
        let settings = PyDict::new(py);
        settings.set_item("chess960", is_chess960)?;
        let board = py.import("chess")?.getattr("Board")?.call((self.root(),), Some(&settings))?;
        for m in self.uci() {
            board.call_method1("push_uci", (m,))?;
        }
        Ok(board)
    }

    #[doc = doc!("Position.svg")]
    #[pyo3(signature = (*, size = 512, orientation = None, coordinates = true))]
    fn svg(&self, size: u32, orientation: Option<&str>, coordinates: bool) -> PyResult<String> {
        let bottom = match orientation {
            None => Color::White,
            Some("white") => Color::White,
            Some("black") => Color::Black,
            Some("mover") => self.last.turn(),
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "orientation: expected 'white', 'black' or 'mover', found {other:?}"
                )));
            }
        };
        if !(16..=Drawing::MAX_SIZE).contains(&size) {
            let most = Drawing::MAX_SIZE;
            return Err(PyValueError::new_err(format!("size: expected 16 to {most} pixels, found {size}")));
        }
        Ok(Drawing { size, bottom, coordinates, ..self.drawing() }.svg())
    }

    fn _repr_svg_(&self) -> String {
        /// Boards in notebooks stand next to text.
        const SIZE: u32 = 320;
        Drawing { size: SIZE, ..self.drawing() }.svg()
    }

    fn __str__(&self) -> &str {
        self.fen()
    }

    fn __repr__(&self) -> String {
        let state = if self.found() { "" } else { ", not found" };
        let plies = counted(self.moves.len() as u64, "ply", "plies");
        format!("<entente.Position {:?} after {plies}{state}>", self.record.fen)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.get();
            self.moves == other.moves
                && self.record == other.record
                && self.context.root == other.context.root
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.record.fen, self.record.index, self.moves.len()).hash(&mut hasher);
        hasher.finish()
    }

    #[doc = doc!("Position.of")]
    #[staticmethod]
    fn of(board: &Bound<'_, PyAny>) -> PyResult<Position> {
        Ok(Position::of_game(&given::read(board)?.game))
    }

    #[doc = doc!("Position.from_json")]
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Position> {
        let record: Record = serde_json::from_str(text)
            .map_err(|error| PyValueError::new_err(format!("expected a position as JSON: {error}")))?;
        let replay = record.replay().map_err(|error| errors::position(py, error.to_string()))?;
        let context = Provenance {
            root: replay.root,
            constraint: record.constraint.clone(),
            method: record.method.clone(),
            seed: record.seed,
            ..Provenance::of_program()
        };
        let record = Record { moves: Vec::new(), ..record };
        Ok(Position {
            context: Arc::new(context),
            record,
            moves: replay.moves,
            last: replay.last,
            seconds: 0.0,
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let read = py.get_type::<Position>().getattr("from_json")?;
        Ok((read, PyTuple::new(py, [slf.get().json()])?))
    }
}

/// A game as PGN with the tags that PGN demands, where nothing else is known.
fn written(root: &Chess, moves: &[Move], last: &Chess) -> String {
    let mut text = String::new();
    for tag in ["Event", "Site", "Date", "Round", "White", "Black"] {
        text += &format!("[{tag} \"{}\"]\n", if tag == "Date" { "????.??.??" } else { "?" });
    }
    let result = match last.outcome() {
        Outcome::Known(known) => known.as_str(),
        Outcome::Unknown => "*",
    };
    text += &format!("[Result \"{result}\"]\n");
    if *root != Chess::default() {
        text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen(root));
    }
    format!("{text}\n{}\n\n", wrapped(&format!("{} {result}", movetext(root, moves)), 80))
}

/// The FEN of a position.
pub(crate) fn fen_of(position: &Chess) -> String {
    fen(position).to_string()
}
