"""The engine that the tests drive, as a user's script would."""

import os
import pathlib

import chess
import chess.engine

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"


def start(**options):
    """A running engine with these options set."""
    engine = chess.engine.SimpleEngine.popen_uci(str(PROGRAM))
    try:
        engine.configure(options)
    except BaseException:
        engine.close()
        raise
    return engine


def board_after(*moves):
    """The board after these moves from the initial position."""
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board
