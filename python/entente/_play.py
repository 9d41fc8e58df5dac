"""An engine without a process, in the words of `chess.engine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _entente

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    import chess
    import chess.engine

    from ._types import Board

#: The nodes of an evaluation, unless a limit is given.
EVALUATION_NODES = 100_000


class Evaluation(NamedTuple):
    """What a search found; all values are for White.

    Attributes:
        centipawns: The score; `None` if a mate was found.
        mate: Moves to mate, negative if White is mated; 0 if a side is mated already, and `wdl` says which; `None` if
            no mate was found.
        wdl: The probabilities that White wins, draws and loses, in thousandths.
        moves: The best line in UCI notation.
        depth: The depth reached, in plies.
        nodes: The number of positions searched.
    """

    centipawns: int | None
    mate: int | None
    wdl: tuple[int, int, int]
    moves: list[str]
    depth: int
    nodes: int


class Engine(_entente.Engine):
    """An engine that plays and analyses in this process.

    `play`, `analyse`, `configure` and `quit` are as in `chess.engine.SimpleEngine`, and take and return the classes of
    python-chess. Without python-chess, `search` of the base class does the same with FENs and moves in UCI notation.

    With `elo` it plays as people of that rating do: moves are drawn, limits have little effect, and there is one line.
    To analyse, make an engine without a rating.

    >>> import chess, chess.engine, entente
    >>> with entente.Engine() as engine:
    ...     engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), chess.engine.Limit(depth=5)).move
    Move.from_uci('a1a8')
    """

    #: What a GUI would show.
    id = {"name": f"Entente {_entente.__version__}", "author": "The Entente developers"}  # noqa: RUF012

    def play(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        game: object = None,
        info: object = None,
        ponder: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
    ) -> chess.engine.PlayResult:
        """Return the move that the engine plays.

        Args:
            board: The position, with its moves.
            limit: What ends the search: `time`, `depth`, `nodes`, `mate`, or a clock.
            game: Without effect, as the board has its moves.
            info: Without effect, as the result has all information.
            ponder: Without effect: the engine does not think in the opponent's time.
            root_moves: The moves to choose from, by default all.
        """
        import chess.engine  # noqa: PLC0415

        found = self.analyse(board, limit, multipv=1, root_moves=root_moves)[0]
        line = found.get("pv", [])
        return chess.engine.PlayResult(line[0] if line else None, line[1] if len(line) > 1 else None, found)

    def analyse(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: object = None,
        root_moves: Iterable[chess.Move] | None = None,
    ) -> Any:
        """Return what a search finds: a dict like `chess.engine.InfoDict`, or a list of them with `multipv`.

        Args:
            board: The position, with its moves.
            limit: What ends the search.
            multipv: How many lines to find.
            game: Without effect, as the board has its moves.
            info: Without effect, as the result has all information.
            root_moves: The moves to choose from, by default all.
        """
        import chess  # noqa: PLC0415
        import chess.engine  # noqa: PLC0415

        for name, value, kind in (("board", board, chess.Board), ("limit", limit, chess.engine.Limit)):
            if not isinstance(value, kind):
                raise TypeError(f"{name}: expected a {kind.__module__}.{kind.__name__}, found {type(value).__name__}")

        is_white = board.turn == chess.WHITE
        left = limit.white_clock if is_white else limit.black_clock
        increment = limit.white_inc if is_white else limit.black_inc
        moves = None if root_moves is None else [move.uci() for move in root_moves]
        lines, depth, nodes = self.search(
            board,
            depth=limit.depth,
            nodes=limit.nodes,
            mate=limit.mate,
            seconds=limit.time,
            left=left,
            increment=increment or 0.0,
            moves_to_go=limit.remaining_moves,
            lines=multipv,
            moves=moves,
        )
        found: list[chess.engine.InfoDict] = []
        for place, (centipawns, mate, line, own_depth, wdl) in enumerate(lines):
            score = chess.engine.Cp(centipawns) if centipawns is not None else chess.engine.Mate(mate or 0)
            found.append(
                chess.engine.InfoDict(
                    score=chess.engine.PovScore(score, board.turn),
                    wdl=chess.engine.PovWdl(chess.engine.Wdl(*wdl), board.turn),
                    pv=[chess.Move.from_uci(move) for move in line],
                    depth=own_depth or depth,
                    nodes=nodes,
                    multipv=place + 1,
                )
            )
        if not found:
            over = chess.engine.Mate(0) if board.is_checkmate() else chess.engine.Cp(0)
            found = [chess.engine.InfoDict(score=chess.engine.PovScore(over, board.turn), depth=0, nodes=0)]
        return found if multipv is not None else found[0]

    def configure(self, options: Mapping[str, Any] | None = None, **settings: Any) -> None:
        """Change settings, given as a dict, as `chess.engine` does, or as keyword arguments."""
        super().configure(**{**(options or {}), **settings})

    def quit(self) -> None:
        """Do nothing: there is no process to end."""

    close = quit

    def __enter__(self) -> Engine:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""


def evaluate(
    position: Board,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    tables: str | os.PathLike[str] | None = None,
) -> Evaluation:
    """Evaluate a position by a search of full strength, by default of 100,000 nodes.

    >>> import entente
    >>> entente.evaluate("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=4)[:2]
    (None, 1)
    """
    if nodes is None and depth is None and seconds is None:
        nodes = EVALUATION_NODES
    return Evaluation(*_entente.evaluate(position, nodes=nodes, depth=depth, seconds=seconds, tables=tables))
