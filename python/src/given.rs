//! Positions and games as Python programs have them: FENs, boards of python-chess with their moves, and positions that
//! were generated.

use entente_constraint::plies_before;
use entente_search::{Game, position_from_fen};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyString};
use shakmaty::{Chess, uci::UciMove};

use crate::{errors, position::Position};

/// A game, and whether it is known how its last position arose.
pub(crate) struct Given {
    /// The game, which ends in the position.
    pub game: Game,
    /// False for a FEN, which has no game.
    pub has_game: bool,
}

/// What `given` stands for: a FEN or `"startpos"`, a [`Position`], a `chess.Board`, whose moves are its game, or a node
/// of `chess.pgn`.
///
/// # Errors
/// `PositionError` if a text is not the FEN of a legal position or a move is illegal; `TypeError` for anything else.
pub(crate) fn read(given: &Bound<'_, PyAny>) -> PyResult<Given> {
    let py = given.py();
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Given { game: begun(position(py, &text.to_cow()?)?), has_game: false });
    }
    if let Ok(position) = given.cast::<Position>() {
        return Ok(Given { game: position.get().game(), has_game: true });
    }
    if given.hasattr("move_stack")? && given.hasattr("root")? {
        return of_board(given);
    }
    if given.hasattr("board")? && given.hasattr("mainline_moves")? {
        return of_board(&given.call_method0("board")?);
    }
    let found = errors::type_name(given);
    Err(PyTypeError::new_err(format!("expected a FEN, an entente.Position or a chess.Board, found {found}")))
}

/// The position that a FEN describes.
///
/// # Errors
/// `PositionError`
pub(crate) fn position(py: Python<'_>, text: &str) -> PyResult<Chess> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    position_from_fen(text).map_err(|error| {
        errors::position(py, format!("{text:?}: expected the FEN of a legal position: {error}"))
    })
}

/// The position of the argument `root`; the initial one if it is not given.
///
/// # Errors
/// As [`read`].
pub(crate) fn root(given: Option<&Bound<'_, PyAny>>) -> PyResult<Chess> {
    given.map_or(Ok(Chess::default()), |given| Ok(read(given)?.game.position().clone()))
}

/// A game that begins in a position, after the plies that its move number counts.
fn begun(root: Chess) -> Game {
    Game::starting_at(plies_before(&root), root)
}

/// The game of a `chess.Board`.
fn of_board(board: &Bound<'_, PyAny>) -> PyResult<Given> {
    let py = board.py();
    let variant: String = board.getattr("uci_variant")?.extract()?;
    if variant != "chess" {
        return Err(errors::position(
            py,
            format!("expected a board of standard chess or Chess960, found one of {variant}"),
        ));
    }
    let root: String = board.call_method0("root")?.call_method0("fen")?.extract()?;
    let mut game = begun(position(py, &root)?);
    for (ply, m) in board.getattr("move_stack")?.try_iter()?.enumerate() {
        let text: String = m?.call_method0("uci")?.extract()?;
        play(py, &mut game, ply, &text)?;
    }
    let has_game = !game.moves().is_empty() || *game.root() == Chess::default();
    Ok(Given { game, has_game })
}

/// Plays a move in UCI notation, which is the one after `ply` plies.
fn play(py: Python<'_>, game: &mut Game, ply: usize, text: &str) -> PyResult<()> {
    let uci = text.parse::<UciMove>().ok();
    let m = uci.and_then(|uci| uci.to_move(game.position()).ok());
    let m =
        m.ok_or_else(|| errors::position(py, format!("ply {}: {text:?} is not a legal move", ply + 1)))?;
    game.play(m);
    Ok(())
}
