"""`entente-trainer vocabulary`, against python-chess: lone men on every square, by the transformer paper's procedure."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import chess

from engine import PROGRAM

TRAINER = PROGRAM.with_name("entente-trainer")
CASTLING = {chess.WHITE: ["e1g1", "e1c1"], chess.BLACK: ["e8g8", "e8c8"]}


def lone_moves(color: chess.Color, kind: chess.PieceType) -> set[str]:
    moves = set()
    for square in chess.SQUARES:
        if kind == chess.PAWN and chess.square_rank(square) in (0, 7):
            continue
        board = chess.Board(None)
        board.turn = color
        board.set_piece_at(square, chess.Piece(kind, color))
        moves |= {move.uci() for move in board.pseudo_legal_moves}
        if kind == chess.PAWN and chess.square_rank(square) == (6 if color else 1):
            for end in chess.SquareSet(chess.BB_PAWN_ATTACKS[color][square]):
                moves |= {chess.square_name(square) + chess.square_name(end) + piece for piece in "qrbn"}
    if kind == chess.KING:
        moves |= set(CASTLING[color])
    return moves


class Vocabulary(unittest.TestCase):
    def test_the_moves_are_those_of_lone_men(self):
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "rules_based_mapping"
            command = [TRAINER, "vocabulary", "--output", output]
            table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            by_man = json.loads((output / "chess_move_indices.json").read_text())
            names = json.loads((output / "all_legal_moves.json").read_text())
        expected = {
            f"{chess.COLOR_NAMES[color]}_{chess.PIECE_NAMES[kind]}": sorted(lone_moves(color, kind))
            for color in chess.COLORS
            for kind in chess.PIECE_TYPES
        }
        self.assertEqual(by_man, expected)
        self.assertEqual(names, sorted(set().union(*expected.values())))
        self.assertIn("b2a1q", names)
        self.assertIn(f"{len(names):>5}", table)


if __name__ == "__main__":
    unittest.main()
