"""Conditions on the game that leads to a position, a second time: castling, openings, first moves, earlier positions.

A Story is a game with all its positions. verify_games.py asks it what the conditions of the constraint language need.
"""

import functools
import pathlib
import re

import chess

OPENINGS = pathlib.Path(__file__).resolve().parent.parent / "crates" / "constraint" / "data" / "openings.tsv"
WAYS = {
    "long": {"long"},
    "queenside": {"long"},
    "short": {"short"},
    "kingside": {"short"},
    "yes": {"long", "short"},
    "none": {None},
}


class Story:
    """The positions of a game, how each side had castled in each of them, and the moves."""

    def __init__(self, boards, castled, moves, men):
        self.boards = boards
        self.castled = castled
        self.moves = moves
        # The men on the first board.
        self.men = men
        self.situations = {}

    def situation(self, place, make):
        """The situation at a place, which is made once."""
        if place not in self.situations:
            self.situations[place] = make()
        return self.situations[place]

    @staticmethod
    def of(root, moves):
        board = root.copy(stack=False)
        boards, castled = [board.copy(stack=False)], [{chess.WHITE: None, chess.BLACK: None}]
        for move in moves:
            ways = dict(castled[-1])
            if board.is_castling(move):
                ways[board.turn] = "long" if board.is_queenside_castling(move) else "short"
            board.push(move)
            boards.append(board.copy(stack=False))
            castled.append(ways)
        return Story(boards, castled, list(moves), len(root.piece_map()))

    def mapped(self, function, swaps):
        """The story with each board replaced; if `swaps`, White and Black are exchanged."""
        castled = [{not color: way for color, way in ways.items()} if swaps else ways for ways in self.castled]
        return Story([function(board) for board in self.boards], castled, self.moves, self.men)


def castled(sides, value):
    """A test of (story, place): how the sides have castled."""
    value = value.lower()
    if value in ("opposite", "same"):
        if len(sides) < 2:
            raise ValueError(f"expected long, short, none or yes, found {value!r}")

        def holds(story, place):
            white, black = (story.castled[place][color] for color in chess.COLORS)
            return None not in (white, black) and (white == black) == (value == "same")

        return holds
    if value not in WAYS:
        raise ValueError(f"expected {', '.join(WAYS)}, found {value!r}")
    return lambda story, place: all(story.castled[place][side] in WAYS[value] for side in sides)


def identity(board):
    """What counts for an opening: the board, the side to move, the rights, and a legal en passant capture."""
    return board.epd(en_passant="legal")


@functools.cache
def openings():
    """Name, ECO code and identity of each entry of the list."""
    found, before = [], []
    for line in OPENINGS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        code, name, shared, rest = line.split("\t")
        before = before[: int(shared)] + rest.split()
        board = chess.Board()
        for uci in before:
            board.push_uci(uci)
        found.append((name, code, identity(board)))
    return found


def goes_through(identities):
    return lambda story, place: any(identity(board) in identities for board in story.boards[: place + 1])


def opening(name):
    """The game has gone through the opening with this name, as listed, or one of its variations."""
    wanted = {key for known, _, key in openings() if known == name or known.startswith((f"{name}:", f"{name},"))}
    if not wanted:
        raise ValueError(f"no opening is named {name!r}")
    return goes_through(wanted)


def eco(first, last):
    if not all(re.fullmatch("[A-E][0-9][0-9]", code) for code in (first, last)) or last < first:
        raise ValueError(f"expected ECO codes, found {first}..{last}")
    return goes_through({key for _, code, key in openings() if first <= code <= last})


def begins(text):
    """The game begins in the initial position with these moves, in SAN or UCI."""
    board, wanted = chess.Board(), []
    for word in text.split():
        word = re.sub(r"^[0-9]*\.+", "", word)
        if not word:
            continue
        try:
            move = board.parse_san(word)
        except ValueError:
            move = board.parse_uci(word)
        wanted.append(move)
        board.push(move)
    if not wanted:
        raise ValueError("expected moves")

    def holds(story, place):
        is_initial = story.boards[0].fen() == chess.STARTING_FEN
        return is_initial and place >= len(wanted) and story.moves[: len(wanted)] == wanted

    return holds
