"""Tests of check_realism.py."""

import contextlib
import io
import pathlib
import random
import sys
import tempfile
import unittest
from unittest import mock

import chess

import check_realism

FIELDS = "of,method,side,game,weight,plies,rare,surprise_from_0,surprise_from_10,surprise_from_30,fen"
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REPORT = """| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ | rare | median plies | mean plies | AUC |
|---|---|---|---|---|---|---|---|---|---|---|
| 1500 | people | 2 | 1.67 | 1.50 | 2.00 | – | 6.7% | 15 | 15.0 | – |
| 1500 | fast | 1 | 2.00 (1.20) | 2.00 (1.33) | – | – | 0.0% (0.00) | 4 (0.27) | 4.0 (0.27) | – |
"""
ROWS = [
    f"1500,fast,people,3,1,10,1,15.0,0,0,{FEN}",
    f"1500,fast,people,4,1,20,1,15.0,20.0,0,{FEN}",
    f"1500,fast,generated,0,1,4,0,8.0,0,0,{FEN}",
]
LOSSES = """
## How good the moves are

### Mean loss, in centipawns

| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ |
|---|---|---|---|---|---|---|
| 1500 | people | 2 | 45.0 (0.0–177.3) | 45.0 (0.0–177.3) | – | – |
| 1500 | fast | 1 | 0.0 | 0.0 | – | – |

### Moves that lose over 100

| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ |
|---|---|---|---|---|---|---|
| 1500 | people | 2 | 25.0% (0.0–98.5) | 25.0% (0.0–98.5) | – | – |
| 1500 | fast | 1 | 0.0% | 0.0% | – | – |

### Moves that lose over 200

| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ |
|---|---|---|---|---|---|---|
| 1500 | people | 2 | 0.0% (0.0–0.0) | 0.0% (0.0–0.0) | – | – |
| 1500 | fast | 1 | 0.0% | 0.0% | – | – |
"""
PLIES = [
    "game,side,method,rating,constraint,weight,ply,before,after,loss",
    "3,people,fast,1500,Q=0,0.5,0,30,-150,180",
    "3,people,fast,1500,Q=0,0.5,1,150,-30,180",
    "4,people,fast,1500,Q=0,1.5,0,30,30,0",
    "4,people,fast,1500,Q=0,1.5,1,-30,-20,0",
    "0,generated,fast,1500,Q=0,1,0,30,35,0",
]


def random_positions(count, seed):
    """FENs after twenty random plies."""
    rng, fens = random.Random(seed), []
    for _ in range(count):
        board = chess.Board()
        for _ in range(20):
            board.push(rng.choice(list(board.legal_moves)))
        fens.append(board.fen())
    return fens


@mock.patch.object(check_realism, "TREES", 20)
class Classifier(unittest.TestCase):
    def test_positions_of_one_game_do_not_tell_of_each_other(self):
        def games(count, seed):
            fens = random_positions(count, seed)
            return [{"fen": fen, "game": game, "weight": 1} for game, fen in enumerate(fens)]

        people = [position for position in games(40, seed=1) for _ in range(4)]
        generated = games(160, seed=2)
        self.assertLess(check_realism.auc(people, generated), 0.65)
        apart = [{**position, "game": number} for number, position in enumerate(people)]
        self.assertGreater(check_realism.auc(apart, generated), 0.75, "they would, were they in several folds")


class Median(unittest.TestCase):
    def test_half_of_the_weight_is_on_either_side(self):
        for games, median in [
            ([(7, 0.5), (1, 0.5), (3, 0.5)], 3),
            ([(7, 1), (1, 1)], 4),
            ([(1, 1), (9, 1), (7, 5)], 7),
            ([(2, 1 / 3), (2, 1 / 3), (2, 1 / 3), (8, 1)], 5),
        ]:
            games = [{"plies": plies, "weight": weight} for plies, weight in games]
            self.assertEqual(check_realism.median(games), median)


class Check(unittest.TestCase):
    def check(self, report, plies=PLIES):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "realism.md").write_text(report, encoding="utf-8")
            (path / "positions.csv").write_text("\n".join([FIELDS, *ROWS, ""]), encoding="utf-8")
            (path / "losses.csv").write_text("\n".join([*plies, ""]), encoding="utf-8")
            output = io.StringIO()
            with mock.patch.object(sys, "argv", ["check_realism", folder]), contextlib.redirect_stdout(output):
                check_realism.main()
            return output.getvalue()

    def test_right_numbers_agree(self):
        self.assertEqual(self.check(REPORT), "16 cells agree\n")

    def test_right_losses_agree(self):
        self.assertEqual(self.check(REPORT + LOSSES), "46 cells agree\n")

    def test_a_wrong_interval_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check(REPORT + LOSSES.replace("98.5", "98.6"))
        self.assertIn("Moves that lose over 100, 1500, fast, people", str(raised.exception))

    def test_losses_that_contradict_the_values_are_named(self):
        for wrong, fault in [("1,150,-30,179", "a loss of 179"), ("1,140,-40,180", "does not follow")]:
            with self.assertRaises(SystemExit) as raised:
                self.check(REPORT + LOSSES, [line.replace("1,150,-30,180", wrong) for line in PLIES])
            self.assertIn(fault, str(raised.exception))

    def test_a_method_without_a_line_of_losses_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check(REPORT + LOSSES, [*PLIES, "5,generated,natural,1500,Q=0,1,0,30,30,0"])
        self.assertIn("Mean loss, in centipawns: no line for 1500 natural", str(raised.exception))

    def test_a_wrong_number_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check(REPORT.replace("6.7%", "6.8%"))
        self.assertIn("1500, fast", str(raised.exception))

    def test_a_line_that_is_missing_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check("\n".join(REPORT.splitlines()[:2]))
        self.assertIn("no line for", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
