"""What matches are summed up to."""

import argparse
import pathlib
import unittest

import chess

import match


class Summary(unittest.TestCase):
    def test_elo_is_that_of_the_score(self):
        self.assertEqual(match.elo(0.5), 0)
        self.assertAlmostEqual(match.elo(10 / 11), 400)
        self.assertAlmostEqual(match.elo(1 / 11), -400)
        self.assertEqual((match.elo(0), match.elo(1)), (float("-inf"), float("inf")))

    def test_the_error_is_that_of_a_mean_of_wins_draws_and_losses(self):
        # Variance 0.2 a game: five games of 1, 1, 0.5, 0, 0 have 0.2, their mean has 0.04, its root is 0.2.
        text = match.summary({"1-0": 2, "1/2-1/2": 1, "0-1": 2})
        self.assertTrue(text.startswith("+2 =1 -2, 50.0% ± 20.0%, Elo difference +0 ["), text)
        self.assertIn("100.0% ± 0.0%", match.summary({"1-0": 3, "1/2-1/2": 0, "0-1": 0}))


class Input(unittest.TestCase):
    def test_every_opening_is_legal_and_white_is_to_move(self):
        openings = match.read_openings(pathlib.Path(match.__file__).with_name("openings.txt"))
        self.assertGreaterEqual(len(openings), 50)
        positions = set()
        for opening in openings:
            board = chess.Board()
            for san in opening:
                board.push_san(san)
            self.assertEqual(board.turn, chess.WHITE, opening)
            positions.add(board.epd())
        self.assertEqual(len(positions), len(openings))
        # The same positions in the form that match programs take.
        epd = pathlib.Path(match.__file__).with_name("openings.epd").read_text(encoding="utf-8")
        self.assertEqual(set(epd.splitlines()), positions)

    def test_options_and_numbers_are_checked(self):
        self.assertEqual(match.option("Constraint=Q=0"), ("Constraint", "Q=0"))
        for check, text in [(match.option, "Hash"), (match.positive, "0")]:
            with self.assertRaises(argparse.ArgumentTypeError):
                check(text)


if __name__ == "__main__":
    unittest.main()
