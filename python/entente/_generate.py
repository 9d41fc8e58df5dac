"""Generation: positions for a constraint, with the games that lead to them."""

from __future__ import annotations

import asyncio
import importlib
import warnings
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from . import _entente
from ._entente import Constraint, Position, Run
from ._errors import ConstraintError, Impossible, Undetermined

if TYPE_CHECKING:
    import os

    from typing_extensions import Unpack

    from ._settings import Settings
    from ._types import Board

    #: What happens with positions that are not found: an exception after the others, or nothing.
    _Missing = Literal["raise", "skip"]


def _check_missing(missing: str) -> None:
    if missing not in ("raise", "skip"):
        raise ValueError(f"missing: expected 'raise' or 'skip', found {missing!r}")


def _warn(run: Run) -> None:
    for note in run.notes:
        warnings.warn(note, stacklevel=3)


class Positions(Iterator[Position]):
    """The positions of a run, in the order of their indices, as they are found.

    Attributes:
        run: The run: how many positions it has generated, its method and its seed.
        found: The positions found so far. After Ctrl-C they are still here.
    """

    def __init__(self, run: Run, missing: _Missing, progress: bool, keep: bool) -> None:
        """Wrap a run; `generate` calls this."""
        self.run = run
        self._missing = missing
        self._bar: Any = _bar(run.count) if progress else None
        self._keep = keep

    @property
    def found(self) -> list[Position]:
        """The positions found so far."""
        return self.run.found

    @property
    def seed(self) -> int:
        """The seed, which generates the same positions again."""
        return self.run.seed

    def stop(self) -> None:
        """End the run. What was found before can still be taken."""
        self.run.stop()

    def __enter__(self) -> Positions:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the run."""
        self.stop()

    def __iter__(self) -> Positions:
        """Return itself."""
        return self

    def __next__(self) -> Position:
        """Return the next position that was found."""
        try:
            position = next(self.run)
        except Undetermined:
            self._close()
            if self._missing == "raise":
                raise
            raise StopIteration from None
        except BaseException:
            self._close()
            raise
        if not self._keep:
            self.run.found.clear()
        if self._bar is not None:
            self._bar.update(self.run.done - self._bar.n)
        return position

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.update(self.run.done - self._bar.n)
            self._bar.close()
            self._bar = None

    def __repr__(self) -> str:
        """Say how far the run has come."""
        return repr(self.run).replace("entente.Run", "entente.Positions")


def _bar(total: int) -> Any:
    try:
        tqdm = importlib.import_module("tqdm.auto")
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install 'entente[progress]'") from error
    return tqdm.tqdm(total=total, unit="position")


def generate(
    constraint: str | Constraint,
    count: int = 1,
    *,
    missing: _Missing = "raise",
    progress: bool = False,
    keep: bool = True,
    distinct: bool = False,
    index: int = 0,
    root: Board | None = None,
    start: int | None = None,
    tables: str | os.PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Positions:
    """Generate positions that satisfy a constraint, each with a legal game that leads to it.

    The same seed gives the same positions with any number of threads, and the same as the program's
    `entente generate`. Threads begin to work when this returns, and wait if positions are not taken. On two cores, a
    common constraint such as `Q=0 q=0` takes about half a second for each position, a rare one many seconds;
    `realism="fast"` is several times as fast, and `progress=True` shows how far it is.

    Args:
        constraint: The constraint, such as `"Q=0 q=0 R-r=1"`; docs/constraints.md describes the language.
        count: How many positions to generate.
        missing: With `"raise"`, `Undetermined` is raised after the last position if some were not found; with
            `"skip"` they are left out.
        progress: True for a progress bar, which needs tqdm.
        keep: False to let go of positions as soon as they are taken; `found` then stays empty.
        distinct: True for positions that differ in the placement of their men.
        index: The index of the first position; it needs `seed`.
        root: The position in which the games begin, by default the initial one.
        start: The number of an initial position of Chess960 in which they begin; 518 is standard chess.
        tables: Folders with Syzygy endgame tablebases, joined by ':' (on Windows ';').
        settings: The settings of generation, such as `elo=1500`, `seed=1` or `threads=2`; docs/options.md has all.

    Returns:
        An iterator over the positions.

    Raises:
        ConstraintError: The text is not a constraint; `column` says where.
        Impossible: No legal game satisfies the constraint; `reason` says why.
        SettingError: A setting is out of bounds, or does not fit the others.

    >>> import entente
    >>> for position in entente.generate("Q=0 q=0", 2, seed=1, method="negamax", evaluator="men"):
    ...     print(position.plies, position.san[:2])
    12 ['c4', 'a5']
    18 ['Nc3', 'Nc6']
    """
    _check_missing(missing)
    run = _entente.generate(
        constraint, count, distinct=distinct, index=index, root=root, start=start, tables=tables, **settings
    )
    _warn(run)
    return Positions(run, missing, progress, keep)


def generate_many(
    constraints: Iterable[str | Constraint],
    count: int = 1,
    *,
    missing: _Missing = "raise",
    progress: bool = False,
    **settings: Any,
) -> Iterator[Position]:
    """Generate positions for each of several constraints, one constraint after the other.

    `position.constraint` says which one it satisfies.

    Args:
        constraints: The constraints. All of them are checked before the first position is generated.
        count: How many positions to generate for each constraint.
        missing: As for `generate`; `Undetermined` is raised after the constraint that it concerns.
        progress: True for a progress bar over all constraints, which needs tqdm.
        settings: The other arguments of `generate`.

    Raises:
        ConstraintError: A text is not a constraint.
        Impossible: No legal game satisfies one of the constraints.

    >>> import entente
    >>> found = entente.generate_many(["Q=0 q=0", "R=1"], 2, seed=1, method="negamax", evaluator="men")
    >>> [position.constraint for position in found]
    ['Q=0 & q=0', 'Q=0 & q=0', 'R=1', 'R=1']
    """
    _check_missing(missing)
    if isinstance(constraints, (str, Constraint)):
        raise TypeError("constraints: expected several constraints, such as a list, found one")
    parsed = [_parsed(place, constraint) for place, constraint in enumerate(constraints)]
    root = settings.get("root")
    for place, constraint in enumerate(parsed):
        reason = constraint.reason_impossible(root)
        if reason is not None:
            raise Impossible(f"constraint {place}: {reason}")
    return _one_after_the_other(parsed, count, missing, progress, settings)


def _parsed(place: int, constraint: str | Constraint) -> Constraint:
    if isinstance(constraint, Constraint):
        return constraint
    try:
        return Constraint(constraint)
    except ConstraintError as error:
        raise ConstraintError(f"constraint {place}: {error}", error.column) from None


def _one_after_the_other(
    constraints: list[Constraint], count: int, missing: _Missing, progress: bool, settings: dict[str, Any]
) -> Iterator[Position]:
    bar = _bar(count * len(constraints)) if progress else None
    try:
        for place, constraint in enumerate(constraints):
            run = generate(constraint, count, missing=missing, **settings)
            for position in run:
                if bar is not None:
                    bar.update(place * count + run.run.done - bar.n)
                yield position
    finally:
        if bar is not None:
            bar.close()


async def generate_async(constraint: str | Constraint, count: int = 1, **settings: Any) -> AsyncIterator[Position]:
    """Generate positions without blocking the event loop; the arguments are those of `generate`.

    If the loop over them ends early, or its task is cancelled, the run ends, too.

    >>> import asyncio, entente
    >>> async def plies():
    ...     found = entente.generate_async("Q=0 q=0", 2, seed=1, method="negamax", evaluator="men")
    ...     return [position.plies async for position in found]
    >>> asyncio.run(plies())
    [12, 18]
    """
    run = await asyncio.to_thread(lambda: generate(constraint, count, **settings))
    try:
        while True:
            position = await asyncio.to_thread(next, run, None)
            if position is None:
                return
            yield position
    finally:
        run.stop()


def book(
    lines: int = 100,
    *,
    constraint: str | Constraint | None = None,
    plies: int | None = None,
    eval: tuple[int, int] | None = None,
    start: int | None = None,
    missing: _Missing = "raise",
    progress: bool = False,
    tables: str | os.PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Positions:
    """Generate an opening book: human-like lines to different positions with evaluations in a window.

    Args:
        lines: The number of lines.
        constraint: A further constraint on all final positions.
        plies: The length of each line, by default 16, or any length if the constraint is about plies or material.
        eval: The lowest and highest evaluation of a final position for White, in centipawns, by default (-50, 50),
            unless the constraint is about the evaluation.
        start: The number of an initial position of Chess960.
        missing: As for `generate`.
        progress: True for a progress bar, which needs tqdm.
        tables: As for `generate`.
        settings: The settings of generation, such as `elo=2200`.

    Returns:
        An iterator over the final positions, with their lines; `position.epd()` is a line of a book.
    """
    _check_missing(missing)
    run = _entente.book(lines, constraint=constraint, plies=plies, window=eval, start=start, tables=tables, **settings)
    _warn(run)
    return Positions(run, missing, progress, keep=True)
