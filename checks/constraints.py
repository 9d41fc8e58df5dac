#!/usr/bin/env python3
"""Generates games for every constraint of tests/constraints.toml and prints the table of docs/experiments.md.

    checks/constraints.py                      5 games each, by `entente generate`
    checks/constraints.py --uci                the same by `setoption` and `go generate`
    checks/constraints.py --count 20 --only checkmate

Every game is replayed with python-chess and its last position tested by checks/verify_games.py, which has the
constraint language a second time. What is impossible has to be refused, with the reason that the file gives. Needs
`cargo build --release`. The exit status is 0 if all is as it should be.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor

import verify_games

try:
    import chess
except ModuleNotFoundError:
    sys.exit("constraints: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"
START = chess.STARTING_FEN


class Fault(Exception):
    """A game that does not prove what it should, or an answer that is not as it should be."""


def by_command_line(row, options):
    """The games that `entente generate` gives, as lists of UCI moves with their seconds; or the reason why not."""
    command = [ENGINE, "generate", row["constraint"], "--count", str(options.count), "--seed", str(options.seed)]
    command += ["--threads", "1", "--format", "jsonl", "--movetime", str(options.movetime)]
    command += ["--from", row["from"]] if "from" in row else []
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode == 2:
        return run.stderr.strip()
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return [(line["moves"] if line["outcome"] == "found" else None, line["seconds"]) for line in lines]


def by_uci(row, options):
    """The same as a GUI asks for it."""
    commands = [
        "uci",
        "setoption name Threads value 1",
        f"setoption name Seed value {options.seed}",
        f"setoption name Constraint value {row['constraint']}",
        f"position fen {row.get('from', START)}",
        f"go generate count {options.count} movetime {options.movetime}",
        "quit",
    ]
    run = subprocess.run([ENGINE], input="\n".join(commands) + "\n", capture_output=True, text=True)
    lines = run.stdout.splitlines()
    refused = [line for line in lines if line.startswith("info string error") or " impossible " in line]
    if refused:
        return refused[0]
    found = {line.split()[3].split("/")[0] for line in lines if line.startswith("info string position") and " found " in line}
    games = []
    for words in map(str.split, lines):
        if "multipv" in words:
            moves = words[words.index("pv") + 1 :] if "pv" in words else []
            is_found = words[words.index("multipv") + 1] in found
            games.append((moves if is_found else None, int(words[words.index("time") + 1]) / 1000))
    return games


def replay(row, moves):
    """Plays the game and tests its last position."""
    board = chess.Board(row.get("from", START))
    for move in moves:
        if board.is_game_over():
            raise Fault(f"{row['constraint']}: a move after the end of the game")
        move = chess.Move.from_uci(move)
        if move not in board.legal_moves:
            raise Fault(f"{row['constraint']}: {move} is illegal in {board.fen()}")
        board.push(move)
    constraint = verify_games.Constraint(row["constraint"])
    if not constraint(board, len(moves)):
        raise Fault(f"{row['constraint']}: it does not hold for {board.fen()}")


def possible(row, games, options):
    """A row of the table, and whether all games were found."""
    if isinstance(games, str):
        raise Fault(f"{row['constraint']}: {games}")
    found = [(moves, seconds) for moves, seconds in games if moves is not None]
    for moves, _ in found:
        replay(row, moves)
    plies = [len(moves) for moves, _ in found]
    shown = f"{statistics.median(plies):g}" if plies else ""
    name = row["constraint"].replace("|", "\\|")
    origin = f" from `{row['from']}`" if "from" in row else ""
    slowest = max((seconds for _, seconds in games), default=0)
    print(f"| `{name}`{origin} | {len(found)} of {options.count} | {shown} | {slowest:.2f} |", flush=True)
    return len(found) == options.count


def timed(row, options, generate):
    """What is generated, and the seconds that it takes."""
    start = time.monotonic()
    answer = generate(row, options)
    return answer, time.monotonic() - start


def impossible(row, answer, taken, generate):
    """A row of the table of refusals, and whether the reason is as it should be."""
    if not isinstance(answer, str) or row["reason"] not in answer:
        raise Fault(f"{row['constraint']}: expected to be refused with '{row['reason']}', found {answer}")
    reason = answer.split(": ")[-1] if generate is by_command_line else answer.split("impossible ")[-1]
    name = row["constraint"].replace("|", "\\|")
    origin = f" from `{row['from']}`" if "from" in row else ""
    print(f"| `{name}`{origin} | {reason} | {1000 * taken:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5, help="games for each constraint [5]")
    parser.add_argument("--seed", type=int, default=1, help="[1]")
    parser.add_argument("--movetime", type=int, default=10_000, help="milliseconds for each game, at most [10000]")
    parser.add_argument("--uci", action="store_true", help="ask as a GUI does")
    parser.add_argument("--only", default="", metavar="TEXT", help="only constraints that contain it")
    parser.add_argument("--jobs", type=int, default=1, help="constraints at once [1]")
    options = parser.parse_args()
    rows = tomllib.loads((ROOT / "tests" / "constraints.toml").read_text())
    generate = by_uci if options.uci else by_command_line
    chosen = {kind: [row for row in rows[kind] if options.only in row["constraint"]] for kind in rows}
    pool = ThreadPoolExecutor(options.jobs)
    try:
        answers = {kind: pool.map(lambda row: timed(row, options, generate), chosen[kind]) for kind in chosen}
        print("| Constraint | Found | Plies, median | Seconds, slowest |\n|---|---|---|---|")
        complete = [possible(row, games, options) for row, (games, _) in zip(chosen["possible"], answers["possible"])]
        print("\n| Constraint | Refused: | ms, with the start of the process |\n|---|---|---|")
        for row, (answer, taken) in zip(chosen["impossible"], answers["impossible"]):
            impossible(row, answer, taken, generate)
    except Fault as fault:
        pool.shutdown(cancel_futures=True)
        sys.exit(f"constraints: {fault}")
    print(f"\n{sum(complete)} of {len(complete)} found every time, {len(chosen['impossible'])} refused", file=sys.stderr)
    sys.exit(0 if all(complete) else 1)


if __name__ == "__main__":
    main()
