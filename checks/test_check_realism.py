"""Tests of check_realism.py."""

import contextlib
import csv
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
REPORT = """| rating | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ | rare | median plies | mean plies | AUC | AUC, games |
|---|---|---|---|---|---|---|---|---|---|---|---|
| 1500 | people | 2 | 1.67 | 1.50 | 2.00 | – | 6.7% | 15 | 15.0 | – | – |
| 1500 | fast | 1 | 2.00 (1.20) | 2.00 (1.33) | – | – | 0.0% (0.00) | 4 (0.27) | 4.0 (0.27) | – | – |
"""
ROWS = [
    f"1500,fast,people,3,1,10,1,15.0,0,0,{FEN}",
    f"1500,fast,people,4,1,20,1,15.0,20.0,0,{FEN}",
    f"1500,fast,generated,0,1,4,0,8.0,0,0,{FEN}",
]
JUDGES = """
## Judges

| rating | judge | who | games | all plies | plies 0–9 | plies 10–29 | plies 30+ | rare | AUC by surprise |
|---|---|---|---|---|---|---|---|---|---|
| 1500 | maia | people | 3 | 1.53 | 1.36 | 2.00 | – | 2.6% | – |
| 1500 | maia | fast | 2 | 1.75 (1.15 ± 1.02) | 1.75 (1.29 ± 1.10) | – | – | 50.0% (19.00 ± 54.07) | 0.75 (0.20–1.00) |
"""
GAMES = [
    "rating,method,side,constraint,game,weight,plies,maia surprise,maia surprise_from_0,maia surprise_from_10,"
    "maia surprise_from_30,maia rare,loss_from_0",
    "1500,fast,people,Q=0,3,0.5,10,1.5,1.5,,,0.1,5",
    "1500,fast,people,Q=0,4,0.5,20,1.75,1.5,2.0,,0.0,",
    "1500,fast,people,q=0,3,1,4,1.0,1.0,,,0.0,5",
    "1500,fast,generated,Q=0,0,1,4,2.5,2.5,,,1.0,4",
    "1500,fast,generated,q=0,1,1,4,1.0,1.0,,,0.0,",
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
        self.assertLess(check_realism.auc(people, generated, check_realism.of_position), 0.65)
        apart = [{**position, "game": number} for number, position in enumerate(people)]
        self.assertGreater(check_realism.auc(apart, generated, check_realism.of_position), 0.75, "they would, were they in several folds")


class Games(unittest.TestCase):
    def games(self, lines=GAMES):
        found = {}
        for game in csv.DictReader(lines):
            found.setdefault((game["rating"], game["method"], game["side"]), []).append(game)
        return found

    def test_pairs_have_the_same_constraint_and_ties_count_half(self):
        games = self.games()
        sides = games["1500", "fast", "people"], games["1500", "fast", "generated"]
        # The first generated game is above both, and the second one is as surprising as its only human game.
        self.assertTrue(check_realism.auc_by_surprise(*sides, "maia").startswith("0.75 ("))

    def test_with_losses_only_games_with_losses_are_classified(self):
        people, generated = check_realism.classified(self.games(), "1500", "fast")
        self.assertEqual([(game["game"], game["weight"]) for game in people], [("3", 1)])
        self.assertEqual([(game["game"], game["weight"]) for game in generated], [("0", 1)])
        without = [line.rsplit(",", 1)[0] + "," for line in GAMES[1:]]
        people, _ = check_realism.classified(self.games([GAMES[0], *without]), "1500", "fast")
        self.assertEqual([game["weight"] for game in people], [0.5, 0.5, 1])
        people, generated = check_realism.classified(self.games([GAMES[0], *without]), "q=0", "fast")
        self.assertEqual((len(people), len(generated)), (1, 1))


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
    def check(self, report, plies=PLIES, games=GAMES):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "realism.md").write_text(report, encoding="utf-8")
            (path / "positions.csv").write_text("\n".join([FIELDS, *ROWS, ""]), encoding="utf-8")
            (path / "games.csv").write_text("\n".join([*games, ""]), encoding="utf-8")
            (path / "losses.csv").write_text("\n".join([*plies, ""]), encoding="utf-8")
            output = io.StringIO()
            with mock.patch.object(sys, "argv", ["check_realism", folder]), contextlib.redirect_stdout(output):
                check_realism.main()
            return output.getvalue()

    def test_right_numbers_agree(self):
        self.assertEqual(self.check(REPORT), "16 cells agree\n")

    def test_right_losses_agree(self):
        self.assertEqual(self.check(REPORT + LOSSES), "46 cells agree\n")

    def test_right_figures_of_judges_agree(self):
        self.assertEqual(self.check(REPORT + JUDGES), "30 cells agree\n")

    def test_a_wrong_figure_of_a_judge_is_named(self):
        with self.assertRaises(SystemExit) as raised:
            self.check(REPORT + JUDGES.replace("2.6%", "2.7%"))
        self.assertIn("1500, maia, fast", str(raised.exception))

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
