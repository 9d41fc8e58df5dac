#!/usr/bin/env python3
"""Makes the exercises that have names, has another engine check them, and prints a table.

    checks/measure_exercises.py --engine stockfish                    6 boards at 1500 of every exercise
    checks/measure_exercises.py --engine stockfish --count 12 fork pin
    checks/measure_exercises.py --engine stockfish --tables DIR lucena  exact results of endings by Syzygy's tables

Every game is replayed with python-chess, and its last position tested by verify_games.py. Conditions that only a search
can decide are asked of the engine, as check_judged.py does; of wdl, a table of --tables decides if there is one, else
the engine. An exercise is right if all conditions hold; an evaluation may be a little outside its window, as
check_judged.py counts it. Its time ends after --seconds; what was made until then counts.
Seconds are those of the processor for each board that was found. Positions with a fault are named on standard error.
Needs `cargo build --release`. The exit status is 1 if an exercise is wrong or missing.
"""

import argparse
import json
import pathlib
import re
import signal
import subprocess
import sys
import tomllib

import chess
import chess.syzygy

import check_judged
import measure_sets

ROOT = measure_sets.ROOT
EXERCISES = ROOT / "crates" / "exercises" / "src" / "recipes.toml"
WDL = re.compile(r"wdl(\.white)?=(win|draw|loss)")
# What the engine calls a win and a draw, in centipawns, and its nodes where no table decides.
WON, DRAWN, NODES = 300, 15, 2_000_000


def result(board, judge, tables):
    """The result for the side to move by a table or, if there is none, by the engine; None if it has no opinion."""
    if tables:
        try:
            wdl = tables.probe_wdl(board)
            return "win" if wdl == 2 else "loss" if wdl == -2 else "draw"
        except KeyError:
            pass
    judge.nodes, usual = NODES, judge.nodes
    score = judge.score(board)
    judge.nodes = usual
    if abs(score) <= DRAWN:
        return "draw"
    return None if abs(score) < WON else "win" if score > 0 else "loss"


def faults(record, judge, tables):
    """The conditions that do not hold, with what was found instead."""
    text, board = record["constraint"], chess.Board(record["fen"])
    if not measure_sets.is_right(text, record["moves"]):
        return ["the board or the game"]
    found = []
    for atom in check_judged.atoms(text):
        on_solution = atom["theme"] or atom["length"] or atom["hold"] or atom["convert"]
        if on_solution:
            holds, _, words = check_judged.verdict_on_solution(atom, record, judge, measure_sets.ENGINE)
        else:
            # An evaluation counts if it is nearly inside, since no two engines agree on it.
            holds, nearly, words = check_judged.verdict(atom, board, judge)
            holds = holds or nearly
        if not holds:
            found.append(f"{atom[0]}: {words}")
    for side, expected in WDL.findall(text):
        said = result(board, judge, tables)
        if side and board.turn == chess.BLACK:
            said = {"win": "loss", "loss": "win"}.get(said, said)
        if said != expected:
            found.append(f"wdl={expected}: {said}")
    return found


def make(name, options):
    """The lines that the program prints for an exercise within the time, and the processor's seconds."""
    command = [measure_sets.ENGINE, "exercises", name, "--file", options.file, "--count", str(options.count)]
    command += ["--seed", str(options.seed), "--elo", str(options.elo), "--threads", str(options.threads)]
    command += ["--format", "jsonl"]
    command += options.more.split()
    before = measure_sets.processor_seconds()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        output, messages = run.communicate(timeout=options.seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        output, messages = run.communicate()
    if run.returncode == 2:
        sys.exit(f"measure_exercises: {messages.strip()}")
    lines = [json.loads(line) for line in output.splitlines() if line.endswith("}")]
    return [line for line in lines if line["outcome"] == "found"], measure_sets.processor_seconds() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="the exercises; without any, all")
    parser.add_argument("--file", type=pathlib.Path, default=EXERCISES, help="exercises other than those of the program")
    parser.add_argument("--engine", required=True, help="a UCI engine")
    parser.add_argument("--nodes", type=int, default=200_000, help="nodes of each of its searches [200000]")
    parser.add_argument("--tables", type=pathlib.Path, help="a folder of Syzygy's tables")
    parser.add_argument("--count", type=int, default=6, help="boards of each exercise [6]")
    parser.add_argument("--elo", type=int, default=1500, help="[1500]")
    parser.add_argument("--seed", type=int, default=1, help="[1]")
    parser.add_argument("--seconds", type=float, default=75, help="the most time for each exercise [75]")
    parser.add_argument("--threads", type=int, default=2, help="[2]")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="write the boards found to FOLDER/NAME.jsonl")
    parser.add_argument("--more", default="", metavar="ARGUMENTS", help="more arguments of the program")
    options = parser.parse_args()
    tables = chess.syzygy.open_tablebase(str(options.tables)) if options.tables else None
    names = options.names or [row["name"] for row in tomllib.loads(options.file.read_text())["exercises"]]
    judge = check_judged.Judge(options.engine, options.nodes)
    print("| Exercise | Found | Right | From populations | Seconds |\n|---|---|---|---|---|", flush=True)
    asked = found = right = natural = 0
    try:
        for name in names:
            records, seconds = make(name, options)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                lines = "".join(json.dumps(record) + "\n" for record in records)
                (options.keep / f"{name}.jsonl").write_text(lines)
            wrong = [(record, faults(record, judge, tables)) for record in records]
            for record, words in wrong:
                if words:
                    print(f"{name}: {record['fen']}: {'; '.join(words)}", file=sys.stderr, flush=True)
            good = sum(not words for _, words in wrong)
            by_population = sum(record.get("delivered_by") == "natural" for record in records)
            each = f"{seconds / len(records):.1f}" if records else f"none in {seconds:.0f}"
            print(f"| {name} | {len(records)} of {options.count} | {good} | {by_population} | {each} |", flush=True)
            asked, found, right, natural = asked + options.count, found + len(records), right + good, natural + by_population
    finally:
        judge.engine.quit()
    print(f"| all | {found} of {asked} | {right} | {natural} | |")
    sys.exit(right < asked)


if __name__ == "__main__":
    main()
