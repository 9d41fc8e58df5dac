"""Tests of structures.py with the positions and squares that the Rust implementation is tested with, too."""

import pathlib
import unittest

import chess

import structures
import verify_games

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "tests" / "set_squares.txt"


def rows():
    for line in EXAMPLES.read_text().splitlines():
        if ";" in line and not line.startswith("#"):
            yield [part.strip() for part in line.split(";")]


class Sets(unittest.TestCase):
    def test_every_word_finds_the_squares_of_its_example(self):
        words = set()
        for text, fen, squares in rows():
            board = chess.Board(f"{fen} 0 1")
            tokens = verify_games.Constraint(f"{text}>=0")
            tokens.next = 0
            found, _ = tokens._set()
            self.assertEqual({chess.square_name(s) for s in found(board)}, set(squares.split()), text)
            self.assertTrue(verify_games.Constraint(f"{text}={len(squares.split())}")(board), text)
            words.add(text.partition("(")[0])
        self.assertLessEqual(set(structures.PROPERTIES) | set(structures.RELATIONS), words)

    def test_regions(self):
        for text, size in [("d", 8), ("a-c", 24), ("2-4", 24), ("c3-f6", 16), ("centre", 4), ("edge", 28), ("f5", 1)]:
            self.assertEqual(len(structures.region(text)), size, text)
        for text in ["f6-c3", "h-a", "i", "a-3", "d4-e"]:
            with self.assertRaises(ValueError, msg=text):
                structures.region(text)

    def test_comparisons_differences_and_patterns(self):
        start = chess.Board()
        for text, holds in [
            ("P@d=1 P@queenside-P@kingside=0 P-isolated(P)=8", True),
            ("P-P@d=7 [Nn]-[Nn]@edge=0", True),
            ("mobility(N)=4 mobility(N@b1)=2 -@c3-f6=16", True),
            ("isolated(P) | hanging([NBRQnbrq])", False),
            ("majority=queenside | open=d | halfopen=a-h | bishops=same", False),
            ("flip(N@b1 Q@e1) shift(N@c5 B@d5)", True),
            ("shift(P@d4 P@e4) !shift(N@d4 N@e4)", True),
        ]:
            self.assertEqual(verify_games.Constraint(text)(start), holds, text)

    def test_what_is_no_set_is_refused(self):
        for text in ["isolated(N)", "isolated P", "attacks(N)", "hanging(-@d4)", "P@c-a=1", "-@outpost", "flip(castling=K)",
                     "shift(N@centre)", "open=4", "bishops=red", "passed(P", "K-q=1"]:
            with self.assertRaises(verify_games.ConstraintError, msg=text):
                verify_games.Constraint(text)


if __name__ == "__main__":
    unittest.main()
