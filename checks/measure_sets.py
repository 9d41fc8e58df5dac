#!/usr/bin/env python3
"""Generates positions for conditions on sets of men and prints the table of docs/experiments.md.

    checks/measure_sets.py                     20 positions at 1500 for each condition of tests/sets.txt
    checks/measure_sets.py --only isolated --count 5

Seconds are those of the processor for each position, so other programs hardly change them. Every game is replayed with python-chess and its last position tested by verify_games.py. Needs `cargo build --release`.
The exit status is 1 if a position does not satisfy its condition.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

import chess

import verify_games

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"


def conditions(path):
    """The lines of a file that are not empty and no comments."""
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def processor_seconds():
    """The processor time of the programs that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def is_right(text, moves):
    board = chess.Board()
    for move in moves:
        move = chess.Move.from_uci(move)
        if move not in board.legal_moves:
            return False
        board.push(move)
    return verify_games.Constraint(text)(board, len(moves))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=pathlib.Path, default=ROOT / "tests" / "sets.txt", help="[tests/sets.txt]")
    parser.add_argument("--count", type=int, default=20, help="positions for each condition [20]")
    parser.add_argument("--seed", type=int, default=1, help="[1]")
    parser.add_argument("--elo", default="1500", help="[1500]")
    parser.add_argument("--only", default="", metavar="TEXT", help="only conditions that contain it")
    options = parser.parse_args()
    print("| Condition | Found | Right | As people play | Plies, median | Seconds |\n|---|---|---|---|---|---|", flush=True)
    wrong = 0
    for text in conditions(options.file):
        if options.only not in text:
            continue
        command = [ENGINE, "generate", text, "--count", str(options.count), "--seed", str(options.seed)]
        command += ["--elo", options.elo, "--format", "jsonl"]
        before = processor_seconds()
        run = subprocess.run(command, capture_output=True, text=True)
        seconds = (processor_seconds() - before) / options.count
        name = text.replace("|", "\\|")
        if run.returncode == 2:
            print(f"| `{name}` | {run.stderr.strip()} | | | | |", flush=True)
            wrong += 1
            continue
        rows = [json.loads(line) for line in run.stdout.splitlines()]
        found = [row for row in rows if row["outcome"] == "found"]
        right = sum(is_right(text, row["moves"]) for row in found)
        natural = sum(row.get("delivered_by") == "natural" for row in found)
        wrong += right < len(found)
        plies = statistics.median(len(row["moves"]) for row in found) if found else 0
        print(f"| `{name}` | {len(found)} of {options.count} | {right} | {natural} | {plies:g} | {seconds:.1f} |", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
