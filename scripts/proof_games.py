#!/usr/bin/env python3
"""How many moves deep a position may lie for `fen=…` to find a proof game: a table and a curve.

    scripts/proof_games.py                       30 random games each of 20, 30 and 40 plies
    scripts/proof_games.py --plies 60 80 --games 10 --seconds 20

The positions are the last ones of games whose moves are drawn at random among the legal ones, with a fixed seed, so that
everybody tests the same. Only where the men stand is asked for; every game found is replayed with python-chess. Needs
`cargo build --release`.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

try:
    import chess
except ModuleNotFoundError:
    sys.exit("proof_games: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"
MARKS = [1, 2, 5, 10, 20, 60]


def random_placement(plies, game):
    """Where the men stand after `plies` random moves."""
    draw = random.Random(f"{plies} {game}")
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = sorted(board.legal_moves, key=lambda move: move.uci())
            if not moves:
                break
            board.push(draw.choice(moves))
        else:
            return board.board_fen()


def solve(placement, seconds):
    """The proof game's plies and seconds, `None` plies if none was found."""
    command = [ENGINE, "generate", f"fen={placement}", "--seed", "1", "--threads", "1", "--format", "jsonl"]
    run = subprocess.run([*command, "--movetime", str(int(1000 * seconds))], capture_output=True, text=True)
    if run.returncode == 2:
        sys.exit(f"proof_games: {run.stderr.strip()}")
    answer = json.loads(run.stdout)
    if answer["outcome"] != "found":
        return None, answer["seconds"], answer["distance"]
    board = chess.Board()
    for move in answer["moves"]:
        board.push_uci(move)
    if board.board_fen() != placement:
        sys.exit(f"proof_games: {answer['moves']} does not lead to {placement}")
    return len(answer["moves"]), answer["seconds"], 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", default=[20, 30, 40], help="lengths of the games [20 30 40]")
    parser.add_argument("--games", type=int, default=30, help="games of each length [30]")
    parser.add_argument("--seconds", type=float, default=60, help="for each position, at most [60]")
    parser.add_argument("--jobs", type=int, default=1, help="positions at once [1]")
    options = parser.parse_args()
    marks = [mark for mark in MARKS if mark < options.seconds] + [options.seconds]
    print("| Plies | " + " | ".join(f"{mark:g} s" for mark in marks) + " | Plies found, median |")
    print("|---" * (len(marks) + 2) + "|")
    unsolved, curve = [], []
    for plies in options.plies:
        placements = [random_placement(plies, game) for game in range(options.games)]
        with ThreadPoolExecutor(options.jobs) as pool:
            answers = list(pool.map(lambda placement: solve(placement, options.seconds), placements))
        found = [(length, seconds) for length, seconds, _ in answers if length is not None]
        shares = [sum(seconds <= mark for _, seconds in found) / options.games for mark in marks]
        median = f"{statistics.median(length for length, _ in found):g}" if found else ""
        print(f"| {plies} | " + " | ".join(f"{share:.0%}" for share in shares) + f" | {median} |", flush=True)
        curve.append(f"{plies:4} plies {'█' * round(40 * shares[-1]):40} {shares[-1]:.0%}")
        for placement, (length, _, distance) in zip(placements, answers):
            if length is None:
                unsolved.append((plies, placement, distance))
    print("\n" + "\n".join(curve))
    for plies, placement, distance in unsolved:
        print(f"not found: {placement} of {plies} plies, closest about {distance} plies away")


if __name__ == "__main__":
    main()
