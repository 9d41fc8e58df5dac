#!/usr/bin/env python3
"""Compares the engine's predictions of networks in lc0's format with those of ONNX Runtime.

    checks/lc0.py NETWORK.onnx [...] [--positions 1000] [--entente target/release/entente]

The inputs and the numbering of moves are written here a second time, with python-chess. Positions come from random games
that repeat positions, castle and promote, from both sides, with all their moves; some games begin in the middle. The exit
status is 0 if no probability differs by more than a ten-thousandth.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

try:
    import chess
    import numpy
    import onnxruntime
except ModuleNotFoundError as error:
    sys.exit(f"lc0: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = Path(__file__).resolve().parent.parent
TOLERANCE = 1e-4
MIDDLES = [
    "r3k2r/pppq1ppp/2npbn2/4p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 40",
    "1n1nk3/P1P4P/8/8/8/8/p1p4p/1N1NK3 w - - 3 40",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
]


def moves():
    """All moves in lc0's order, in its notation, from the mover's side."""
    plain, promotions = [], []
    for start in chess.SQUARES:
        for end in chess.SQUARES:
            files = abs(chess.square_file(start) - chess.square_file(end))
            ranks = abs(chess.square_rank(start) - chess.square_rank(end))
            queen = start != end and (files == 0 or ranks == 0 or files == ranks)
            name = chess.square_name(start) + chess.square_name(end)
            if queen or sorted([files, ranks]) == [1, 2]:
                plain.append(name)
            if chess.square_rank(start) == 6 and chess.square_rank(end) == 7 and files <= 1:
                promotions += [name + role for role in "qrb"]
    return {name: index for index, name in enumerate(plain + promotions)}


MOVES = moves()


def index(board, move):
    """The index of a move of the side to move."""
    start, end = move.from_square, move.to_square
    if board.is_castling(move):
        end = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(start))
    if board.turn == chess.BLACK:
        start, end = chess.square_mirror(start), chess.square_mirror(end)
    role = chess.piece_symbol(move.promotion) if move.promotion else ""
    return MOVES[chess.square_name(start) + chess.square_name(end) + role.replace("n", "")]


def planes(board):
    """The 112 planes of a board with its moves."""
    turn = board.turn
    result = numpy.zeros((112, 8, 8), dtype=numpy.float32)
    boards, copy = [board.copy()], board.copy()
    while copy.move_stack:
        copy.pop()
        boards.append(copy.copy())
    for place in range(8):
        known = place < len(boards)
        if not known and boards[-1].board_fen() == chess.STARTING_BOARD_FEN:
            break
        shown = boards[min(place, len(boards) - 1)]
        # A position with an en passant square and no moves implies the one before the pawn's double step.
        if not known and len(boards) == 1 and shown.ep_square is not None:
            shown = before_double_step(shown)
        for side, color in enumerate([turn, not turn]):
            for kind in range(chess.PAWN, chess.KING + 1):
                for square in shown.pieces(kind, color):
                    seen = square if turn == chess.WHITE else chess.square_mirror(square)
                    result[13 * place + 6 * side + kind - 1, seen // 8, seen % 8] = 1
        if known:
            keys = [before._transposition_key() for before in boards[place:]]
            if keys[0] in keys[1:]:
                result[13 * place + 12] = 1
    for number, (color, rook) in enumerate([(turn, 0), (turn, 7), (not turn, 0), (not turn, 7)]):
        has = board.has_queenside_castling_rights if rook == 0 else board.has_kingside_castling_rights
        result[104 + number] = has(color)
    result[108] = turn == chess.BLACK
    result[109] = board.halfmove_clock
    result[111] = 1
    return result


def before_double_step(board):
    step = 8 if board.turn == chess.BLACK else -8
    before = board.copy()
    before.set_piece_at(board.ep_square - step, before.remove_piece_at(board.ep_square + step))
    return before


def positions(count, seed):
    """Boards with their moves, one of each game."""
    rng = random.Random(seed)
    while count > 0:
        board = chess.Board(rng.choice(MIDDLES)) if rng.random() < 0.5 else chess.Board()
        for _ in range(rng.randrange(rng.choice([4, 20, 80]))):
            legal = list(board.legal_moves)
            if not legal:
                break
            # Moves back and forth, castling and promotions are rare in random games.
            liked = [move for move in legal if board.is_castling(move) or move.promotion]
            back = []
            if len(board.move_stack) >= 2:
                last = board.move_stack[-2]
                back = [move for move in legal if (move.from_square, move.to_square) == (last.to_square, last.from_square)]
            choice = rng.random()
            board.push(rng.choice(back if back and choice < 0.4 else liked if liked and choice < 0.6 else legal))
        if any(board.legal_moves):
            count -= 1
            yield board


def engine(entente, network, boards):
    """The engine's probabilities of all legal moves, for each board."""
    lines = "".join(
        json.dumps({"root": board.root().fen(), "moves": [move.uci() for move in board.move_stack]}) + "\n"
        for board in boards
    )
    command = [entente, "policy", "-", "--network", network, "--format", "jsonl"]
    run = subprocess.run(command, input=lines, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return [dict(zip(row["moves"], row["probabilities"])) for row in rows]


def runtime(network, boards):
    session = onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])
    answers = []
    for start in range(0, len(boards), 64):
        some = boards[start : start + 64]
        inputs = numpy.stack([planes(board) for board in some])
        (logits,) = session.run(["/output/policy"], {"/input/planes": inputs})
        for board, row in zip(some, logits):
            legal = list(board.legal_moves)
            chosen = numpy.array([row[index(board, move)] for move in legal], dtype=numpy.float64)
            chances = numpy.exp(chosen - chosen.max())
            answers.append(dict(zip([move.uci() for move in legal], chances / chances.sum())))
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entente", default=str(ROOT / "target/release/entente"))
    options = parser.parse_args()
    boards = list(positions(options.positions, options.seed))
    kinds = Counter()
    for board in boards:
        kinds["black to move"] += board.turn == chess.BLACK
        kinds["repeated"] += board.is_repetition(2)
        kinds["castling"] += any(board.is_castling(move) for move in board.legal_moves)
        kinds["promotion"] += any(move.promotion for move in board.legal_moves)
        kinds["en passant"] += board.has_legal_en_passant()
        kinds["fewer than eight positions"] += len(board.move_stack) < 7
    print(f"{len(boards)} positions: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    failed = False
    for network in options.networks:
        worst, place = 0.0, None
        for board, ours, theirs in zip(boards, engine(options.entente, network, boards), runtime(network, boards)):
            assert ours.keys() == theirs.keys(), board.fen()
            difference = max(abs(ours[move] - theirs[move]) for move in ours)
            if difference > worst:
                worst, place = difference, board
        failed |= worst > TOLERANCE
        print(f"{network}: probabilities differ by at most {worst:.1e}" + (f", in {place.fen()}" if place else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
