"""Data sets, and positions in games that others have played."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TextIO

from . import _entente
from ._entente import Constraint, Dataset, Explanation, Position

if TYPE_CHECKING:
    from ._types import Board


class Match(NamedTuple):
    """A position of a game that satisfies a constraint.

    Attributes:
        game: The number of the game in the file, from 1.
        ply: The number of plies before the position, from 0.
        position: The position, with the moves of the game up to it. The tags of the game are not kept.
    """

    game: int
    ply: int
    position: Position


def _as_constraint(constraint: str | Constraint) -> Constraint:
    return constraint if isinstance(constraint, Constraint) else Constraint(constraint)


def check(constraint: str | Constraint, board: Board | None = None) -> Explanation:
    """Explain a constraint in words and, with a board, say whether it is satisfied and which conditions hold.

    >>> import entente
    >>> print(entente.check("N@f5 check=black", "4k3/8/8/5N2/8/8/8/4K3 b - - 0 1"))
    N@f5 & check=black: not satisfied
      yes  a white knight stands on f5
      no   Black is in check
    """
    return _as_constraint(constraint).explain(board)


def matches(constraint: str | Constraint, pgn: str | os.PathLike[str] | TextIO) -> Iterator[Match]:
    """Find the positions of games that satisfy a constraint.

    Args:
        constraint: The constraint.
        pgn: The path of a file in PGN, which may be compressed (.gz, .zst, .bz2), or an open text file.

    Yields:
        Each position, as it is found. Games that cannot be read are warned about, and left out.

    >>> import entente, io
    >>> games = io.StringIO("1. e4 d5 2. exd5 Qxd5 3. Qg4 Bxg4 *")
    >>> [(match.ply, str(match.position)) for match in entente.matches("Q=0", games)]
    [(6, 'rn2kbnr/ppp1pppp/8/3q4/6b1/8/PPPP1PPP/RNB1KBNR w KQkq - 0 4')]
    """
    parsed = _as_constraint(constraint)
    if not isinstance(pgn, (str, os.PathLike)) and not hasattr(pgn, "read"):
        raise TypeError(f"pgn: expected a path or an open text file, found {type(pgn).__name__}")
    if isinstance(pgn, (str, os.PathLike)):
        return _found(_entente.Matches(parsed, path=os.fspath(pgn)))
    text = pgn.read()
    if not isinstance(text, str):
        raise TypeError("pgn: expected a file opened as text, found one opened as bytes")
    return _found(_entente.Matches(parsed, text=text))


def _found(reader: _entente.Matches) -> Iterator[Match]:
    for game, ply, position in reader:
        _warn(reader)
        yield Match(game, ply, position)
    _warn(reader)


def _warn(reader: _entente.Matches) -> None:
    for fault in reader.faults():
        warnings.warn(fault, stacklevel=3)


def filter(constraint: str | Constraint, boards: Iterable[Board]) -> Iterator[Board]:
    """Return an iterator over those of some boards that satisfy a constraint.

    >>> import entente
    >>> fens = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
    >>> list(entente.filter("R=1", fens))
    ['4k3/8/8/8/8/8/8/4K2R w K - 0 1']
    """
    parsed = _as_constraint(constraint)
    if isinstance(boards, str):
        raise TypeError("boards: expected several boards, such as a list, found one")
    return (board for board in boards if parsed.holds(board))


def dataset(
    plan: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    resume: bool = False,
    threads: int | None = None,
) -> Dataset:
    """Generate the data set of a plan: many different positions for each constraint and rating.

    Args:
        plan: The path of the plan, a TOML file; docs/datasets.md describes it.
        output: The folder for the data set, as the program's `entente dataset` writes it.
        resume: True to continue a data set that Ctrl-C has interrupted.
        threads: The number of threads, by default as many as cores.

    Returns:
        The data set. `pandas.DataFrame.from_arrow`, `polars.DataFrame`, `pyarrow.table` and DuckDB take it as it is.
        In SQL, `constraint` is a reserved word: write `"constraint"`.

    Raises:
        EntenteError: The plan is wrong, the folder has something else, or another process uses it.
    """
    return _entente.dataset(plan, output, resume=resume, threads=threads)
