"""`entente-trainer analyse` on games of random movers, against python-chess and DuckDB (checks/check_analysis.py)."""

import csv
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chess
import chess.pgn

from engine import PROGRAM

TRAINER = PROGRAM.with_name("entente-trainer")
CHECK = Path(__file__).parents[2] / "checks" / "check_analysis.py"
CONSTRAINTS = """\
# Numbers of both sides, exact ones, squares, and whose turn it is.
(1,2,2,2,7)
(1,2,2,1,7)
P=7 p=7
Q=0 | q=0
[BN]<=3 turn=black
N@f3 !check=any
check=white
"""


def write_games(path, count):
    """Games of random movers who like to capture, some with an opening, some with a code."""
    generator = random.Random(27)
    with path.open("w") as file:
        for number in range(count):
            game = chess.pgn.Game()
            board, node = game.board(), game
            for _ in range(generator.randrange(20, 120)):
                moves = list(board.legal_moves)
                if board.is_game_over() or not moves:
                    break
                captures = [move for move in moves if board.is_capture(move)]
                move = generator.choice(captures if captures and generator.random() < 0.3 else moves)
                board.push(move)
                node = node.add_variation(move)
            result = board.result() if board.is_game_over() else generator.choice(["1-0", "0-1", "1/2-1/2"])
            tags = {"Site": "https://lichess.org/x", "White": f"player {number % 7}", "Black": "player 9"}
            tags |= {"WhiteElo": str(1000 + 37 * number % 1500), "BlackElo": "1500", "TimeControl": "600+5"}
            tags |= {"Result": result} | ({"Opening": f"Opening {number % 3}"} if number % 4 else {"ECO": "C42"})
            game.headers.update(tags)
            print(game, end="\n\n", file=file)


class Analysis(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        write_games(cls.folder / "games.pgn", 150)
        (cls.folder / "some.txt").write_text(CONSTRAINTS)
        cls.trainer("import", "games.pgn", "--min-rating", "0", "--exclude-base-time", "none", "--output", "games.store")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def trainer(cls, *arguments, status=0):
        run = subprocess.run([TRAINER, *arguments], cwd=cls.folder, capture_output=True, text=True)
        assert run.returncode == status, run.stderr
        return run.stdout + run.stderr

    def check(self, output, status=0):
        command = [sys.executable, CHECK, self.folder / output, self.folder / "games.pgn"]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run.stdout

    def test_the_tables_are_those_of_other_libraries(self):
        options = ["--constraints", "some.txt", "--games", "csv,parquet", "--output", "whole"]
        self.trainer("analyse", "games.store", *options)
        self.assertIn("150 games, 7 constraints", self.check("whole"))
        # A figure that is changed is found.
        table = self.folder / "whole" / "squares.csv"
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        rows[5]["games"] = str(int(rows[5]["games"]) + 1)
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        self.assertIn("1 different", self.check("whole", status=1))


if __name__ == "__main__":
    unittest.main()
