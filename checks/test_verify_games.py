"""Tests of verify_games.py: it must accept what is right and name what is wrong."""

import io
import logging
import pathlib
import subprocess
import sys
import unittest

import chess

import verify_games

GAME = """[Event "?"]
[Constraint "{constraint}"]
[FinalFEN "{final}"]
{more}
{moves} *

"""
MOVES = "1. e4 d5 2. exd5 Qxd5"
FINAL = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"


def game(constraint="P=7 p=7", final=FINAL, moves=MOVES, more=""):
    return GAME.format(constraint=constraint, final=final, moves=moves, more=more)


def verify(text):
    faults = []
    return verify_games.verify(verify_games.read_games(io.StringIO(text)), faults.append), faults


class Constraints(unittest.TestCase):
    def holds(self, text, fen=chess.STARTING_FEN):
        return verify_games.Constraint(text)(chess.Board(fen))

    def test_tuples_and_counts(self):
        self.assertTrue(self.holds("(1,2,2,2,8)"))
        self.assertFalse(self.holds("(1,2,2,2,7)"))
        self.assertTrue(self.holds("black( 1, 2,2,2 ,8)"))
        self.assertTrue(self.holds("Q=1 R=1..2, p>=8 & n<3"))
        self.assertFalse(self.holds("Q!=1"))
        self.assertFalse(self.holds("R!=1..2"))
        self.assertTrue(self.holds("R=-1..2"))

    def test_differences_may_be_negative(self):
        fen = "3qk3/8/8/8/8/8/8/4K3 w - - 0 1"
        self.assertTrue(self.holds("Q-q=-1", fen))
        self.assertTrue(self.holds("Q-q<0 q-Q=1", fen))
        self.assertFalse(self.holds("Q-q>=0", fen))

    def test_and_binds_tighter_than_or(self):
        self.assertTrue(self.holds("Q=0 R=0 | q=1"))
        self.assertFalse(self.holds("Q=0 (R=0 | q=1)"))
        self.assertTrue(self.holds("!(Q=0 | R=0)"))
        self.assertTrue(self.holds("!!Q=1 !Q=0"))

    def test_every_condition_of_the_language(self):
        for text in [
            "K@e1 k@e8 P@2 !P@3 -@e4 -@3-6 Q@d-e",
            "B@light B@dark",
            "castling=KQkq castling>=K castling >= Kq",
            "check=none turn=white !checkmate !stalemate",
            "ply=0 ply<=40 elo=1500..1700 white.elo=1200",
            "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "fen=rnb?kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK??R (N@g1|N@f3)",
            "material=KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP",
        ]:
            self.assertTrue(self.holds(text), text)
        for text in [
            "castling=none", "castling=KQk", "check=any", "turn=black", "ply>0", "N@f3", "-@e2", "k@e1",
            "fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "material=KvK",
        ]:
            self.assertFalse(self.holds(text), text)
        mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
        self.assertTrue(self.holds("checkmate check=black check=any material=KQvK turn=black", mate))
        self.assertFalse(self.holds("check=white", mate))
        for text in ["N@i5", "P@c-a", "castling=KK", "material=KRKR", "fen=8/8", "check=maybe", "best=", "best=@h7", "bad=move", "best=N@outpost", "legal", "turn=left", "ply"]:
            with self.assertRaises(verify_games.ConstraintError, msg=text):
                self.holds(text)

    def test_mates_are_proved_and_what_search_tells_is_taken_for_granted(self):
        board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
        for text, holds in [
            ("mate=2", True),
            ("mate=1", False),
            ("!mate=1", True),
            ("eval=-30..30 !quiet", True),
            ("!(only | mate=1)", True),
            ("best=sacrifice eval.mover>=-3", True),
            ("best=R@a6 bad=[Pp] bad=capture legal=16", True),
            ("legal>=20", False),
            ("theme=back-rank moves=2..4", True),
            ("!(hold | convert)", True),
            ("puzzle=1400..1600", True),
            ("Q=1 quiet", False),
        ]:
            self.assertEqual(verify_games.Constraint(text)(board), holds, text)

    def test_conditions_on_the_game_hold_from_the_right_ply(self):
        board = chess.Board()
        moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be7 Qd2 O-O O-O-O Nxe4 Nxe4".split()
        played = [board.push_san(move) for move in moves]
        situations = verify_games.Situation.all_of(chess.Board(), played)
        for text, first, last in [
            ("captures=2", 7, 17),
            ("black.castled=short", 16, 19),
            ("castled=opposite", 17, 19),
            ("castled=none", 0, 15),
            ('opening="Sicilian Defense"', 2, 19),
            ("eco=B90..B99", 10, 19),
            ("begins='1.e4 c5 2.Nf3'", 3, 19),
            ("captures=1 then castled=yes", 17, 19),
            ("mirror(earlier(n@f6))", 4, 19),
            ("!earlier(N@f3)", 0, 3),
        ]:
            test = verify_games.Constraint(text).test
            held = [ply for ply, situation in enumerate(situations) if test(situation)]
            self.assertEqual(held, list(range(first, last + 1)), text)
        for text in ["quiet then Q=0", "earlier(elo=1500)", "mirror(eco=B90)", "opening='No such name'", "castled=left"]:
            with self.assertRaises(verify_games.ConstraintError, msg=text):
                verify_games.Constraint(text)

    def test_what_is_no_constraint_is_refused(self):
        for text in ["", "(1,2,1", "Q=1..0", "pp=2", "K=1", "Q", "Q=", "Q=1 )", "(Q=1", "Q=x", "x=1", "Q=1 |"]:
            with self.assertRaises(verify_games.ConstraintError, msg=text):
                self.holds(text)


class Games(unittest.TestCase):
    def test_right_games_are_counted(self):
        self.assertEqual(verify(game() + game("(1,2,2,2,7)")), ((2, 2, 2), []))

    def test_a_game_may_start_anywhere_and_have_no_moves(self):
        fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
        more = f'[SetUp "1"]\n[FEN "{fen}"]\n'
        self.assertEqual(verify(game("R=1", fen, "", more)), ((1, 1, 1), []))

    def test_an_illegal_move_is_named_by_game(self):
        counts, faults = verify(game() + game(moves="1. e4 e5 2. Ke3"))
        self.assertEqual(counts, (2, 1, 1))
        self.assertEqual(len(faults), 1)
        self.assertTrue(faults[0].startswith("game 2: "), faults)

    def test_a_move_after_the_end_is_named(self):
        def fault(fen, moves, final):
            more = f'[SetUp "1"]\n[FEN "{fen}"]\n'
            counts, faults = verify(game("N=0", final, moves, more))
            self.assertEqual(counts[1], 1 - len(faults), faults)
            return faults[0] if faults else None

        dead = "8/8/8/8/8/2k5/1B6/7K b - - 0 1"
        after = "8/8/8/8/8/8/1k6/7K w - - 0 2"
        self.assertEqual(fault(dead, "1... Kxb2", after),
                         "game 1: ply 1, c3b2, is played after the end: insufficient_material")
        late = "4k3/8/8/8/8/8/3q4/4K2R w - - {} 140"
        after = "4k3/8/8/8/8/8/3K4/7R b - - 0 140"
        self.assertEqual(fault(late.format(150), "140. Kxd2", after),
                         "game 1: ply 1, e1d2, is played after the end: seventyfive_moves")
        self.assertIsNone(fault(late.format(149), "140. Kxd2", after))
        root = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
        shuffle = "Ra2 Ke7 Ra1 Ke8 "
        after = "4k3/8/8/8/8/8/R7/4K3 b - - {} {}"
        self.assertIsNone(fault(root, shuffle * 3 + "Ra2", after.format(13, 7)))
        self.assertEqual(fault(root, shuffle * 4 + "Ra2", after.format(17, 9)),
                         "game 1: ply 17, a1a2, is played after the end: fivefold_repetition")

    def test_a_wrong_final_position_is_named(self):
        counts, faults = verify(game(final=FINAL.replace(" w ", " b ")))
        self.assertEqual(counts, (1, 0, 0))
        self.assertIn("FinalFEN", faults[0])

    def test_an_unsatisfied_game_is_named(self):
        counts, faults = verify(game("Q=0") + game())
        self.assertEqual(counts, (2, 2, 1))
        self.assertEqual(faults, ["game 1: does not satisfy Q=0"])

    def test_missing_tags_are_faults(self):
        counts, faults = verify("1. e4 *\n\n" + game().replace("Constraint", "Comment"))
        self.assertEqual(counts, (2, 1, 0))
        self.assertEqual(faults, ["game 1: has no tag FinalFEN", "game 2: has no tag Constraint"])

    def test_what_does_not_start_from_a_chess_position_is_a_fault_and_no_crash(self):
        for tag in ['[FEN "nonsense"]', '[Variant "Foo"]']:
            counts, faults = verify(game(more=tag + "\n") + game())
            self.assertEqual(counts, (2, 1, 1), tag)
            self.assertEqual(len(faults), 1, faults)
            self.assertTrue(faults[0].startswith("game 1: "), faults)


class Program(unittest.TestCase):
    def run_with(self, text):
        script = pathlib.Path(verify_games.__file__)
        done = subprocess.run([sys.executable, script], input=text, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_the_exit_status_is_0_only_if_all_is_well(self):
        self.assertEqual(self.run_with(game() * 3), (0, "3 games, 3 legal, 3 satisfied\n", ""))
        status, output, errors = self.run_with(game() + game("Q=0"))
        self.assertEqual((status, output), (1, "2 games, 2 legal, 1 satisfied\n"))
        self.assertEqual(errors, "game 2: does not satisfy Q=0\n")

    def test_no_game_is_a_failure(self):
        status, output, errors = self.run_with("")
        self.assertEqual((status, output), (1, "0 games, 0 legal, 0 satisfied\n"))
        self.assertIn("no game", errors)


if __name__ == "__main__":
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    unittest.main()
