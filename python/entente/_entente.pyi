"""The engine."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from typing_extensions import CapsuleType, Self, Unpack, disjoint_base

from ._settings import PlaySettings, Settings
from ._types import Board

__all__ = [
    "Constraint",
    "Dataset",
    "Engine",
    "Explanation",
    "Matches",
    "Position",
    "Predictions",
    "Proof",
    "Run",
    "Table",
    "__version__",
    "_after_fork",
    "book",
    "dataset",
    "evaluate",
    "generate",
    "main",
    "policy",
    "prove",
]

__version__: Final[str]

@final
class Position:
    """A generated position, with the game that leads to it.

    `str` gives the FEN. Positions are equal if everything about them is, and can be pickled. Notebooks show them as
    boards.
    """

    @property
    def fen(self) -> str:
        """The position as FEN."""
    @property
    def root(self) -> str:
        """The position in which the game begins, as FEN."""
    @property
    def moves(self) -> list[str]:
        """The game in UCI notation."""
    @property
    def san(self) -> list[str]:
        """The game in standard algebraic notation."""
    @property
    def plies(self) -> int:
        """The length of the game."""
    @property
    def found(self) -> bool:
        """True if the position satisfies the constraint; false if it is only the nearest one that was reached."""
    @property
    def distance(self) -> int:
        """The distance from the constraint, in men or as an estimated number of plies; 0 if it is satisfied."""
    @property
    def constraint(self) -> str | None:
        """The constraint; `None` if the position was not generated."""
    @property
    def method(self) -> str | None:
        """The method, with its network and settings; `None` if the position was not generated."""
    @property
    def delivered_by(self) -> str | None:
        """How the game was found, for methods with a policy: "natural", "fast", "tree" or "search"."""
    @property
    def surprise(self) -> float | None:
        """The mean of −ln of the probabilities of the moves, in nats per ply, for methods with a policy."""
    @property
    def white_elo(self) -> int | None:
        """The rating at which White was simulated."""
    @property
    def black_elo(self) -> int | None:
        """The rating at which Black was simulated."""
    @property
    def centipawns(self) -> int | None:
        """The evaluation for White, if the constraint needed one; 10,000 is a mate."""
    @property
    def puzzle_rating(self) -> int | None:
        """The predicted rating as a puzzle, if the constraint needed one."""
    @property
    def seed(self) -> int | None:
        """The seed. With the index it determines everything else."""
    @property
    def index(self) -> int:
        """The index of the position among those of the seed, from 0."""
    @property
    def attempts(self) -> int:
        """The number of games started, or of searches."""
    @property
    def nodes(self) -> int:
        """The number of positions searched."""
    @property
    def seconds(self) -> float:
        """The time that generation took; 0 after unpickling."""
    def pgn(self, number: int = 1) -> str:
        """The game as PGN, with tags that say how it was generated. `number` is its number in a file."""
    def epd(self) -> str:
        """The position as a line of EPD, with its constraint, index and evaluation as operations.

        The operation `ce` has the evaluation for the side to move, as EPD defines it.
        """
    def json(self) -> str:
        """Everything about it as JSON, as `entente generate --format jsonl` writes it, without the time."""
    def as_dict(self) -> dict[str, Any]:
        """The same as a dict; root, FEN, plies and moves if it was not generated. `Table` has fewer columns."""
    @staticmethod
    def of(board: Board) -> Position:
        """The position of a FEN or of a `chess.Board`, with the moves of the board as its game."""
    @staticmethod
    def from_json(text: str) -> Position:
        """The position of such a JSON. Its game is replayed.

        Raises:
            PositionError: A move is illegal, or the game ends elsewhere.
        """
    def board(self) -> Any:
        """A `chess.Board` with all moves of the game, which needs python-chess."""
    def svg(self, *, size: int = 512, orientation: str | None = None, coordinates: bool = True) -> str:
        """A picture of the board.

        Args:
            size: Width and height in pixels, from 16 to 8192.
            orientation: The side at the bottom: "white", "black" or "mover", the side to move.
            coordinates: Whether to draw coordinates.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Run:
    """The threads that generate positions; an iterator over those that are found.

    `entente.Positions` wraps it.
    """

    def __iter__(self) -> Self: ...
    def __next__(self) -> Position: ...
    def stop(self) -> None:
        """End the run. What was found before can still be taken."""
    @property
    def found(self) -> list[Position]:
        """The positions found so far."""
    @property
    def nearest(self) -> list[Position]:
        """The nearest positions, at most ten, where none was found."""
    @property
    def count(self) -> int:
        """The number of positions wanted."""
    @property
    def done(self) -> int:
        """The number of positions tried so far."""
    @property
    def missing(self) -> int:
        """The number of those that were not found."""
    @property
    def constraint(self) -> str:
        """The constraint."""
    @property
    def method(self) -> str:
        """The method, with its network and settings."""
    @property
    def seed(self) -> int:
        """The seed."""
    @property
    def notes(self) -> list[str]:
        """Remarks on the request, such as a network that does not suit it; `generate` warns about them."""

@final
class Constraint:
    """A condition on positions and their games.

    docs/constraints.md describes the language. `str` writes a constraint in a uniform way, which may differ from the
    text that it was made of. Constraints are equal if they are written alike; they can be pickled, and can be keys of
    dicts. `&`, `|` and `~` join them.

    Args:
        text: The constraint.
        definitions: Names for constraints, as lines such as `let iqp = isolated(P@d)`.

    Raises:
        ConstraintError: The text is not a constraint; `column` says where.

    >>> import entente
    >>> ahead = entente.Constraint("Q=0 q=0 R-r=1")
    >>> ahead.holds("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    True
    >>> entente.Constraint("P>8").reason_impossible()
    'White needs at least 9 pawns and has 8; pawns never return'
    """

    def __new__(cls, text: str, *, definitions: str | None = None) -> Self: ...
    def holds(self, board: Board) -> bool:
        """True if the position satisfies the constraint.

        Conditions such as `quiet` are decided by a search. Conditions on the game need one: give a `Position`, or a
        `chess.Board` with its moves.
        """
    def explain(self, board: Board | None = None) -> Explanation:
        """What the constraint means, line by line, and with a board, which lines hold."""
    def reason_impossible(self, root: Board | None = None) -> str | None:
        """Why no legal game from `root`, by default the initial position, satisfies it; `None` without a proof."""
    @property
    def is_judged(self) -> bool:
        """True if a search must decide some of its conditions, such as `quiet` or `only`."""
    def __and__(self, other: str | Constraint, /) -> Constraint: ...
    def __or__(self, other: str | Constraint, /) -> Constraint: ...
    def __rand__(self, other: str | Constraint, /) -> Constraint: ...
    def __ror__(self, other: str | Constraint, /) -> Constraint: ...
    def __invert__(self) -> Constraint: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Explanation:
    """What a constraint means. `str` gives a text; it is true if the position satisfies the constraint."""

    @property
    def constraint(self) -> str:
        """The constraint."""
    @property
    def satisfied(self) -> bool | None:
        """Whether the position satisfies it; `None` without a position."""
    @property
    def lines(self) -> list[tuple[str, int, bool | None]]:
        """A line for each condition: its text, its depth of indentation, and whether it holds."""
    def __bool__(self) -> bool: ...

@final
class Predictions:
    """What a policy predicts for some positions, in their order.

    `predictions[i]` is a dict of the moves of position `i` and their probabilities, the likeliest first.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> dict[str, float]: ...
    @property
    def fens(self) -> list[str]:
        """The positions."""
    @property
    def moves(self) -> list[list[str]]:
        """A list for each position: its legal moves in UCI notation, in the order of its row of `probabilities`."""
    @property
    def probabilities(self) -> npt.NDArray[np.float32]:
        """The probabilities, an array of shape [positions, most moves]; rows add up to 1, and zeros fill them.

        The array is read-only and is made without a copy.
        """
    @property
    def results(self) -> npt.NDArray[np.float32] | None:
        """The probabilities that the side to move wins, draws and loses, of shape [positions, 3].

        They are those of online games between players of these ratings, where draws are rare, and not an evaluation.
        `None` if the network predicts moves only.
        """
    @property
    def met(self) -> npt.NDArray[np.float32] | None:
        """The probability that the game satisfies the constraint in time, of shape [positions].

        `None` without a constraint, and if the network does not predict it.
        """

@final
class Proof:
    """The answer for a diagram. `str` gives the first game, or why there is none."""

    @property
    def outcome(self) -> str:
        """What is known: "found", "illegal", "none" or "undetermined".

        "illegal" means that no game leads to the diagram, "none" that no game of the length asked for does.
        """
    @property
    def diagram(self) -> str:
        """The diagram."""
    @property
    def rule(self) -> str | None:
        """The rule that proves the diagram illegal, in a word."""
    @property
    def reason(self) -> str | None:
        """Why the diagram is illegal, in a sentence."""
    @property
    def is_decided(self) -> bool:
        """True if everything that was asked is known; without `shortest` or `solutions`, any game is an answer."""
    @property
    def plies(self) -> int | None:
        """The length of the games; `None` if there are none."""
    @property
    def at_least(self) -> int:
        """A number of plies that every game has at least, as is proved; 0 if nothing was proved."""
    @property
    def is_all(self) -> bool:
        """True if there are no other games of this length."""
    @property
    def games(self) -> list[list[str]]:
        """The games in UCI notation, all of the same length."""
    @property
    def san(self) -> list[list[str]]:
        """The games in standard algebraic notation."""
    @property
    def positions(self) -> list[Position]:
        """The games with their last positions."""
    @property
    def surprise(self) -> float | None:
        """The mean surprise of the moves, in nats per ply, if a policy found the game."""
    @property
    def nodes(self) -> int:
        """The number of positions searched."""
    @property
    def seconds(self) -> float:
        """The time taken."""

@final
class Table:
    """Positions as a table of Arrow, with the columns of data sets.

    `polars.DataFrame`, `pandas.DataFrame.from_arrow`, `pyarrow.table` and DuckDB take it as it is.

    >>> import entente
    >>> entente.Table(entente.generate("Q=0 q=0", 2, seed=1, method="negamax", evaluator="men"))
    <entente.Table of 2 positions>
    """

    def __new__(cls, positions: Iterable[Position]) -> Self: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...
    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
    def __len__(self) -> int: ...

@final
class Dataset:
    """A finished data set, which libraries of data frames take as they take `Table`."""

    @property
    def folder(self) -> os.PathLike[str]:
        """The folder with its files."""
    @property
    def wanted(self) -> int:
        """The number of positions that the plan asks for; `len` is the number of those that were found."""
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@disjoint_base
class Engine:
    """An engine with its settings and the memory of its search; `entente.Engine` adds the words of `chess.engine`.

    Args:
        tables: Folders with Syzygy endgame tablebases.
        settings: The settings of play and those that it shares with generation. With `elo` it plays as people of that
            rating do, otherwise at full strength. At a rating its moves are drawn, limits have little effect, and it
            reports one line; analyse without a rating.
    """

    def __new__(
        cls,
        *,
        tables: str | os.PathLike[str] | None = None,
        **settings: Unpack[PlaySettings],
    ) -> Self: ...
    def configure(self, **settings: Unpack[PlaySettings]) -> None:
        """Change settings."""
    def search(
        self,
        board: Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        seconds: float | None = None,
        left: float | None = None,
        increment: float = 0.0,
        moves_to_go: int | None = None,
        lines: int | None = None,
        moves: Sequence[str] | None = None,
    ) -> tuple[list[tuple[int | None, int | None, list[str], int | None, tuple[int, int, int]]], int, int]:
        """Search for the best lines of the side to move.

        Args:
            board: The position.
            depth: The depth of the last iteration, in plies.
            nodes: The most positions to search.
            mate: Stop at a mate in at most this many moves.
            seconds: The time for this move.
            left: The time left on the clock, in seconds.
            increment: The time added for each move, in seconds.
            moves_to_go: The moves until the next time control.
            lines: The number of lines, by default 1.
            moves: The moves to choose from in UCI notation, by default all.

        Returns:
            Lines, the best first, the depth reached and the positions searched. A line has centipawns or the number of
            moves to mate (the other is `None`), its moves, its own depth if it differs, and the probabilities of a win,
            a draw and a loss in thousandths, all for the side to move.
        """
    def forget(self) -> None:
        """Forget earlier games."""

@final
class Matches:
    """The positions of games in PGN that satisfy a constraint: game, ply and position."""

    def __new__(cls, constraint: Constraint, *, path: str | None = None, text: str | None = None) -> Self: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> tuple[int, int, Position]: ...
    def faults(self) -> list[str]:
        """The messages about games that cannot be read, since the last call."""

def generate(
    constraint: str | Constraint,
    count: int,
    *,
    distinct: bool,
    index: int,
    root: Board | None,
    start: int | None,
    tables: str | os.PathLike[str] | None,
    **settings: Unpack[Settings],
) -> Run: ...
def book(
    lines: int,
    *,
    constraint: str | Constraint | None,
    plies: int | None,
    window: tuple[int, int] | None,
    start: int | None,
    tables: str | os.PathLike[str] | None,
    **settings: Unpack[Settings],
) -> Run: ...
def policy(
    positions: Board | Iterable[Board],
    *,
    constraint: str | Constraint | None = None,
    plies_left: int | None = None,
    **settings: Unpack[Settings],
) -> Predictions:
    """Predict which moves people play, in many positions at once.

    Networks that look at past positions see those of a `Position` or of a `chess.Board`; a FEN has none.

    Args:
        positions: One position or many.
        constraint: A constraint that both players want the game to satisfy, as they do in generated games.
        plies_left: The plies that are left to satisfy it, by default 101.
        settings: Of the settings of generation, those of the players, such as `elo=1500`; `threads`; and `network`, a
            built-in policy or an ONNX file, such as one of Maia or lc0, by default `human-policy`, or `goal-policy`
            with a constraint.

    Raises:
        PositionError: A position is not legal; the message says which.

    >>> import entente
    >>> predictions = entente.policy(["startpos"], elo=1500)
    >>> max(predictions[0], key=predictions[0].get)
    'e2e4'
    """

def prove(
    diagram: Board,
    *,
    shortest: bool = False,
    first: bool = False,
    solutions: int | None = None,
    plies: int | None = None,
    hash: int | None = None,
    root: Board | None = None,
    start: int | None = None,
    **settings: Unpack[Settings],
) -> Proof:
    """Find a game from the initial position, or from another one, to a diagram, or say why there is none.

    Args:
        diagram: The piece placement of a FEN. The side to move, the castling rights and the en passant square may
            follow; each may be "?".
        shortest: Find the shortest game, with proof that no game is shorter.
        first: Take the first game that is found, however long.
        solutions: Find up to this many shortest games.
        plies: Find a game of exactly this many plies.
        hash: Memory for the search for shortest games, in mebibytes, by default 512.
        root: The position in which the games begin, by default the initial one.
        start: The number of an initial position of Chess960 in which they begin; 518 is standard chess.
        settings: Of the settings of generation, `movetime` (by default a minute, in milliseconds), `threads`, `seed`,
            `max_plies`, and with `realism="natural"` those of the players.

    >>> import entente
    >>> print(entente.prove("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", shortest=True))
    1. e4 e5
    >>> entente.prove("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR").reason
    'White has 17 men, but never had more than 16'
    """

def evaluate(
    position: Board,
    *,
    nodes: int | None,
    depth: int | None,
    seconds: float | None,
    tables: str | os.PathLike[str] | None,
) -> tuple[int | None, int | None, tuple[int, int, int], list[str], int, int]: ...
def dataset(
    plan: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    resume: bool = False,
    threads: int | None = None,
) -> Dataset: ...
def main(arguments: Sequence[str]) -> int:
    """Run the program `entente` with these arguments, its name first, and return its exit status."""

def _after_fork() -> None: ...
