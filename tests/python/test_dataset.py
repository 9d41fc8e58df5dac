"""`entente dataset`: the Parquet file as DuckDB reads it, the JSON lines, and the games as python-chess plays them."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import chess
import duckdb

from engine import PROGRAM

PLAN = """\
[dataset]
name = "small"
positions = 8
constraints = ["Q=0 q=0", "ply<=12 N@f3", "(1,2,2,2,7)"]
ratings = [1200, 1900]
realism = "fast"
seed = 5
"""


class Dataset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        (folder / "plan.toml").write_text(PLAN)
        command = [PROGRAM, "dataset", "plan.toml", "--output", "run"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        cls.folder = folder / "run"
        with (cls.folder / "positions.jsonl").open(encoding="utf-8") as lines:
            cls.positions = [json.loads(line) for line in lines]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_both_files_have_the_same_columns_and_values(self):
        table = duckdb.sql(f"SELECT * FROM '{self.folder / 'positions.parquet'}'")
        self.assertEqual(table.columns, list(self.positions[0]))
        rows = [dict(zip(table.columns, row)) for row in table.fetchall()]
        self.assertEqual(rows, self.positions)
        for column, kind in [("moves", "VARCHAR[]"), ("plies", "INTEGER"), ("surprise", "DOUBLE"), ("index", "BIGINT")]:
            self.assertEqual(str(table.types[table.columns.index(column)]), kind)

    def test_the_games_are_legal_and_lead_to_different_positions(self):
        seen = set()
        for position in self.positions:
            board = chess.Board(position["root"])
            for move, san in zip(position["moves"], position["san"], strict=True):
                self.assertEqual(board.san(chess.Move.from_uci(move)), san)
                board.push_uci(move)
            self.assertEqual(board.fen(en_passant="legal"), position["fen"])
            self.assertEqual(board.ply(), position["plies"])
            # Without the counters of moves.
            seen.add(board.epd(en_passant="legal"))
        self.assertEqual(len(seen), len(self.positions))

    def test_there_are_so_many_for_each_constraint_and_rating(self):
        counted = {}
        for position in self.positions:
            pair = (position["white_elo"], position["constraint"])
            counted[pair] = counted.get(pair, 0) + 1
        constraints = ["Q=0 & q=0", "ply<=12 & N@f3", "(1,2,2,2,7)"]
        # In this order, too.
        self.assertEqual(list(counted), [(elo, constraint) for elo in (1200, 1900) for constraint in constraints])
        self.assertEqual(set(counted.values()), {8})


if __name__ == "__main__":
    unittest.main()
