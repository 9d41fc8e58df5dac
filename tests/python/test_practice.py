"""Studies and cards for Anki, as the programs that import them read them."""

import csv
import io
import subprocess
import unittest
import xml.etree.ElementTree

import chess
import chess.pgn

from engine import PROGRAM


def generate(*arguments):
    """What `entente generate` writes for these arguments."""
    command = [PROGRAM, "generate", *arguments, "--seed", "5"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Practice(unittest.TestCase):
    def test_chapters_begin_at_the_position_of_their_game_and_are_played_legally(self):
        text = io.StringIO(generate("Q=0 q=0", "--elo", "1500", "--realism", "fast", "--count", "4", "--format", "study"))
        chapters = list(iter(lambda: chess.pgn.read_game(text), None))
        self.assertEqual(len(chapters), 4)
        for number, chapter in enumerate(chapters, 1):
            self.assertEqual(chapter.errors, [])
            board = chapter.board()
            side = "White" if board.turn else "Black"
            self.assertEqual(chapter.headers["Event"], f"{number} · {side} to move")
            self.assertEqual((chapter.headers["SetUp"], chapter.headers["Result"]), ("1", "*"))
            self.assertTrue(1 <= len(list(chapter.mainline_moves())))
            value = r"([+−]?\d+\.\d\d|(White|Black) mates in \d+|no clear advantage)"
            about = r"( \([a-z -]+(, [a-z -]+)*\))?(; also .+)?(; puzzle rating \d+ ± \d+)?"
            self.assertRegex(chapter.end().comment, f"^{value}{about}$")
            # The comment before the first move has the game, which ends in the position.
            words = chapter.comment.removeprefix("The game: ").split(" (")[0]
            game = chess.pgn.read_game(io.StringIO(words))
            self.assertEqual(game.errors, [])
            self.assertEqual(game.end().board().fen(), board.fen())

    def test_a_mate_is_no_task(self):
        chapter = chess.pgn.read_game(io.StringIO(generate("checkmate", "--method", "best-first", "--format", "study")))
        self.assertTrue(chapter.board().is_checkmate())
        self.assertEqual((chapter.headers["Event"], chapter.next()), ("1 · Checkmate", None))

    def test_cards_have_a_board_in_front_and_a_solution_on_the_back(self):
        text = generate("Q=0 q=0", "--elo", "1500", "--realism", "fast", "--count", "3", "--format", "anki")
        lines = text.splitlines()
        self.assertEqual(lines[:3], ["#separator:tab", "#html:true", "#columns:Front\tBack"])
        cards = list(csv.reader(lines[3:], delimiter="\t", strict=True))
        self.assertEqual(len(cards), 3)
        for front, back in cards:
            svg, _, task = front.rpartition("<br>")
            xml.etree.ElementTree.fromstring(svg)
            self.assertIn(task, ["White to move", "Black to move"])
            self.assertRegex(back, r"^<b>\d+\.")


if __name__ == "__main__":
    unittest.main()
