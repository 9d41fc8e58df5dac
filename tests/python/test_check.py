"""`entente check`, against the constraint language as checks/verify_games.py has it: two implementations, one answer."""

import io
import subprocess
import sys
import unittest

import chess
import chess.pgn

from engine import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "checks"))
import verify_games  # noqa: E402

CONSTRAINTS = [
    "Q=0 q=0",
    "P-p=1 | p-P=1",
    "material=KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPP",
    "N@f3 | n@f6",
    "(-@e2 -@e7)",
    "P@a-c p@6",
    "P@3-4 !P@5-8",
    "Q@dark | q@light",
    "K@1 k@e-h",
    "castling=none",
    "castling>=Kq",
    "castling=KQ | castling=kq",
    "check=white",
    "check=black",
    "check=any ply>=10",
    "check=none turn=black ply=7..9",
    "checkmate | stalemate",
    "fen=????????/????????/????????/????????/????????/????????/PPPP?PPP/R???K???",
    "!(turn=white | ply<21) b@d-f",
    "elo=1500..1700 turn=white ply<=4",
    "white.elo=1200 ply>30 (Q=0 | q=0)",
    "[BN]-[bn]=1 check=none",
    "[QRqr]=0..2 p-[P]>=1",
    "[Nn]@f3 [kK]@e1",
    "mirror(P@a-c castling=kq turn=black)",
    "mirror(Q@d-h !B@light) | !mirror(black(1,2,2,2,8))",
    "B=2 !B@light",
]


def run(*arguments, input=None):
    return subprocess.run([PROGRAM, *arguments], input=input, capture_output=True, text=True, timeout=120)


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pgn = "".join(
            run("generate", constraint, "--count", "4", "--seed", "5", "--format", "pgn").stdout
            for constraint in ["Q=0 q=0", "(0,1,1,1,5)", "P=4 p=4", "(0,0,0,0,0)"]
        )
        # A game that ends in mate, and one that begins elsewhere.
        cls.pgn += "1. f3 e5 2. g4 Qh4# 0-1\n\n"
        cls.pgn += '[SetUp "1"]\n[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n\n1. Qf7 1/2-1/2\n\n'

    def test_both_find_the_same_positions(self):
        everything = 0
        for text in CONSTRAINTS:
            with self.subTest(constraint=text):
                holds = verify_games.Constraint(text)
                expected, stream, number = [], io.StringIO(self.pgn), 0
                while (game := chess.pgn.read_game(stream)) is not None:
                    number += 1
                    board = game.board()
                    for ply, move in enumerate([None, *game.mainline_moves()]):
                        if move is not None:
                            board.push(move)
                        if holds(board, ply):
                            expected.append((number, ply, board.fen(en_passant="legal")))
                done = run("check", text, "--pgn", "-", input=self.pgn)
                found = []
                for line in done.stdout.splitlines():
                    words, fen = line.split(" fen ")
                    words = words.split(" ")
                    found.append((int(words[1]), int(words[3]), fen))
                self.assertEqual(found, expected)
                self.assertEqual(done.returncode, 0 if expected else 1)
                everything += len(expected)
                if text != "B=2 !B@light":
                    self.assertTrue(expected)
        self.assertGreater(everything, 500)

    def test_a_position_is_tested_and_what_fails_is_named(self):
        fen = "4k3/8/5N2/8/8/8/8/4K3 b - - 0 1"
        done = run("check", "N@f6 check=black", "--fen", fen)
        self.assertEqual((done.returncode, done.stdout), (0, "N@f6 & check=black: satisfied\n"))
        done = run("check", "N@f5 check=black", "--fen", fen)
        self.assertEqual(done.returncode, 1)
        self.assertIn("  no   a white knight stands on f5\n", done.stdout)
        self.assertIn("  yes  Black is in check\n", done.stdout)

    def test_bad_input_is_named(self):
        for arguments, reason in [
            (["chekmate"], "did you mean 'checkmate'?"),
            (["P=9"], "impossible: P=9: White needs at least 9 pawns"),
            (["P=9 turn=white"], "impossible: P=9 & turn=white: White needs at least 9 pawns"),
            (["check=white check=black"], "only the side to move can be in check"),
            (["Q=0", "--fen", "nonsense"], '--fen "nonsense": expected the FEN of a legal position'),
            (["Q=0", "--pgn", "no/such/file.pgn"], "no/such/file.pgn: "),
            (["Q=0", "--pgn", "/dev/null"], "/dev/null: expected games in PGN, found none"),
        ]:
            done = run("check", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(reason, done.stderr)

    def test_both_refuse_the_same_texts(self):
        for text in [
            "", "N@F5", "N@i5", "P@c-a", "castling=KK", "castling=", "material=KRKR", "material=RvK", "fen=8/8",
            "fen=xxxxxxxx/8/8/8/8/8/8/8", "fen=08/8/8/8/8/8/8/8", "check=maybe", "turn=left", "ply", "elo>5", "elo=5000",
            "elo=1500 | Q=1", "!elo=1500", "Q=100", "ply<=2000", "(" * 500 + "Q=1" + ")" * 500, "!" * 65 + "Q=1", "Q..1",
            "checkmatestalemate", "K=1", "Q=1 )", "[]=1", "[BB]=1", "[BK]=1", "[BN", "[BX]@e4", "mirror Q=1", "mirror(Q=1",
            "mirror(elo=1500)", "Q-[]=1", "elo=-5", "P@ab=1",
        ]:
            with self.subTest(constraint=text):
                self.assertEqual(run("check", text).returncode, 2)
                with self.assertRaises(verify_games.ConstraintError):
                    verify_games.Constraint(text)

    def test_games_that_are_not_chess_are_skipped_and_cut_ones_read_to_the_cut(self):
        pgn = (
            '[Variant "Atomic"]\n\n1. e4 e5 *\n\n'
            '[FEN "nonsense"]\n\n1. e4 *\n\n'
            '[FEN "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"]\n\n1. O-O *\n\n'
            "1. e4 (1. d4 d5) {a comment} e5 2. Ke3 Ke6 *\r\n\r\n"
        )
        done = run("check", "turn=black", "--pgn", "-", input=pgn)
        self.assertEqual([line.split(" ")[1] for line in done.stdout.splitlines()], ["3", "4"])
        self.assertIn("2 positions in 4 games, 2 skipped: ", done.stderr)
        self.assertIn(", 1 cut short at an illegal move", done.stderr)


if __name__ == "__main__":
    unittest.main()
