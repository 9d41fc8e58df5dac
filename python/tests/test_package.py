"""The package as its users call it: positions, constraints, tables, errors."""

import asyncio
import copy
import io
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import chess.variant
import duckdb
import numpy

import entente

# Games by search alone, which are quick.
QUICK = {"method": "negamax", "evaluator": "men"}
START = chess.STARTING_FEN


class Generation(unittest.TestCase):
    def test_positions_satisfy_the_constraint_and_their_games_are_legal(self):
        found = list(entente.generate("Q=0 q=0", 5, elo=1500, seed=1))
        self.assertEqual([position.index for position in found], list(range(5)))
        for position in found:
            board = position.board()
            self.assertEqual(board.fen(), position.fen)
            self.assertFalse(board.queens)
            self.assertEqual([move.uci() for move in board.move_stack], position.moves)
            replayed = chess.Board()
            self.assertEqual([replayed.push_san(san).uci() for san in position.san], position.moves)
            self.assertGreater(position.surprise, 0)
            self.assertEqual((position.white_elo, position.black_elo), (1500, 1500))

    def test_the_program_generates_the_same(self):
        arguments = ["Q=0 q=0", "--count", "4", "--elo", "1500", "--seed", "3", "--format", "fen"]
        run = subprocess.run([sys.executable, "-m", "entente", "generate", *arguments], capture_output=True, check=True)
        here = [position.fen for position in entente.generate("Q=0 q=0", 4, elo=1500, seed=3, threads=1)]
        self.assertEqual(run.stdout.decode().splitlines(), here)

    def test_an_index_continues_a_run(self):
        whole = list(entente.generate("Q=0", 6, seed=5, **QUICK))
        self.assertEqual(list(entente.generate("Q=0", 2, seed=5, index=4, **QUICK)), whole[4:])

    def test_games_begin_in_the_root(self):
        root = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"
        position = next(entente.generate("k@e4", 1, root=root, seed=1))
        self.assertEqual(position.root, root)
        self.assertEqual(position.board().root().fen(), root)
        chess960 = next(entente.generate("Q=0", 1, start=0, seed=1))
        self.assertEqual(chess960.root.split()[0], chess.Board.from_chess960_pos(0).board_fen())
        self.assertEqual(chess960.board().fen().split()[0], chess960.fen.split()[0])

    def test_many_constraints_follow_each_other(self):
        found = list(entente.generate_many(["Q=0", entente.Constraint("R=1")], 2, seed=1, **QUICK))
        self.assertEqual([position.constraint for position in found], ["Q=0", "Q=0", "R=1", "R=1"])
        with self.assertRaises(entente.Impossible):
            entente.generate_many(["Q=0", "P>8"], 2)

    def test_what_is_missing_is_told_after_the_others(self):
        hard = {"seed": 1, "max_plies": 6, "method": "best-first", "nodes": 100}
        run = entente.generate("k@a1 checkmate", 3, **hard)
        with self.assertRaises(entente.Undetermined) as caught:
            list(run)
        self.assertEqual(caught.exception.missing + len(caught.exception.found), 3)
        self.assertFalse(caught.exception.nearest[0].found)
        self.assertEqual(list(run), [])
        skipping = entente.generate("k@a1 checkmate", 3, missing="skip", **hard)
        self.assertEqual(len(list(skipping)) + skipping.run.missing, 3)

    def test_found_is_kept_unless_it_is_let_go(self):
        run = entente.generate("Q=0", 3, seed=1, **QUICK)
        self.assertEqual(list(run), run.found)
        gone = entente.generate("Q=0", 3, seed=1, keep=False, **QUICK)
        self.assertEqual((len(list(gone)), gone.found), (3, []))

    def test_a_stopped_run_ends(self):
        run = entente.generate("Q=0", 10**9, seed=1, **QUICK)
        next(run)
        run.stop()
        self.assertLess(len(list(run)), 10_000)

    def test_a_book_has_lines_of_its_length(self):
        lines = list(entente.book(3, plies=8, eval=(-100, 100), elo=2200, seed=1))
        self.assertEqual([line.plies for line in lines], [8, 8, 8])
        self.assertTrue(all(-100 <= line.centipawns <= 100 for line in lines))
        self.assertIn("hmvc", lines[0].epd())

    def test_async_generation_ends_with_its_loop(self):
        async def some():
            async for position in entente.generate_async("Q=0", 10**9, seed=1, **QUICK):
                return position

        self.assertEqual(asyncio.run(some()), next(entente.generate("Q=0", seed=1, **QUICK)))


class Records(unittest.TestCase):
    def setUp(self):
        self.position = next(entente.generate("Q=0 q=0", seed=1, **QUICK))

    def test_a_position_survives_pickling_and_copying(self):
        for other in (pickle.loads(pickle.dumps(self.position)), copy.deepcopy(self.position)):
            self.assertEqual((other, hash(other)), (self.position, hash(self.position)))
            self.assertEqual(other.pgn(), self.position.pgn())
        self.assertEqual(entente.Position.from_json(self.position.json()), self.position)
        with self.assertRaises(entente.PositionError):
            entente.Position.from_json(self.position.json().replace(self.position.moves[0], "e2e5", 1))

    def test_boards_are_drawn(self):
        self.assertIn("<svg", self.position.svg(size=200, orientation="black"))
        self.assertIn("<svg", self.position._repr_svg_())
        for wrong in ({"size": 1}, {"orientation": "up"}):
            with self.assertRaises(ValueError):
                self.position.svg(**wrong)

    def test_pgn_is_read_by_python_chess(self):
        game = chess.pgn.read_game(io.StringIO(self.position.pgn()))
        self.assertEqual(game.end().board().fen(), self.position.fen)
        self.assertEqual(game.headers["Constraint"], "Q=0 & q=0")

    def test_a_table_goes_into_duckdb(self):
        positions = entente.Table(entente.generate("Q=0 q=0", 4, seed=1, **QUICK))
        self.assertIn("fen", positions.columns)
        rows = duckdb.sql('select fen, "constraint", plies, len(moves), white_elo from positions').fetchall()
        found = list(entente.generate("Q=0 q=0", 4, seed=1, **QUICK))
        self.assertEqual(rows, [(p.fen, "Q=0 & q=0", p.plies, p.plies, None) for p in found])

    def test_a_data_set_is_a_table(self):
        plan = '[dataset]\nname = "small"\npositions = 3\nconstraints = ["Q=0 q=0"]\n'
        plan += 'method = "negamax"\nevaluator = "men"\n'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "plan.toml")
            path.write_text(plan)
            data = entente.dataset(path, Path(folder, "out"))
            self.assertEqual((len(data), data.wanted), (3, 3))
            self.assertEqual(len(duckdb.sql("select fen from data").fetchall()), 3)
            self.assertTrue(Path(data.folder, "README.md").exists())
            with self.assertRaisesRegex(entente.EntenteError, "out"):
                entente.dataset(path, Path(folder, "out"))
            path.write_text(plan.replace("Q=0 q=0", "Q=x"))
            with self.assertRaisesRegex(entente.EntenteError, "plan.toml:4"):
                entente.dataset(path, Path(folder, "other"))


class Constraints(unittest.TestCase):
    def test_constraints_are_values(self):
        one, same, other = entente.Constraint("Q=0  q=0"), entente.Constraint("Q=0 q=0"), entente.Constraint("Q=1")
        self.assertEqual((one, hash(one), str(one)), (same, hash(same), "Q=0 & q=0"))
        self.assertNotEqual(one, other)
        self.assertEqual(pickle.loads(pickle.dumps(one)), one)
        self.assertEqual(repr(one), 'Constraint("Q=0 & q=0")')

    def test_boards_fens_and_positions_are_tested(self):
        queenless = entente.Constraint("Q=0 q=0")
        self.assertFalse(queenless.holds("startpos"))
        self.assertFalse(queenless.holds(chess.Board()))
        self.assertTrue(queenless.holds(next(entente.generate("Q=0 q=0", seed=1, **QUICK))))
        self.assertEqual(list(entente.filter("Q=1", ["startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"])), ["startpos"])

    def test_conditions_on_the_game_need_one(self):
        board = chess.Board()
        for san in ("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"):
            board.push_san(san)
        castled = entente.Constraint('begins="1.e4 e5"')
        self.assertTrue(castled.holds(board))
        with self.assertRaisesRegex(ValueError, "about the game"):
            castled.holds(board.fen())

    def test_judged_conditions_are_decided_by_a_search(self):
        only = entente.Constraint("mate=1")
        self.assertTrue(only.is_judged)
        self.assertTrue(only.holds("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"))
        self.assertFalse(only.holds("6k1/5pp1/7p/8/8/8/8/R3K3 w - - 0 1"))

    def test_tables_of_endings_do_not_depend_on_what_was_asked_before(self):
        won = entente.Constraint("wdl=win")
        self.assertFalse(won.holds("startpos"))
        self.assertTrue(won.holds("8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"))
        self.assertTrue(won.holds("8/8/8/3k4/8/8/3PK3/8 w - - 0 1"))

    def test_an_explanation_says_what_holds(self):
        explained = entente.check("N@f5 check=black", "4k3/8/8/5N2/8/8/8/4K3 b - - 0 1")
        self.assertFalse(explained)
        self.assertEqual([holds for _, _, holds in explained.lines], [True, False])
        with self.assertRaises(TypeError):
            bool(entente.check("N@f5"))

    def test_constraints_are_joined(self):
        self.assertEqual("Q=0" & entente.Constraint("q=0"), entente.Constraint("Q=0 q=0"))
        joined = entente.Constraint("Q=0") & "q=0" | ~entente.Constraint("R=2")
        self.assertEqual(joined, entente.Constraint("(Q=0 q=0) | !R=2"))

    def test_positions_are_made_of_boards(self):
        board = chess.Board()
        board.push_san("e4")
        position = entente.Position.of(board)
        self.assertEqual((position.fen, position.moves, position.constraint), (board.fen(), ["e2e4"], None))
        self.assertEqual(sorted(position.as_dict()), ["fen", "moves", "plies", "root"])
        self.assertEqual(chess.pgn.read_game(io.StringIO(position.pgn())).end().board().fen(), board.fen())

    def test_definitions_give_names(self):
        named = entente.Constraint("iqp", definitions="let iqp = isolated(P@d) P@d=1")
        self.assertTrue(named.holds("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1"))

    def test_games_are_searched_and_faults_are_warned_about(self):
        games = "1. e4 d5 2. exd5 Qxd5 3. Qg4 Bxg4 *\n\n1. e4 e5 2. Ke3 *\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = list(entente.matches("Q=0", io.StringIO(games)))
        self.assertEqual([(match.game, match.ply) for match in found], [(1, 6)])
        self.assertEqual(found[0].position.san[-1], "Bxg4")
        self.assertIn("game 2", str(caught[0].message))
        with self.assertRaises(FileNotFoundError):
            next(entente.matches("Q=0", "no-such-file.pgn"))


class Policies(unittest.TestCase):
    def test_probabilities_are_those_of_legal_moves(self):
        boards = [chess.Board(), chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]
        predictions = entente.policy([START, boards[1]], elo=1500)
        array = predictions.probabilities
        self.assertEqual((array.shape, array.dtype), ((2, 20), numpy.float32))
        numpy.testing.assert_allclose(array.sum(axis=1), 1, atol=1e-4)
        for place, board in enumerate(boards):
            legal = {move.uci() for move in board.legal_moves}
            self.assertEqual(set(predictions.moves[place]), legal)
            self.assertAlmostEqual(sum(predictions[place].values()), 1, places=4)
        self.assertFalse(array[1, len(predictions.moves[1]) :].any())
        self.assertEqual(predictions[-1], predictions[1])
        self.assertIs(predictions.probabilities, array)
        with self.assertRaises(IndexError):
            predictions[2]

    def test_the_program_predicts_the_same(self):
        run = [sys.executable, "-m", "entente", "policy", START, "--elo", "1500", "--format", "jsonl"]
        row = __import__("json").loads(subprocess.run(run, capture_output=True, check=True).stdout)
        here = entente.policy(START, elo=1500)[0]
        self.assertEqual(list(here), row["moves"])
        numpy.testing.assert_allclose(list(here.values()), row["probabilities"], atol=1e-6)

    def test_a_constraint_is_aimed_for(self):
        predictions = entente.policy([START], constraint="Q=0 q=0", plies_left=40)
        self.assertEqual(predictions.met.shape, (1,))
        self.assertEqual(predictions.results.shape, (1, 3))
        self.assertIsNone(entente.policy([START]).met)


class ProofsAndPlay(unittest.TestCase):
    def test_the_shortest_games_are_proved(self):
        proof = entente.prove("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R", solutions=2)
        self.assertEqual((proof.outcome, proof.plies, proof.is_all), ("found", 2, True))
        self.assertEqual(proof.san, [["Nf3", "Nf6"]])
        self.assertEqual(proof.positions[0].board().board_fen(), proof.diagram)
        # Nothing is shorter than one ply: the time is not used up.
        self.assertLess(entente.prove("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR").seconds, 30)
        illegal = entente.prove("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR")
        self.assertEqual(illegal.outcome, "illegal")
        self.assertIn("17 men", illegal.reason)

    def test_proof_games_begin_in_other_positions_too(self):
        castled = "bqnnrrkb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB"
        proof = entente.prove(castled, solutions=2, start=3)
        self.assertEqual((proof.games, proof.san), ([["f1g1", "f8g8"]], [["O-O", "O-O"]]))
        self.assertEqual(proof.positions[0].board().board_fen(), castled)
        self.assertEqual(str(entente.prove(castled, root=chess.Board.from_chess960_pos(3))), "1. O-O O-O")

    def test_the_engine_speaks_as_chess_engine_does(self):
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        with entente.Engine(threads=1) as engine:
            played = engine.play(board, chess.engine.Limit(depth=4))
            self.assertEqual(played.move.uci(), "a1a8")
            lines = engine.analyse(board, chess.engine.Limit(nodes=2000), multipv=2)
            self.assertEqual([line["multipv"] for line in lines], [1, 2])
            self.assertEqual(lines[0]["score"].white(), chess.engine.Mate(1))
            board.push(played.move)
            self.assertEqual(engine.play(board, chess.engine.Limit(depth=1)).move, None)
            moved = engine.play(chess.Board(), chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1))
            self.assertIn(moved.move, chess.Board().legal_moves)

    def test_a_rating_plays_as_people_do(self):
        moves = {entente.Engine(elo=1500, seed=seed).search(START, nodes=1000)[0][0][2][0] for seed in range(1, 7)}
        self.assertGreater(len(moves), 1)
        with self.assertRaises(entente.SettingError):
            entente.Engine(elo=100)

    def test_evaluations_are_whites(self):
        mate = entente.evaluate("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", depth=4)
        self.assertEqual((mate.mate, mate.centipawns), (1, None))
        mirrored = entente.evaluate("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", depth=4)
        self.assertEqual((mirrored.mate, mirrored.wdl), (-1, (0, 0, 1000)))
        self.assertEqual(entente.evaluate("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")[:3], (0, None, (0, 1000, 0)))


class Errors(unittest.TestCase):
    def test_each_wrong_call_raises_what_python_users_expect(self):
        calls = {
            "Q=0 q=": (lambda: entente.generate("Q=0 q="), entente.ConstraintError, "column 7"),
            "no constraint": (lambda: entente.generate(7), TypeError, "found int"),
            "count": (lambda: entente.generate("Q=0", 0), ValueError, "count: expected 1 or more"),
            "count as text": (lambda: entente.generate("Q=0", "3"), TypeError, "expected an int, found str"),
            "unknown": (lambda: entente.generate("Q=0", elos=1500), TypeError, "did you mean 'elo'"),
            "bounds": (lambda: entente.generate("Q=0", elo=99_999), entente.SettingError, "elo: expected 1 to 4000"),
            "negative": (lambda: entente.generate("Q=0", elo=-1), entente.SettingError, "elo: expected 1 to 4000"),
            "type": (lambda: entente.generate("Q=0", elo="high"), TypeError, "elo: expected an int, found str"),
            "bool": (lambda: entente.generate("Q=0", strict=1), TypeError, "strict: expected a bool, found int"),
            "word": (lambda: entente.generate("Q=0", method="magic"), entente.SettingError, "method: expected"),
            "twice": (
                lambda: entente.generate("Q=0", elo=1500, white_elo=1600),
                entente.SettingError,
                "give one of them",
            ),
            "unused": (lambda: entente.generate("Q=0", method="negamax", elo=1500), entente.SettingError, "elo"),
            "impossible": (lambda: entente.generate("P>8"), entente.Impossible, "pawns never return"),
            "too short": (lambda: entente.generate("ply>=30", max_plies=2), entente.SettingError, "max_plies"),
            "root": (lambda: entente.generate("Q=0", root="nonsense"), entente.PositionError, "nonsense"),
            "start": (lambda: entente.generate("Q=0", start=960), ValueError, "start: expected 0 to 959"),
            "huge": (lambda: entente.generate("Q=0", 10**40), ValueError, "count: expected 1 or more"),
            "no limit": (lambda: entente.Engine().play(chess.Board(), chess.engine.Limit()), ValueError, "a limit"),
            "depth": (lambda: entente.evaluate(START, depth=-1), ValueError, "depth: expected 1"),
            "board": (lambda: entente.Engine().play(START, chess.engine.Limit(depth=1)), TypeError, "board: expected"),
            "option": (lambda: entente.Engine().configure({"skil": 3}), TypeError, "did you mean 'skill'"),
            "variant": (lambda: entente.evaluate(chess.variant.AtomicBoard()), entente.PositionError, "atomic"),
            "one constraint": (lambda: entente.generate_many("Q=0", 2), TypeError, "several constraints"),
            "which constraint": (lambda: entente.generate_many(["Q=0", "Q"]), entente.ConstraintError, "constraint 1"),
            "unused by policy": (lambda: entente.policy(START, movetime=4), TypeError, "movetime"),
            "folder": (lambda: entente.generate("Q=0", tables="no/folder"), entente.SettingError, "tables"),
            "plan": (lambda: entente.dataset("no-plan.toml", "out"), FileNotFoundError, "no-plan"),
            "bytes": (lambda: list(entente.matches("Q=0", io.BytesIO(b"1. e4"))), TypeError, "opened as text"),
            "index": (lambda: entente.generate("Q=0", index=3), TypeError, "index: expected seed"),
            "missing": (lambda: entente.generate("Q=0", missing="shout"), ValueError, "'raise' or 'skip'"),
            "network": (lambda: entente.generate("Q=0", network="none.onnx"), entente.SettingError, "none.onnx"),
            "holds": (lambda: entente.Constraint("Q=0").holds(3), TypeError, "found int"),
            "fens": (lambda: entente.policy(["startpos", "8/8"]), entente.PositionError, "position 1"),
            "no legal move": (lambda: entente.Engine().search(START, moves=["e2e5"]), entente.PositionError, "e2e5"),
            "diagram": (lambda: entente.prove("rnbqkbnr/8/x"), entente.PositionError, "column"),
            "solutions": (lambda: entente.prove(START, solutions=0), ValueError, "solutions: expected 1"),
            "both": (lambda: entente.prove(START, shortest=True, plies=3), TypeError, "give one of them"),
            "table": (lambda: entente.Table([START]), TypeError, "position 0"),
            "book": (lambda: entente.book(1, eval=(50, -50)), ValueError, "low to high"),
            "tables": (lambda: entente.generate("quiet", tables="no/folder"), entente.SettingError, "tables"),
        }
        for name, (call, kind, message) in calls.items():
            with self.subTest(name), self.assertRaisesRegex(kind, message):
                call()

    def test_exceptions_have_their_parts_and_survive_pickling(self):
        with self.assertRaises(entente.ConstraintError) as caught:
            entente.Constraint("Q=0 nonsense")
        self.assertEqual(caught.exception.column, 5)
        for error in (caught.exception, entente.Impossible("why"), entente.SettingError("text", "elo")):
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(again), vars(again)), (str(error), vars(error)))


def interrupted(work, after):
    """The seconds between Ctrl-C and the end of `work` in another process, and what it prints."""
    code = f"""
import os, signal, sys, threading, time
import entente
def interrupt():
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer({after}, interrupt).start()
try:
    {work}
except KeyboardInterrupt:
    print(time.perf_counter() - sent)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    return run.stdout, run.stderr


@unittest.skipIf(os.name == "nt", "Windows has no such signals")
class Processes(unittest.TestCase):
    def test_ctrl_c_ends_every_long_call(self):
        for work in (
            "list(entente.generate('checkmate k@d5', 10**6, elo=1500))",
            "entente.policy(['startpos'] * 10**6)",
            "entente.prove('r2qkb1r/1b1n1p1p/p2p1np1/1p2p3/3PP3/2NB1N1P/PPQ2PP1/R1B2RK1', shortest=True)",
            "entente.evaluate('startpos', seconds=60)",
            "list(entente.matches('only', 'PGN'))",
        ):
            with self.subTest(work), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "games.pgn")
                path.write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n" * 200)
                out, errors = interrupted(work.replace("PGN", str(path)), 2)
                self.assertTrue(out, errors)
                # Generous: a loaded machine is slow, and a call that is not interrupted takes a minute or more.
                self.assertLess(float(out.split()[-1]), 5, work)

    def test_what_was_found_is_kept_after_ctrl_c(self):
        work = "run = entente.generate('Q=0', 10**9, method='negamax', evaluator='men'); list(run)"
        out, errors = interrupted(work + "\nexcept KeyboardInterrupt:\n    print(len(run.found) > 0)\ntry: pass", 2)
        self.assertIn("True", out, errors)

    def test_a_child_of_a_fork_generates_and_refuses_the_parents_run(self):
        code = """
import os, entente
entente.policy(['startpos'])
run = entente.generate('Q=0', 100, seed=1, method='negamax', evaluator='men')
child = os.fork()
if child == 0:
    entente.policy(['startpos'])
    assert next(entente.generate('Q=0', seed=1, method='negamax', evaluator='men')).plies > 0
    try:
        next(run)
    except RuntimeError as error:
        assert 'parent process' in str(error)
        os._exit(7)
    os._exit(1)
assert len(list(run)) == 100
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
        self.assertEqual((run.stdout.strip(), run.returncode), ("7", 0), run.stderr)

    def test_ten_threads_get_the_same_answers(self):
        expected = [position.fen for position in entente.generate("Q=0", 3, seed=1, **QUICK)]
        moves = entente.policy([START], elo=1500)[0]
        answers = []

        def work():
            found = [position.fen for position in entente.generate("Q=0", 3, seed=1, **QUICK)]
            answers.append((found, entente.policy([START], elo=1500)[0], entente.Constraint("Q=1").holds(START)))

        threads = [threading.Thread(target=work) for _ in range(10)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(answers, [(expected, moves, True)] * 10)

    def test_the_program_is_there(self):
        run = [sys.executable, "-m", "entente"]
        self.assertIn("generate", subprocess.run([*run, "--help"], capture_output=True, text=True, check=True).stdout)
        self.assertEqual(subprocess.run([*run, "generate", "P>8"], capture_output=True).returncode, 2)
        spoken = subprocess.run([*run], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
        self.assertIn("uciok", spoken)


if __name__ == "__main__":
    unittest.main()
