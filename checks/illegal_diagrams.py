#!/usr/bin/env python3
"""Illegal diagrams, made in ten known ways from positions of random games, to test what `entente` says about them.

    checks/illegal_diagrams.py                   twenty of each way, as EPD lines
    checks/illegal_diagrams.py --each 100 --seed 2

The seed of the draws is fixed, so everyone tests the same diagrams. An `id` has the word of the rule that makes the
diagram illegal, and a number. The function for each way says why no game reaches the diagram. Apart from this error, the
diagrams are valid: the opponent's king is not in check, and the numbers of men and castling rights are possible. Needs python-chess.
"""

import argparse
import itertools
import random
import sys

try:
    import chess
except ModuleNotFoundError:
    sys.exit("illegal_diagrams: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

SHELTERED = [(chess.C1, chess.B2, chess.D2), (chess.F1, chess.E2, chess.G2)]
SHELTERED += [tuple(chess.square_mirror(square) for square in squares) for squares in SHELTERED]


def random_position(draw, least, most, allows=lambda board, move: True):
    """The position after a random number of random moves that `allows` lets pass; None if the game ends before."""
    board = chess.Board()
    for _ in range(draw.randint(least, most)):
        moves = [move for move in sorted(board.legal_moves, key=chess.Move.uci) if allows(board, move)]
        if not moves:
            return None
        board.push(draw.choice(moves))
    return board.copy(stack=False)


def few_captures(draw):
    """A game in which captures are rare, so that many pawns stay."""
    return lambda board, move: not board.is_capture(move) or draw.random() < 0.1


def in_order(board):
    """Nothing that is easily seen is wrong, as far as python-chess knows it."""
    return board.is_valid()


def squares_for_pawns(board):
    return [square for square in chess.SQUARES if 8 <= square < 56 and not board.piece_at(square)]


def moved(board, source, target):
    """The diagram with a man on another square, and without squares of captures en passant."""
    other = board.copy(stack=False)
    other.set_piece_at(target, other.remove_piece_at(source))
    other.ep_square = None
    other.castling_rights = other.clean_castling_rights()
    return other


def fewest_captures(board, color):
    """The fewest captures of a side's pawns, by files alone: each pawn changes its file by one with a capture."""
    files = [chess.square_file(square) for square in board.pieces(chess.PAWN, color)]
    homes = itertools.combinations(range(8), len(files))
    # Files and homes both go up: crossing ways of two pawns are never shorter.
    return min(sum(abs(a - b) for a, b in zip(sorted(files), chosen)) for chosen in homes)


def have_homes(pawns, color, files):
    """Whether each of the pawns can have started on a file of its own, with captures of anybody."""
    if not pawns:
        return True
    square, *rest = pawns
    moved = chess.square_rank(square) - 1 if color else 6 - chess.square_rank(square)
    near = [file for file in files if abs(file - chess.square_file(square)) <= moved]
    return any(have_homes(rest, color, files - {file}) for file in near)


def pawn_captures(draw):
    """A pawn is put where it, or another pawn, must have captured more men than the other side lacks.

    Every change of files is a capture, and each capture takes another man. However the pawns are matched with the files
    they started on, the files that they change by are more than the men missing.
    """
    board = random_position(draw, 10, 60, few_captures(draw))
    if board is None:
        return None
    color = draw.choice(chess.COLORS)
    source = draw.choice(list(board.pieces(chess.PAWN, color)))
    other = moved(board, source, draw.choice(squares_for_pawns(board)))
    missing = 16 - chess.popcount(other.occupied_co[not color])
    # Pawns that can have started nowhere are refused for that.
    homes = have_homes(list(other.pieces(chess.PAWN, color)), color, set(range(8)))
    return other if homes and fewest_captures(other, color) > missing else None


def shut_in(draw):
    """A bishop stands outside while the two pawns in front of its home are unmoved, and no pawn of its side is missing.

    It cannot have come out; it was not promoted; and the other bishop moves on the other colour.
    """
    board = random_position(draw, 6, 60, few_captures(draw))
    if board is None:
        return None
    home, *pawns = draw.choice(SHELTERED)
    color = home < 32
    same = chess.BB_LIGHT_SQUARES if chess.BB_SQUARES[home] & chess.BB_LIGHT_SQUARES else chess.BB_DARK_SQUARES
    bishop, pawn = chess.Piece(chess.BISHOP, color), chess.Piece(chess.PAWN, color)
    full = len(board.pieces(chess.PAWN, color)) == 8
    if not full or board.piece_at(home) != bishop or any(board.piece_at(square) != pawn for square in pawns):
        return None
    return moved(board, home, draw.choice(list(chess.SquareSet(same & ~board.occupied))))


def check(draw):
    """Both kings are in check: who moved last left his king in check."""
    board = random_position(draw, 20, 100)
    if board is None or not board.is_check():
        return None
    officers = board.occupied_co[board.turn] & ~board.pawns & ~board.kings
    if not officers:
        return None
    source = draw.choice(list(chess.SquareSet(officers)))
    other = moved(board, source, draw.choice(list(chess.SquareSet(~board.occupied))))
    return other if other.is_check() and other.was_into_check() else None


def promotions(draw):
    """An extra queen replaces another piece while all eight pawns are there, so no pawn was promoted."""
    board = random_position(draw, 10, 80, few_captures(draw))
    if board is None:
        return None
    color = draw.choice(chess.COLORS)
    officers = board.pieces(chess.ROOK, color) | board.pieces(chess.KNIGHT, color) | board.pieces(chess.BISHOP, color)
    if len(board.pieces(chess.PAWN, color)) < 8 or not board.pieces(chess.QUEEN, color) or not officers:
        return None
    other = board.copy(stack=False)
    other.set_piece_at(draw.choice(list(officers)), chess.Piece(chess.QUEEN, color))
    other.castling_rights = other.clean_castling_rights()
    return other


def same_colour(draw):
    """Both bishops of a side stand on squares of one colour while all eight pawns are there.

    Bishops start on squares of both colours and never change them, and no pawn was promoted.
    """
    board = random_position(draw, 10, 80, few_captures(draw))
    if board is None:
        return None
    color = draw.choice(chess.COLORS)
    bishops = list(board.pieces(chess.BISHOP, color))
    if len(board.pieces(chess.PAWN, color)) < 8 or len(bishops) != 2:
        return None
    source = draw.choice(bishops)
    light = bool(chess.BB_SQUARES[source] & chess.BB_LIGHT_SQUARES)
    colour = chess.BB_DARK_SQUARES if light else chess.BB_LIGHT_SQUARES
    return moved(board, source, draw.choice(list(chess.SquareSet(colour & ~board.occupied))))


def last_move(draw):
    """White is to move, and Black, with a king in the corner and unmoved pawns, has no last move.

    The squares next to the black king are occupied by White, or next to White's king, and so are those from which
    it would have come: the king did not move last. Nor did pawns on the rank on which they start, and castled it has not.
    """
    board = chess.Board(None)
    board.set_piece_at(chess.A8, chess.Piece(chess.KING, chess.BLACK))
    king, beside = draw.choice([(chess.B6, chess.B8), (chess.C7, chess.A7), (chess.A6, chess.B8), (chess.C8, chess.A7)])
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(beside, chess.Piece(draw.choice([chess.KNIGHT, chess.BISHOP]), chess.WHITE))
    for square in draw.sample([chess.D7, chess.E7, chess.F7, chess.G7, chess.H7], draw.randint(0, 5)):
        board.set_piece_at(square, chess.Piece(chess.PAWN, chess.BLACK))
    for square in draw.sample(range(8, 48), draw.randint(0, 6)):
        kind = draw.choice([chess.PAWN, chess.PAWN, chess.PAWN, chess.KNIGHT, chess.ROOK])
        if not board.piece_at(square):
            board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    near = chess.SquareSet(chess.BB_KING_ATTACKS[chess.A8])
    guarded = chess.BB_KING_ATTACKS[king] | board.occupied_co[chess.WHITE]
    if any(not guarded & chess.BB_SQUARES[square] for square in near) or not in_order(board):
        return None
    if draw.random() < 0.5:
        board = board.transform(chess.flip_horizontal)
    return board.mirror() if draw.random() < 0.5 else board


def parity(draw):
    """The wrong side is to move after a game in which only knights and rooks behind unmoved pawns moved.

    Each of these moves changes the colour of the square on which a man stands, so the diagram shows whether the number of
    plies is odd or even, and so who is to move.
    """
    kinds = (chess.KNIGHT, chess.ROOK)
    board = random_position(
        draw, 4, 40, lambda board, move: board.piece_type_at(move.from_square) in kinds and not board.is_capture(move)
    )
    if board is None or board.is_check():
        return None
    board.turn = not board.turn
    return board


def castling_rights(draw):
    """A right to castle with a rook that is not there: it has moved or was captured."""
    board = random_position(draw, 10, 80)
    if board is None:
        return None
    rook, king = draw.choice([(chess.A1, chess.E1), (chess.H1, chess.E1), (chess.A8, chess.E8), (chess.H8, chess.E8)])
    color = rook < 32
    if board.king(color) != king or board.piece_at(rook) == chess.Piece(chess.ROOK, color):
        return None
    board.castling_rights |= chess.BB_SQUARES[rook]
    return board


def double_check(draw):
    """Two knights give check. A move brings one man, and what it opens lets no knight through: one of them gave check before."""
    board = random_position(draw, 10, 60)
    if board is None or board.is_check():
        return None
    knights = list(board.pieces(chess.KNIGHT, not board.turn))
    free = chess.SquareSet(chess.BB_KNIGHT_ATTACKS[board.king(board.turn)] & ~board.occupied)
    if len(knights) != 2 or len(free) < 2:
        return None
    first, second = draw.sample(list(free), 2)
    other = moved(moved(board, knights[0], first), knights[1], second)
    return other if chess.popcount(other.checkers_mask()) == 2 and not other.was_into_check() else None


def pawn_rank(draw):
    """A pawn on the first or the eighth rank: it starts on the second, and is promoted on the eighth."""
    board = random_position(draw, 10, 80)
    if board is None:
        return None
    source = draw.choice(list(board.pieces(chess.PAWN, draw.choice(chess.COLORS))))
    free = chess.SquareSet(chess.BB_BACKRANKS & ~board.occupied)
    return moved(board, source, draw.choice(list(free))) if free else None


def epd(board):
    """As python-chess writes it, but with rights to castle that are not to be had."""
    fields = board.epd(en_passant="fen").split()
    rights = zip("KQkq", (chess.H1, chess.A1, chess.H8, chess.A8))
    fields[2] = "".join(name for name, rook in rights if board.castling_rights & chess.BB_SQUARES[rook]) or "-"
    return " ".join(fields)


# The word of the rule, the way, and whether everything else must be in order.
WAYS = [
    ("pawn-captures", pawn_captures, True),
    ("shut-in", shut_in, True),
    ("check", check, False),
    ("promotions", promotions, True),
    ("promotions", same_colour, True),
    ("last-move", last_move, True),
    ("parity", parity, True),
    ("castling-rights", castling_rights, False),
    ("check", double_check, False),
    ("pawn-rank", pawn_rank, False),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=20, help="diagrams of each way (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the draws (default: 1)")
    arguments = parser.parse_args()
    for word, way, rest_in_order in WAYS:
        name = way.__name__.replace("_", "-")
        draw = random.Random(f"{arguments.seed} {name}")
        made = set()
        while len(made) < arguments.each:
            board = way(draw)
            if board is None or (rest_in_order and not in_order(board)):
                continue
            line = epd(board)
            if line not in made:
                made.add(line)
                print(f'{line} c0 "{word}"; id "{name} {len(made)}";')


if __name__ == "__main__":
    main()
