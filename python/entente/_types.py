"""The types of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Union

if TYPE_CHECKING:
    from ._entente import Position


class BoardLike(Protocol):
    """A `chess.Board`, whose moves are its game."""

    move_stack: list[Any]

    def root(self) -> Any:
        """Return the board before the first move."""


#: A position: a FEN or "startpos", a position with its game, or a `chess.Board` with its moves.
Board = Union[str, "Position", BoardLike]
