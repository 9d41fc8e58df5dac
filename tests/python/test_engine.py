"""python-chess as the client: it refuses illegal moves, and logs whatever it cannot read."""

import concurrent.futures
import pathlib
import subprocess
import sys
import time
import unittest

import chess
import chess.engine

from engine import PROGRAM, board_after, start

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "checks"))

import verify_games


class EngineTest(unittest.TestCase):
    """Every test fails if python-chess found something that it could not read."""

    def run(self, result=None):
        # What is only logged, such as a variation that is not legal, must not happen either.
        def quietly():
            with self.assertNoLogs("chess.engine", "WARNING"):
                method()

        method = getattr(self, self._testMethodName)
        setattr(self, self._testMethodName, quietly)
        return super().run(result)


class Options(EngineTest):
    def test_every_option_takes_its_default_and_its_bounds_and_refuses_what_is_beyond(self):
        with start() as engine:
            options = dict(engine.options)
            self.assertGreaterEqual(len(options), 26)
            for name, option in options.items():
                if option.is_managed():
                    continue
                with self.subTest(option=name):
                    values = {
                        "spin": [option.min, option.max, option.default],
                        "combo": [*(option.var or []), option.default],
                        "check": [True, False, option.default],
                        "string": ["", option.default],
                        "button": [None],
                    }[option.type]
                    for value in values:
                        engine.configure({name: value})
                    if option.type == "spin":
                        with self.assertRaises(chess.engine.EngineError):
                            engine.configure({name: option.max + 1})
            engine.ping()
        # They are the same however often one asks.
        with start() as engine:
            self.assertEqual(options, dict(engine.options))

    def test_what_is_set_is_obeyed(self):
        with start(Seed=7, Constraint="Q=0 q=0", Mode="generate") as engine:
            first = engine.play(chess.Board(), chess.engine.Limit(time=1))
            engine.configure({"Seed": 7})
            self.assertEqual(first.move, engine.play(chess.Board(), chess.engine.Limit(time=1)).move)
        with start(UCI_ShowWDL=True) as engine:
            info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4))
            self.assertEqual(info["wdl"].white().total(), 1000)


class Play(EngineTest):
    GAMES = 8
    TIME = 0.05
    # A machine may stand still for a moment, which is not the engine's fault: half of the moves are in time at least,
    # and none takes as long as a search that forgets the clock.
    USUAL, WORST = 0.03, 5.0

    def play_one(self, number):
        """One game; returns its result and the times of its moves."""
        board, times = chess.Board(), []
        with start() as white, start() as black:
            while not board.is_game_over(claim_draw=True):
                engine = white if board.turn else black
                begin = time.perf_counter()
                result = engine.play(board, chess.engine.Limit(time=self.TIME), game=number)
                times.append(time.perf_counter() - begin)
                self.assertIn(result.move, board.legal_moves)
                board.push(result.move)
        return board.result(claim_draw=True), times

    def test_games_at_a_twentieth_of_a_second_a_move(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            games = list(pool.map(self.play_one, range(self.GAMES)))
        times = sorted(seconds for _, times in games for seconds in times)
        results = [result for result, _ in games]
        self.assertNotIn("*", results)
        median, slowest, late = times[len(times) // 2], times[-1], sum(seconds > self.TIME for seconds in times)
        print(f"\n{len(games)} games: {sorted(results)}")
        print(f"{len(times)} moves, median {1000 * median:.0f} ms, slowest {1000 * slowest:.0f} ms, {late} above 50 ms")
        self.assertLess(median, self.TIME + self.USUAL)
        self.assertLess(slowest, self.WORST)

    def test_a_game_with_a_clock_is_not_lost_on_time(self):
        # One may be, where the machine stands still with the flag about to fall; not three.
        fallen = []
        while len(fallen) < 3 and (fen := self.play_with_clocks()) is not None:
            fallen.append(fen)
        self.assertLess(len(fallen), 3, fallen)

    def play_with_clocks(self):
        """One game of three seconds a side; returns the position in which a flag fell, or None."""
        board = chess.Board()
        clocks = {chess.WHITE: 3.0, chess.BLACK: 3.0}
        increment = 0.05
        with start() as engine:
            while not board.is_game_over(claim_draw=True):
                limit = chess.engine.Limit(
                    white_clock=clocks[chess.WHITE],
                    black_clock=clocks[chess.BLACK],
                    white_inc=increment,
                    black_inc=increment,
                )
                begin = time.perf_counter()
                move = engine.play(board, limit).move
                clocks[board.turn] -= time.perf_counter() - begin
                if clocks[board.turn] <= 0:
                    return board.fen()
                clocks[board.turn] += increment
                board.push(move)
        return None

    def test_three_lines_of_analysis(self):
        with start() as engine:
            infos = engine.analyse(board_after("e2e4", "e7e5"), chess.engine.Limit(depth=7), multipv=3)
            self.assertEqual([info["multipv"] for info in infos], [1, 2, 3])
            self.assertEqual(len({info["pv"][0] for info in infos}), 3)
            scores = [info["score"].relative for info in infos]
            self.assertEqual(scores, sorted(scores, reverse=True))
            for info in infos:
                self.assertTrue({"depth", "seldepth", "nodes", "nps", "time", "hashfull"} <= info.keys())

    def test_pondering_on_the_move_that_comes_and_on_another(self):
        limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
        for hit in [True, False]:
            with self.subTest(hit=hit), start() as engine:
                board, game = chess.Board(), object()
                for _ in range(4):
                    result = engine.play(board, limit, game=game, ponder=True)
                    board.push(result.move)
                    self.assertIsNotNone(result.ponder)
                    replies = list(board.legal_moves)
                    self.assertIn(result.ponder, replies)
                    other = next(move for move in replies if move != result.ponder)
                    time.sleep(0.05)
                    board.push(result.ponder if hit else other)

    def test_a_stop_ends_an_endless_analysis(self):
        with start() as engine:
            with engine.analysis(chess.Board()) as analysis:
                for info in analysis:
                    if info.get("depth", 0) >= 5:
                        break
                analysis.stop()
                best = analysis.wait()
            self.assertIn(best.move, chess.Board().legal_moves)
            engine.ping()

    def test_quitting_during_a_search(self):
        engine = start()
        analysis = engine.analysis(chess.Board())
        next(iter(analysis))
        begin = time.perf_counter()
        engine.quit()
        self.assertLess(time.perf_counter() - begin, 5)
        self.assertEqual(engine.returncode.result(timeout=5), 0)


class Generate(EngineTest):
    def test_two_copies_that_share_nothing_but_the_constraint_reach_it_and_play_on(self):
        for seeds in [(1, 2), (0, 0)]:
            with (
                self.subTest(seeds=seeds),
                start(Mode="generate", Constraint="(1,2,2,2,7)", Seed=seeds[0]) as white,
                start(Mode="generate", Constraint="(1,2,2,2,7)", Seed=seeds[1]) as black,
            ):
                board, satisfied, notes = chess.Board(), None, []
                while satisfied is None or len(board.move_stack) < satisfied + 10:
                    self.assertLess(len(board.move_stack), 120, board.fen())
                    self.assertFalse(board.is_game_over(claim_draw=satisfied is None), board.fen())
                    engine = white if board.turn else black
                    with engine.analysis(board, chess.engine.Limit(time=0.3)) as analysis:
                        notes += [info["string"] for info in analysis if "string" in info]
                        board.push(analysis.wait().move)
                    if satisfied is None and counts(board) == [1, 2, 2, 2, 7]:
                        satisfied = len(board.move_stack)
                said = [note for note in notes if note.startswith(f"satisfied ply {satisfied} fen ")]
                # The one that reached it, and from then on both.
                self.assertGreaterEqual(len(said), 10)
                self.assertTrue(any(note.startswith("plan found ply ") for note in notes), notes)

    def test_two_copies_reach_what_is_no_number_of_men(self):
        for constraint in ["N@h8 n@a1", "castling=none check=white", "fen=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"]:
            with (
                self.subTest(constraint=constraint),
                start(Mode="generate", Constraint=constraint, Seed=1) as white,
                start(Mode="generate", Constraint=constraint, Seed=2) as black,
            ):
                board, holds = chess.Board(), verify_games.Constraint(constraint)
                while not holds(board, board.ply()):
                    # Where plans as people play do not meet, search ends the game.
                    self.assertLess(board.ply(), 120, board.fen())
                    board.push((white if board.turn else black).play(board, chess.engine.Limit(time=0.3)).move)

    def test_positions_come_with_their_proof_games(self):
        # python-chess has no word for "go generate": the lines themselves, and its board as the referee.
        said = "setoption name Constraint value (0,2,2,2,7)\ngo generate count 3\nquit\n"
        lines = subprocess.run(
            [PROGRAM], input=said, capture_output=True, text=True, check=True, timeout=120
        ).stdout.splitlines()
        found = 0
        for line in lines:
            if line.startswith("info depth"):
                board = board_after(*line.split(" pv ")[1].split())
                self.assertEqual(counts(board), [0, 2, 2, 2, 7])
                self.assertFalse(board.is_game_over() and not board.is_checkmate())
                found += 1
        self.assertEqual(found, 3)


def counts(board):
    """White's queens, rooks, bishops, knights and pawns."""
    kinds = [chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN]
    return [len(board.pieces(kind, chess.WHITE)) for kind in kinds]


if __name__ == "__main__":
    unittest.main()
