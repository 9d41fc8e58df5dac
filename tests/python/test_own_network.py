"""Networks of other people's making, as docs/own-network.md describes them: the toys of matches/toy_network.py."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import chess
import onnx

from engine import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "matches"))
import toy_network  # noqa: E402

SCRIPT = ROOT / "matches" / "toy_network.py"
# Steps (files, ranks) of queens and of knights, in the order of the planes.
QUEEN = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
# Every kind of move, for both sides.
FENS = [
    chess.STARTING_FEN,
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
    "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 2",
    "1n1nk3/P1P5/8/8/8/8/p1p5/1N1NK3 w - - 0 1",
    "1n1nk3/P1P5/8/8/8/8/p1p5/1N1NK3 b - - 0 1",
]


def run(*command, input=None):
    command = [str(word) for word in command]
    return subprocess.run(command, input=input, capture_output=True, encoding="utf-8", timeout=300)


def number_of(board, move):
    """The number of a move in a policy's outputs, as docs/own-network.md has it."""
    start, end = move.from_square, move.to_square
    if board.turn == chess.BLACK:
        start, end = chess.square_mirror(start), chess.square_mirror(end)
    files = chess.square_file(end) - chess.square_file(start)
    ranks = chess.square_rank(end) - chess.square_rank(start)
    if move.promotion in (chess.KNIGHT, chess.BISHOP, chess.ROOK):
        plane = 64 + 3 * (move.promotion - chess.KNIGHT) + files + 1
    elif (files, ranks) in KNIGHT:
        plane = 56 + KNIGHT.index((files, ranks))
    else:
        distance = max(abs(files), abs(ranks))
        plane = 7 * QUEEN.index((files // distance, ranks // distance)) + distance - 1
    return 73 * start + plane


class OwnNetwork(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.policy, cls.satisfaction = toy_network.write(cls.folder, 1)

    def changed(self, path, change):
        """A copy of a network in which something was changed."""
        model = onnx.load(path)
        change(model)
        copy = self.folder / "changed.onnx"
        onnx.save(model, copy)
        return copy

    def sizes(self, place, *sizes):
        """A change of the sizes that an input declares."""

        def change(model):
            axes = model.graph.input[place].type.tensor_type.shape
            axes.ClearField("dim")
            for size in sizes:
                axes.dim.add(dim_value=size)

        return change

    def test_the_script_makes_toys_that_the_engine_runs_and_says_if_it_does_not(self):
        toys = self.folder / "toys"
        done = run(sys.executable, SCRIPT, "--output", toys, "--check", "--engine", PROGRAM)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("ok: entente "), 3, done.stdout)
        for path in [self.policy, self.satisfaction]:
            self.assertEqual(path.read_bytes(), (toys / path.name).read_bytes(), "the same seed, the same network")
        done = run(sys.executable, SCRIPT, "--output", toys, "--check", "--engine", self.folder / "none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("none", done.stderr)

    def test_an_engine_that_refuses_a_network_fails_the_check(self):
        # The engine is told to use the policy as a satisfaction network, and the other way round.
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.assertFalse(toy_network.check(PROGRAM, [self.satisfaction, self.policy]))
        self.assertEqual(said.getvalue().count("FAILED with exit status 2: entente "), 3, said.getvalue())

    def test_uci_takes_both(self):
        for option, path, constraint in [
            ("PolicyFile", self.policy, "Q=0 q=0"),
            ("EvalFile", self.satisfaction, "(1,2,2,2,7)"),
        ]:
            commands = [
                f"setoption name {option} value {path}",
                f"setoption name Constraint value {constraint}",
                "setoption name Seed value 1",
                "isready",
                "go generate count 1",
                "quit",
            ]
            with self.subTest(option=option):
                done = run(PROGRAM, input="\n".join(commands) + "\n")
                self.assertNotIn("error", done.stdout)
                self.assertIn("info string position 1/1 found ", done.stdout)

    def test_moves_are_numbered_as_documented(self):
        for fen in FENS:
            board = chess.Board(fen)
            done = run(PROGRAM, "policy", fen, "--network", self.policy, "--moves", "0")
            rows = [line.split() for line in done.stdout.splitlines()[1:-1]]
            found = {row[1]: int(row[2]) for row in rows}
            self.assertEqual(found, {move.uci(): number_of(board, move) for move in board.legal_moves})

    def test_a_wrong_shape_is_refused_with_what_was_expected_and_what_was_found(self):
        planes = "expected the input goal-policy (51×8×8 or 110×8×8 and 102 to 110), found "
        for path, change, constraint, message in [
            (self.policy, self.sizes(0, 1, 50, 8, 8), "Q=0 q=0", f"{planes}1×50×8×8 and ?×110"),
            (self.policy, self.sizes(0, 2, 51, 8, 8), "Q=0 q=0", f"{planes}2×51×8×8 and ?×110"),
            (self.policy, self.sizes(1, 111), "Q=0 q=0", f"{planes}?×51×8×8 and 111"),
            (
                self.policy,
                lambda model: model.graph.output.reverse(),
                "Q=0 q=0",
                "expected an output of 1×4672 32-bit floats, found 1×3",
            ),
            (
                self.policy,
                lambda model: model.graph.output.pop(),
                "Q=0 q=0",
                "expected a policy, which has 4 outputs, found 3 outputs",
            ),
            (
                self.satisfaction,
                self.sizes(0, 1, 18, 8, 8),
                "(1,2,2,2,7)",
                "expected the input thesis (17×8×8), found 1×18×8×8",
            ),
        ]:
            with self.subTest(message=message):
                network = self.changed(path, change)
                method = "goal-policy" if path == self.policy else "negamax"
                done = run(PROGRAM, "generate", constraint, "--network", network, "--method", method)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"{network}: {message}", done.stderr)
                option = "PolicyFile" if path == self.policy else "EvalFile"
                done = run(PROGRAM, input=f"setoption name {option} value {network}\nisready\nquit\n")
                self.assertIn(f"info string error: option {option}: network {network}: {message}", done.stdout)
                self.assertIn("; the network in use is kept\nreadyok\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
