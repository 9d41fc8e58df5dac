#!/usr/bin/env python3
"""A researcher's day with the Python package: positions into data frames, checked by python-chess, and its speed.

    checks/check_python.py [--count 200] [--program target/release/entente]

Generates COUNT positions for each of five constraints at two ratings, makes data frames of pandas and Polars of them, and
replays every game with python-chess. Then it compares, in one run: generation with that of the program's command line, and
10,000 positions through `entente.policy` with the positions per second that `entente bench --speed` measures for the same
network on one thread. Prints what it found; the exit status is 1 if a position is wrong.
"""

import argparse
import subprocess
import sys
import time

import chess
import pandas
import polars

import entente

CONSTRAINTS = ["Q=0 q=0 R-r=1", "(1,2,1,1,7)", "castled=opposite", "N@f5 check=none", "isolated(P@d) Q=1 q=1"]
RATINGS = (1200, 2000)
PACE = "Q=0 q=0"


def frames(count, realism):
    """The positions as data frames of pandas and Polars; they have the same rows."""
    found = []
    for elo in RATINGS:
        found += entente.generate_many(CONSTRAINTS, count, elo=elo, seed=1, realism=realism, missing="skip")
    table = entente.Table(found)
    one, other = pandas.DataFrame.from_arrow(table), polars.DataFrame(table)
    assert one.fen.tolist() == other["fen"].to_list() == [position.fen for position in found]
    assert other["moves"].to_list() == [position.moves for position in found]
    return one, other


def faults(frame):
    """Rows whose game is illegal, ends elsewhere, or does not satisfy its constraint."""
    constraints = {str(constraint): constraint for constraint in map(entente.Constraint, CONSTRAINTS)}
    wrong = []
    for row in frame.itertuples():
        board = chess.Board(row.root)
        for move in row.moves:
            board.push(board.parse_uci(move))
        if board.fen() != row.fen or not constraints[row.constraint].holds(board):
            wrong.append(row.fen)
    return wrong


def seconds(work):
    """The time that `work` takes, and its result."""
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="positions for each constraint and rating")
    parser.add_argument("--realism", default="fast", help="how closely games follow human play: fast, natural or auto")
    parser.add_argument("--program", default="target/release/entente", help="the program to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the comparison of generation")
    arguments = parser.parse_args()

    taken, (frame, other) = seconds(lambda: frames(arguments.count, arguments.realism))
    wrong = faults(frame)
    wanted = arguments.count * len(CONSTRAINTS) * len(RATINGS)
    print(f"{len(frame)} of {wanted} positions in {taken:.0f} s, in pandas {pandas.__version__} and Polars {polars.__version__}")
    print(other.group_by("white_elo", "constraint").agg(polars.len(), polars.col("plies", "surprise").mean()))
    print(f"replayed by python-chess: {len(frame) - len(wrong)} right, {len(wrong)} wrong")

    here, there = [], []
    for seed in range(arguments.rounds):
        settings = ["--count", "100", "--elo", "1500", "--seed", str(seed), "--threads", "2", "--format", "jsonl"]
        command = [arguments.program, "generate", PACE, *settings]
        there.append(seconds(lambda: subprocess.run(command, capture_output=True, check=True))[0])
        here.append(seconds(lambda: list(entente.generate(PACE, 100, elo=1500, seed=seed, threads=2)))[0])
    print(f"100 positions: package {min(here):.2f} s, program {min(there):.2f} s, ratio {min(here) / min(there):.3f}")

    boards = [str(position) for position in entente.generate("ply>=10", 500, seed=1, realism="fast")]
    fens = (boards * 20)[:10_000]
    entente.policy(fens[:64], skill=False, threads=1)
    taken = min(seconds(lambda: entente.policy(fens, skill=False, threads=1).probabilities)[0] for _ in range(3))
    print(f"10,000 positions through the network in {taken:.2f} s: {10_000 / taken:.0f} a second on one thread")
    bench = subprocess.run([arguments.program, "bench", "--speed"], capture_output=True, text=True, check=True)
    print(bench.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
