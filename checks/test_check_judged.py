"""What check_judged.py makes of an engine's answers."""

import unittest

import chess
import chess.engine

import check_judged
from check_judged import ATOM, atoms, lead, solution, success, verdict_on_solution


def points(score):
    return chess.engine.Cp(score)


def lines(*scores):
    return [(score, None) for score in scores]


class Engine:
    """An engine that knows what each move of a position is worth; other moves are worth 0."""

    def __init__(self, worth):
        self.worth = worth

    def lines(self, board, moves=None, count=1):
        known = self.worth.get(board.board_fen(), {})
        scored = [(known.get(move.uci(), points(0)), move) for move in moves or board.legal_moves]
        return sorted(scored, key=lambda line: line[0], reverse=True)[:count]


class CheckJudged(unittest.TestCase):
    def test_best_and_bad_moves_are_of_their_kind(self):
        board = chess.Board("3r2k1/5ppp/8/8/8/3B4/5PPP/6K1 w - - 0 1")
        engine = Engine({board.board_fen(): {"d3f1": points(50), "d3h7": points(-900), "d3g6": points(-900)}})
        for text, holds in [
            ("best=B", True), ("best=B@1", True), ("best=B@h7", False), ("best=[Bb]@edge", True), ("best=K", False),
            ("best=quiet", True), ("bad=B@h7", True), ("bad=capture", False), ("bad=B", False), ("bad=N", False),
            ("bad=check", True), ("bad=sacrifice", True),
        ]:
            verdict, _, words = check_judged.verdict(ATOM.fullmatch(text), board, engine)
            self.assertEqual(verdict, holds, (text, words))

    def test_a_single_move_must_succeed(self):
        mate = chess.engine.Mate
        for best, second, achieved in [
            (points(250), points(90), "win"),
            (points(250), points(110), None),
            (points(900), points(700), None),
            (points(10), points(-200), "draw"),
            (points(10), points(-100), None),
            (points(120), points(-400), None),
            (mate(2), mate(2), None),
            (mate(2), mate(3), "win"),
            (mate(2), points(900), "win"),
        ]:
            self.assertEqual(success(lines(best, second)), achieved, (best, second))
        self.assertIsNone(success(lines(points(500))), "a forced move is no choice")

    def test_the_forced_part_ends_before_a_move_with_an_alternative(self):
        board = chess.Board("4k3/5ppp/8/1N6/8/8/5PPP/6K1 w - - 0 1")
        engine = Engine({board.board_fen(): {"b5c7": points(400)}})
        achieved, moves = solution(board, engine)
        self.assertEqual((achieved, [move.uci() for move in moves]), ("win", ["b5c7"]))
        after = board.copy()
        after.push_uci("b5c7")
        reply = engine.lines(after)[0][1]
        after.push(reply)
        engine.worth[after.board_fen()] = {"c7b5": points(500)}
        _, moves = solution(board, engine)
        self.assertEqual([move.uci() for move in moves], ["b5c7", reply.uci(), "c7b5"])

    def test_conditions_on_solutions_are_found_and_judged(self):
        found = [atom[0] for atom in atoms("theme=back-rank & moves=2..4 & hold & Q=0 & !only")]
        self.assertEqual(found, ["theme=back-rank", "moves=2..4", "hold"])
        behind = chess.Board("4k3/5ppp/8/8/8/8/6PP/6K1 w - - 0 1")
        self.assertEqual(lead(behind), -100)
        engine = Engine({behind.board_fen(): {"g1f2": points(0)}})
        record = {"fen": behind.fen()}
        hold = ATOM.match("hold")
        self.assertFalse(verdict_on_solution(hold, record, engine, None)[0], "other moves hold, too")
        others = {move.uci(): points(-300) for move in behind.legal_moves if move.uci() != "g1f2"}
        engine.worth[behind.board_fen()].update(others)
        self.assertTrue(verdict_on_solution(hold, record, engine, None)[0])
        self.assertTrue(verdict_on_solution(ATOM.match("moves=1..2"), record, engine, None)[0])
        self.assertFalse(verdict_on_solution(ATOM.match("moves>=2"), record, engine, None)[0])

    def test_constants_are_those_of_the_documentation(self):
        self.assertEqual((check_judged.WIN, check_judged.ONLY, check_judged.BALANCE), (200, 150, 60))


if __name__ == "__main__":
    unittest.main()
