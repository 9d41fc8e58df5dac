"""The exceptions of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._entente import Position


class EntenteError(Exception):
    """The base class of all exceptions of this package, except those about wrong types (`TypeError`)."""


class ConstraintError(EntenteError, ValueError):
    """A text is not a constraint, or a constraint is too complex.

    Attributes:
        column: Where the text is wrong, in characters from 1; `None` if the whole constraint is too complex.
    """

    column: int | None

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message, column)
        self.column = column

    def __str__(self) -> str:
        return str(self.args[0])


class SettingError(EntenteError, ValueError):
    """A setting has a value that it cannot have, or settings contradict each other.

    Attributes:
        setting: The keyword argument at fault; `None` if there is more than one.
    """

    setting: str | None

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message, setting)
        self.setting = setting

    def __str__(self) -> str:
        return str(self.args[0])


class PositionError(EntenteError, ValueError):
    """A text is not the FEN of a legal position, or a move is not legal."""


class Impossible(EntenteError):
    """No legal game satisfies the constraint, as is proved.

    Attributes:
        reason: The proof, in a sentence.
    """

    reason: str

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undetermined(EntenteError):
    """Some positions were not found within the limits. It is raised after the last position that was found.

    Attributes:
        missing: How many positions were not found.
        generated: How many positions were tried, with those that were found.
        nearest: Positions that came nearest, at most ten.
        found: The positions that were found.
    """

    missing: int
    generated: int
    nearest: list[Position]
    found: list[Position]

    def __init__(self, missing: int, generated: int, nearest: list[Position], found: list[Position]) -> None:
        super().__init__(missing, generated, nearest, found)
        self.missing, self.generated, self.nearest, self.found = missing, generated, nearest, found

    def __str__(self) -> str:
        return (
            f"not found within the limits: {self.missing} of {self.generated}. Larger max_plies, nodes or movetime "
            "allow more effort; the attribute 'found' has the others, and missing='skip' leaves out what is missing"
        )
