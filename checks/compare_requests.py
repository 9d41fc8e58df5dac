#!/usr/bin/env python3
"""Runs the same requests with two builds of the engine and says where what they print differs.

    checks/compare_requests.py OLD NEW

The requests go through all methods, formats and ways in: the command line with its subcommands, UCI, tournaments. Seeds
are fixed. Times and rates are left out. The exit status is 0 if nothing differs, 1 if something does.
"""

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GENERATE = {
    "auto, text": '"(1,2,1,1,7)" --count 3 --elo 1500',
    "natural, JSON lines": '"(1,2,2,1,7)" --count 4 --realism natural --format jsonl',
    "fast, JSON lines": '"(0,1,1,1,5)" --count 6 --realism fast --format jsonl',
    "fast, every knob": '"Q=0 q=0" --count 4 --realism fast --guidance 2 --mask 1 --tilt 1 --temperature 0.9 '
    '--late-temperature 0.7 --white-elo 1200 --black-elo 2000 --rating-scale fide --format jsonl',
    "fast, bare": '"q=0" --count 4 --realism fast --guidance -1 --mask 0 --tilt 0 --finish false --format jsonl',
    "natural, population of 2": '"(1,2,2,2,7)" --count 3 --realism natural --population 2 --format jsonl',
    "rating in the constraint": '"elo=1200..1400 (1,2,2,1,7)" --count 3 --format pgn',
    "squares, PGN": '"N@f5 check=black" --count 2 --format pgn',
    "a diagram, best-first": '"fen=r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/2N1PN2/PPQ1BPPP/R1B2RK1" --method best-first '
    '--count 2 --format epd',
    "best-first": '"stalemate ply<=40" --method best-first --count 2 --format jsonl',
    "best-first, limited": '"k@c4 P<=3" --method best-first --nodes 3000 --count 2 --format jsonl',
    "puct": '"(1,2,2,1,7)" --method puct --visits 8 --count 2 --format jsonl',
    "puct, uniform": '"castling=Qq ply=15" --method puct --visits 4 --priors uniform --count 2 --format jsonl',
    "negamax, men, FEN": '"Q=0 q=0 R-r=1" --evaluator material --count 20 --format fen',
    "negamax, men, depth 3": '"(1,2,1,1,6)" --evaluator material --depth 3 --nodes 60000 --count 4 --format jsonl',
    "negamax, network": '"(0,2,2,2,7)" --method negamax --evaluator network --count 4 --format jsonl',
    "as published": '"(0,2,2,2,7)" --faithful --depth 2 --network thesis-2 --count 2 --format jsonl',
    "distinct": '"(1,2,2,2,7)" --evaluator material --distinct --count 20 --format fen',
    "from a position": '"q=0" --from "4k3/8/8/8/8/8/3q4/4K2R w K - 5 40" --count 2 --format pgn',
    "not found": '"(0,0,0,0,0)" --max-plies 4 --count 2 --format jsonl',
    "impossible": '"(1,2,1,1,9)"',
    "a page": '"Q=0 q=0" --evaluator material --count 5 --format html',
    "counts and a condition": '"Q=0 turn=white" --realism fast --count 3 --format jsonl',
    "depth with goal-policy": '"Q=0" --method goal-policy --network goal-policy --depth 3',
    "torch, not built in": '"(1,2,1,1,7)" --backend torch',
}

SESSIONS = {
    "uci": ["uci"],
    "go generate": ["setoption name Constraint value (1,2,1,1,7)", "setoption name Seed value 7", "go generate count 2"],
    "go generate by negamax": [
        "setoption name Constraint value Q=0 q=0", "setoption name Seed value 7",
        "setoption name Evaluator value material", "go generate count 3",
    ],
    "go generate, torch": [
        "setoption name Constraint value (1,2,1,1,7)", "setoption name Seed value 7", "setoption name Backend value torch",
        "go generate",
    ],
    "cooperation": [
        "setoption name Mode value generate", "setoption name Seed value 7", "setoption name Constraint value (1,2,2,2,7)",
        "position startpos moves e2e4 e7e5", "go nodes 20000",
    ],
    "play": ["position startpos moves e2e4", "go depth 8", "d", "eval"],
    "play with the network": ["setoption name Evaluator value network", "position startpos moves d2d4", "go nodes 100"],
    "play like 1400": [
        "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1400", "setoption name Seed value 5",
        "position startpos moves d2d4", "go nodes 100",
    ],
    "several lines": ["setoption name MultiPV value 3", "position startpos moves e2e4 c7c5", "go depth 7"],
    "some moves": ["position startpos", "go depth 7 searchmoves a2a3 h2h4"],
    "a mate": ["position fen 6k1/5ppp/8/8/8/8/8/K2R3R w - - 0 1", "go mate 2"],
    "a hostile position": ["position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "d"],
    "the end of a game": ["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 5"],
}

# Subcommands other than `generate`. {folder}/in has the files of FILES; what a command writes to {folder}/out is compared.
COMMANDS = {
    "book": "book --lines 4 --elo 2200 --seed 3 --threads 1 --output {folder}/out/book.epd",
    "book for a constraint": 'book "Q=1 q=1 castling>=KQkq" --plies 12 --lines 3 --seed 3 --threads 1 --output {folder}/out/book.pgn',
    "book within evaluations": "book --eval 80..109 --lines 2 --seed 3 --threads 1 --output {folder}/out/book.epd",
    "openings for testers": '"genfens 3 seed 42 book None" quit',
    "prove": "prove rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R --shortest --solutions 5",
    "prove, first game": "prove r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R --first",
    "prove, no game": "prove rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR",
    "prove, a file": "prove {folder}/in/diagrams.epd --shortest --threads 1",
    "data set": "dataset {folder}/in/plan.toml --output {folder}/out/set --threads 2",
    "policy": 'policy "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3" -c "(1,2,1,1,7)" --elo 1500',
    "check": 'check "Q=0 q=0 R-r=1 | material=KRPvKR"',
    "draw": 'draw "4k3/8/5N2/8/8/8/8/4K3 b - - 0 1"',
    "bench": "bench --threads 1",
}

# Files that the commands read.
FILES = {
    "diagrams.epd": 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR b ? - id "one";\nrnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ? ? ? id "two";\n',
    "plan.toml": """
[dataset]
name = "small"
positions = 3
seed = 5
constraints = ["(1,2,2,2,7)", "Q=0 q=0"]
ratings = [1500]
""",
}

PLAN = """
games = 3
seed = 5
constraints = ["(1,2,2,2,7)", "Q=0 q=0"]
[[entrants]]
name = "natural"
realism = "natural"
elo = 1500
[[entrants]]
name = "men"
evaluator = "material"
[[entrants]]
name = "plan"
method = "best-first"
"""


def words(line):
    return [one or other for one, other in re.findall(r'"([^"]*)"|(\S+)', line)]


def without_times(text):
    """The text without what differs from run to run."""
    text = re.sub(r'"seconds":[^,}]*', '"seconds":*', text)
    text = re.sub(r"\b(nps|time) \d+", r"\1 *", text)
    # The bench has the number first; "nodes 20 nps *" keeps its nodes.
    text = re.sub(r"\d+ nps\b(?! \*)", "* nps", text)
    return re.sub(r"\bin [\d.]+ s\b", "in * s", text)


def generate(engine, line):
    arguments = [engine, "generate", *words(line), "--threads", "1", "--seed", "3"]
    run = subprocess.run(arguments, capture_output=True, text=True, timeout=900)
    # How far a run has come depends on the time that it took.
    errors = [one for one in run.stderr.splitlines() if not re.match(r"\d+ of \d+ positions, ", one)]
    return without_times(run.stdout) + "\n".join(["", *errors, f"status {run.returncode}"])


def session(engine, lines):
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        said = []
        for line in lines:
            print(line, file=run.stdin, flush=True)
            # `quit` would stop a plain search at once.
            while line.startswith("go") and (answer := run.stdout.readline()):
                said.append(answer)
                if answer.startswith("bestmove"):
                    break
        said.append(run.communicate("quit\n", timeout=900)[0])
    return without_times("".join(said))


def command(engine, line):
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = Path(folder, "in"), Path(folder, "out")
        inputs.mkdir()
        outputs.mkdir()
        for name, text in FILES.items():
            (inputs / name).write_text(text)
        arguments = [engine, *(word.replace("{folder}", folder) for word in words(line))]
        run = subprocess.run(arguments, capture_output=True, text=True, timeout=900)
        # Neither the prose of a card is compared, nor a table of times.
        files = [
            f"{path.relative_to(folder)}\n{path.read_text()}" for path in sorted(outputs.rglob("*"))
            if path.suffix in (".epd", ".pgn", ".jsonl")
        ]
        text = "\n".join([run.stdout, *files, f"status {run.returncode}"])
        return without_times(text.replace(folder, "FOLDER"))


def tournament(engine):
    with tempfile.TemporaryDirectory() as folder:
        plan, output = Path(folder, "plan.toml"), Path(folder, "run")
        plan.write_text(PLAN)
        subprocess.run([engine, "tournament", plan, "--output", output], capture_output=True, timeout=900)
        return "\n".join(
            without_times(Path(output, name).read_text())
            for name in ["table.md", "games.pgn", "positions.epd"]
        )


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    requests = {f"generate: {name}": lambda engine, line=line: generate(engine, line) for name, line in GENERATE.items()}
    requests |= {f"UCI: {name}": lambda engine, lines=lines: session(engine, lines) for name, lines in SESSIONS.items()}
    requests |= {f"command: {name}": lambda engine, line=line: command(engine, line) for name, line in COMMANDS.items()}
    requests["tournament"] = tournament
    different = 0
    for name, request in requests.items():
        old, new = (request(engine) for engine in sys.argv[1:])
        print(f"{'same     ' if old == new else 'DIFFERENT'}  {name}", flush=True)
        if old != new:
            different += 1
            for line in list(difflib.unified_diff(old.splitlines(), new.splitlines(), "old", "new", n=0, lineterm=""))[:40]:
                print(f"    {line[:300]}")
    print(f"{len(requests)} requests, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
