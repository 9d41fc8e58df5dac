"""The tools for language models, as a client of the Model Context Protocol calls them."""

import asyncio
import base64
import json
import os
import pathlib
import subprocess
import time
import unittest

import chess
from engine import PROGRAM
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

COMMAND = [str(PROGRAM), "mcp"]
TOOLS = ["generate", "check", "prove", "solve", "play", "policy", "draw"]
KNIGHTS = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4"
# A search for its shortest game takes hours.
LONG = {"diagram": "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1", "shortest": True, "seconds": 3600}


def in_session(use):
    """The result of `use` with a session of a new server."""

    async def run():
        server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            await session.initialize()
            return await use(session)

    return asyncio.run(run())


def call(tool, arguments, **options):
    """The result of one call, as the JSON that the client received."""

    async def use(session):
        return await session.call_tool(tool, arguments, **options)

    return json.loads(in_session(use).model_dump_json(by_alias=True))


def cpu_seconds(process):
    """The processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = subprocess.run(COMMAND, input="", capture_output=True, text=True, timeout=60)
        if "has no server" in run.stderr:
            raise unittest.SkipTest(f"NOT TESTED: the tools for language models: {run.stderr.strip()}")

    def good(self, tool, arguments, **options):
        """The structured result and the text of a call that succeeds."""
        result = call(tool, arguments, **options)
        self.assertFalse(result["isError"], result)
        return result["structuredContent"], result["content"][0]["text"]

    def test_each_tool_is_listed_with_a_schema_and_a_description(self):
        async def use(session):
            return await session.list_tools()

        tools = json.loads(in_session(use).model_dump_json(by_alias=True))["tools"]
        self.assertEqual([tool["name"] for tool in tools], TOOLS)
        for tool in tools:
            schema = tool["inputSchema"]
            self.assertGreater(len(tool["description"]), 40)
            self.assertTrue(tool["annotations"]["readOnlyHint"])
            self.assertLessEqual(set(schema["required"]), set(schema["properties"]))
            for name, parameter in schema["properties"].items():
                self.assertIn("type", parameter, f"{tool['name']}: {name}")
                self.assertGreater(len(parameter["description"]), 10, f"{tool['name']}: {name}")

    def test_generated_positions_are_reached_by_their_games_and_progress_is_reported(self):
        reports = []

        async def progress(done, total, message):
            reports.append((done, total))

        arguments = {"constraint": "Q=0 q=0", "count": 3, "seed": 7, "method": "negamax", "evaluator": "men"}
        value, text = self.good("generate", arguments, progress_callback=progress)
        self.assertEqual((value["found"], value["seed"], value["is_cut"]), (3, 7, False))
        for position in value["positions"]:
            board = chess.Board()
            for move in position["moves"]:
                board.push_uci(move)
            self.assertEqual(board.fen(en_passant="legal"), position["fen"])
            self.assertFalse(board.queens)
            self.assertIn(position["fen"], text)
            self.assertIn(position["game"], text)
        self.assertEqual(len({position["fen"] for position in value["positions"]}), 3)
        self.assertEqual(reports[-1], (3, 3))
        # There are twenty first moves.
        first = {"constraint": "ply<=1 turn=black", "method": "best-first", "seed": 7}
        value, text = self.good("generate", first | {"count": 50})
        self.assertLess(value["found"], 21)
        self.assertIn("no more different positions", text)
        self.assertEqual(reports, sorted(reports))

    def test_people_s_moves_are_predicted(self):
        value, text = self.good("policy", {"positions": [chess.STARTING_FEN, KNIGHTS], "elo": 1500, "moves": 3})
        first, second = value["positions"]
        self.assertEqual(second["fen"], KNIGHTS)
        for position in [first, second]:
            chances = [row["probability"] for row in position["moves"]]
            self.assertEqual(len(chances), 3)
            self.assertEqual(chances, sorted(chances, reverse=True))
            self.assertTrue(0 < sum(chances) <= 1.001)
            board = chess.Board(position["fen"])
            for row in position["moves"]:
                self.assertEqual(board.parse_san(row["san"]).uci(), row["move"])
        self.assertEqual(len(text.splitlines()), 2)
        goal, _ = self.good("policy", {"positions": [chess.STARTING_FEN], "constraint": "Q=0 q=0", "plies": 30})
        self.assertTrue(0 <= goal["positions"][0]["probability_of_constraint"] <= 1)

    def test_a_constraint_is_explained_and_a_position_is_tested(self):
        value, text = self.good("check", {"constraint": "Q=0 q=0"})
        self.assertFalse(value["is_proved_impossible"])
        self.assertTrue(value["meaning"])
        value, text = self.good("check", {"constraint": "(1,2,1,1,9)"})
        self.assertTrue(value["is_proved_impossible"])
        self.assertIn("9 pawns", value["reason"])
        value, text = self.good("check", {"constraint": "Q=1 N@f3 N@a1", "fen": KNIGHTS})
        self.assertFalse(value["is_satisfied"])
        self.assertEqual([row["holds"] for row in value["conditions"]], [True, True, False])

    def test_a_diagram_is_proved_or_refuted(self):
        value, text = self.good("prove", {"diagram": "rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R", "solutions": 2})
        self.assertEqual((value["outcome"], value["is_decided"]), ("found", True))
        self.assertEqual(value["at_least"], value["plies"])
        board = chess.Board()
        for move in value["games"][0]["moves"]:
            board.push_uci(move)
        self.assertEqual(board.board_fen(), "rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R")
        value, text = self.good("prove", {"diagram": "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR"})
        self.assertEqual(value["outcome"], "illegal")
        self.assertIn(value["reason"], text)

    def test_a_position_is_solved(self):
        value, text = self.good("solve", {"fen": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31"})
        self.assertEqual((value["line"], value["moves"], value["themes"]), ("31. Ra8#", ["a1a8"], ["back-rank"]))
        self.assertIn("White mates in 1", text)

    def test_a_move_is_played(self):
        value, text = self.good("play", {"moves": ["e2e4"], "elo": 1500, "time": 100})
        board = chess.Board()
        board.push_san("e4")
        self.assertEqual(board.parse_san(value["san"]).uci(), value["move"])
        self.assertEqual((value["result"], text), ("*", value["san"]))

    def test_a_board_is_drawn(self):
        result = call("draw", {"fen": KNIGHTS, "size": 128, "last_move": "g8f6", "bottom": "black"})
        text, image = result["content"]
        self.assertEqual((image["type"], image["mimeType"]), ("image", "image/png"))
        picture = base64.b64decode(image["data"])
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(int.from_bytes(picture[16:20], "big"), 128)
        svg = call("draw", {"fen": KNIGHTS, "format": "svg"})["content"][1]
        self.assertEqual(svg["mimeType"], "image/svg+xml")
        self.assertIn(b"<svg", base64.b64decode(svg["data"]))

    def test_bad_arguments_are_errors_that_say_what_was_expected(self):
        for tool, arguments, expected in [
            ("generate", {}, "constraint: expected a text"),
            ("generate", {"constraint": "Q=0", "count": 101}, "count: expected 1 to 100"),
            ("generate", {"constraint": "Q=0", "elo": 9000}, "elo: expected 1 to 4000"),
            ("generate", {"constraint": "Q=0", "judge": "/bin/sh"}, "judge: no such argument"),
            ("generate", {"constraint": "(1,2,1,1,9)"}, "impossible: "),
            ("generate", {"constraint": "Q=0", "method": "negamax", "elo": 1500}, "elo"),
            ("generate", {"constraint": "Q=0", "from": "8/8/8/8/8/8/8/8 w - - 0 1"}, "from: expected the FEN"),
            ("check", {"constraint": "Q="}, "constraint, column 3: "),
            ("check", {"constraint": "castled=opposite", "fen": KNIGHTS}, "is about the game"),
            ("prove", {"diagram": "8/8"}, "diagram: column 4: expected eight ranks"),
            ("prove", {"diagram": KNIGHTS.split()[0], "shortest": True, "plies": 8}, "expected shortest or plies"),
            ("solve", {"fen": KNIGHTS, "moves": ["e2e4"]}, "expected fen, or root and moves"),
            ("play", {"moves": ["e2e5"]}, "expected a legal move of White in UCI notation at number 1"),
            ("play", {"elo": 100}, "elo: expected 600 to 2600"),
            ("policy", {"positions": []}, "positions: expected a list of 1 to 64"),
            ("policy", {"positions": ["nonsense"]}, "expected the FEN of a legal position"),
            ("draw", {"fen": KNIGHTS, "last_move": "x"}, "last_move"),
            ("draw", {"fen": KNIGHTS, "size": 9000}, "size: expected 16 to 2048"),
        ]:
            with self.subTest(tool=tool, arguments=arguments):
                result = call(tool, arguments)
                self.assertTrue(result["isError"], result)
                self.assertIn(expected, result["content"][0]["text"])

    def test_a_call_ends_when_its_time_is_over(self):
        value, text = self.good("prove", LONG | {"seconds": 2})
        self.assertFalse(value["is_decided"])

    @unittest.skipUnless(pathlib.Path("/proc/self/stat").exists(), "NOT TESTED: processor time without /proc")
    def test_a_call_that_is_cancelled_stops_working_and_the_server_goes_on(self):
        with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:

            def send(method, number=None, **parameters):
                message = {"jsonrpc": "2.0", "method": method, "params": parameters}
                server.stdin.write(json.dumps(message | ({} if number is None else {"id": number})) + "\n")
                server.stdin.flush()

            def answer(number):
                for line in server.stdout:
                    message = json.loads(line)
                    if message.get("id") == number:
                        return message
                self.fail("the server ended")

            client = {"name": "test", "version": "1"}
            send("initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
            self.assertEqual(answer(1)["result"]["serverInfo"]["name"], "entente")
            send("notifications/initialized")
            send("tools/call", 2, name="prove", arguments=LONG)
            begun = cpu_seconds(server)
            while cpu_seconds(server) < begun + 1:
                time.sleep(0.05)
            send("notifications/cancelled", requestId=2, reason="no longer needed")
            for _ in range(120):
                before = cpu_seconds(server)
                time.sleep(0.5)
                if cpu_seconds(server) - before < 0.05:
                    break
            else:
                self.fail("the search goes on a minute after it was cancelled")
            send("tools/call", 3, name="check", arguments={"constraint": "Q=0"})
            self.assertFalse(answer(3)["result"]["isError"])
            send("tools/call", 4, name="nothing", arguments={})
            self.assertIn("expected one of generate", answer(4)["error"]["message"])
            server.stdin.close()
            self.assertEqual(server.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
