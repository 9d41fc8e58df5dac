"""`entente check --pgn` reads the same positions as python-chess from PGN as people write it."""

import gzip
import io
import subprocess
import tempfile
import unittest
from pathlib import Path

import chess.pgn

from engine import PROGRAM, ROOT

# Texts of one game each, which python-chess reads, too.
TEXTS = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
    "1.e4 e5 2.Nf3! $14 Nc6?! 3.Bb5 a6 {Morphy (1857)} 4.0-0 1/2-1/2",
    "1. e2-e4 d7-d5 2. e4xd5 Qd8xd5 3. Nb1-c3 *",
    "1. e4 d5 2. exd5 Qd5 3. Nc3 Qe5+ *",
    "1. e4 (1. d4 d5 (1... Nf6 {)}) 2. c4) e5 *",
    "1. e4 1... e5 ; 2. d4\n2. Nf3 *",
    "1. e4 Nf6 2. e5 d5 3. exd6 exd6 $6 $142 *",
    '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8Q+ Kg7 2. Qb8 *',
    '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a7-a8=R+ Kg7 *',
    '[SetUp "1"]\n[FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7"]\n\n7... 0-0-0 8. O-O *',
    "1. e4 e5 2. Nf3?? Nc6!! 3. Bc4!? Nf6?! 4. d3! Be7? *",
    "1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 e5 4. Ncb5 a6 5. Nxc6 *",
    "1. f3 e5 2. g4 Qh4# 0-1",
]


def run(*arguments, input=None):
    return subprocess.run([PROGRAM, *arguments], input=input, capture_output=True, text=True)


def expected(text):
    game = chess.pgn.read_game(io.StringIO(text))
    board = game.board()
    fens = [board.fen(en_passant="legal")]
    for move in game.mainline_moves():
        board.push(move)
        fens.append(board.fen(en_passant="legal"))
    return fens


def fens(done):
    return [line.split(" fen ")[1] for line in done.stdout.splitlines()]


class Pgn(unittest.TestCase):
    def test_positions_are_those_of_python_chess(self):
        for text in TEXTS:
            with self.subTest(text=text):
                done = run("check", "Q>=0", "--pgn", "-", input=text)
                self.assertEqual(fens(done), expected(text))
                self.assertNotIn("cut short", done.stderr)

    def test_a_compressed_file_is_read_and_a_broken_game_named(self):
        text = "\n\n".join(["[Event \"a\"]\n\n1. e4 zz e5 *", "[Event \"b\"]\n\n1. d4 *", "[Event \"c\"]\n\n1. -- *"])
        with tempfile.TemporaryDirectory() as folder:
            for name, data in [("g.pgn.gz", gzip.compress(text.encode())), ("g16.pgn", text.encode("utf-16"))]:
                path = Path(folder) / name
                path.write_bytes(data)
                done = run("check", "ply=1", "--pgn", str(path))
                self.assertEqual([line.split()[1] for line in done.stdout.splitlines()], ["1", "2"])
                self.assertIn(f"{path}, line 3: game 1, ply 2: \"zz\" is not a move", done.stderr)
                self.assertIn("game 3, ply 1: -- is a null move", done.stderr)
            path = Path(folder) / "g.zip"
            path.write_bytes(b"PK\x03\x04 and more")
            done = run("check", "ply=1", "--pgn", str(path))
            self.assertEqual(done.returncode, 2)
            self.assertIn("this is a ZIP archive, expected text", done.stderr)

    def test_the_examples_are_what_the_readme_says(self):
        mates = run("check", "checkmate N@f7 k@h8", "--pgn", str(ROOT / "examples" / "games.pgn"))
        self.assertEqual(len(fens(mates)), 3)
        self.assertIn("3 positions in 12 games\n", mates.stderr)
        answers = run("prove", str(ROOT / "examples" / "diagrams.epd"), "--movetime", "5000")
        self.assertIn("6 diagrams: ", answers.stderr)
        self.assertIn("2 proved to have no such game", answers.stderr)


if __name__ == "__main__":
    unittest.main()
