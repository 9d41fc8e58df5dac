"""Tests of generation_match.py: where games are cut, and what runners are told. No runner is needed."""

import argparse
import unittest

import chess

import generation_match

PGN = """[White "white"]
[Black "black"]
[Result "1/2-1/2"]

1. e4 {+0.10/1} d5 2. exd5 Qxd5 3. Nc3 Qa5 1/2-1/2

[White "white"]
[Black "black"]
[Result "*"]

1. e4 e5 *
"""


class Games(unittest.TestCase):
    def test_a_game_ends_where_the_constraint_first_holds(self):
        first, second = generation_match.proofs(PGN, "(1,2,2,2,7) p=7")
        self.assertIsNone(second)
        self.assertEqual([move.uci() for move in first.mainline_moves()], ["e2e4", "d7d5", "e4d5", "d8d5"])
        board = first.end().board()
        self.assertEqual(first.headers["FinalFEN"], board.fen())
        self.assertEqual((first.headers["PlyCount"], first.headers["Constraint"]), ("4", "(1,2,2,2,7) p=7"))

    def test_what_holds_at_the_beginning_needs_no_move(self):
        first, second = generation_match.proofs(PGN, "Q=1")
        self.assertEqual([first.headers["PlyCount"], second.headers["PlyCount"]], ["0", "0"])
        self.assertEqual(first.headers["FinalFEN"], chess.STARTING_FEN)


class Commands(unittest.TestCase):
    def test_each_runner_is_told_in_its_own_way_where_games_go(self):
        options = argparse.Namespace(
            constraint="Q=0 q=0", games=3, tc="5+0.05", moves=60, concurrency=2, entente="/bin/entente"
        )
        for runner, pgn in (("/usr/bin/cutechess-cli", "/tmp/g.pgn"), ("fastchess", "file=/tmp/g.pgn")):
            words = generation_match.command(runner, "/tmp/g.pgn", options)
            self.assertEqual((words[0], words[-1]), (runner, pgn))
            self.assertIn("option.Constraint=Q=0 q=0", words)
            self.assertEqual(words.count("-engine"), 2)


if __name__ == "__main__":
    unittest.main()
