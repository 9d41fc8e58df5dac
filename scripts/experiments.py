#!/usr/bin/env python3
"""Repeat the thesis's experiments and print the satisfaction ratios beside the published ones.

    scripts/experiments.py 1                 7 constraints, 300 games each, depth 1, thesis-1, faithful
    scripts/experiments.py 2                 17 constraints, 125 games each, depth 2, thesis-2, faithful
    scripts/experiments.py 2 --default       the same with pruning, exact leaves and retries

A row is marked "below" where the share satisfied at the first attempt is significantly lower than the published one:
Fisher's exact test, one-sided, 5%; --games changes the size of our sample only. The thesis counts the half-moves of a
game from zero, so one is added to its median to compare it with plies: "published + 1". Needs entente built for
release (in CARGO_TARGET_DIR, if that is set).
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

EXPERIMENTS = {
    1: {
        "network": "thesis-1", "depth": 1, "games": 300,
        "published": {  # constraint: (satisfied %, unique %, median steps)
            "(1,2,2,2,7)": (100, 96.7, 9), "(1,2,2,1,8)": (97.3, 87, 9), "(1,2,1,2,8)": (97.7, 75.3, 7),
            "(0,2,2,2,8)": (69, 99, 15), "(1,2,2,1,7)": (88.7, 99.7, 33), "(1,2,1,2,7)": (93, 100, 21),
            "(0,2,2,2,7)": (66, 100, 25),
        },
    },
    2: {
        "network": "thesis-2", "depth": 2, "games": 125,
        "published": {
            "(1,2,2,2,7)": (100, 78.4, 5), "(1,2,2,1,8)": (98.4, 87.2, 11), "(1,2,1,2,8)": (97.6, 96.8, 9),
            "(0,2,2,2,8)": (89.6, 98.4, 11), "(1,2,2,1,7)": (97.6, 99.2, 11), "(1,2,1,2,7)": (99.2, 100, 11),
            "(0,2,2,2,7)": (95.2, 100, 13), "(1,2,1,1,7)": (90.4, 100, 25), "(1,2,2,0,7)": (95.2, 100, 21),
            "(1,2,0,2,7)": (49.6, 100, 39), "(1,1,2,2,8)": (85.6, 100, 25), "(1,2,2,2,6)": (100, 97.6, 9),
            "(1,2,1,1,8)": (92, 100, 21), "(1,2,2,2,5)": (97.6, 100, 19), "(1,2,1,1,6)": (82.4, 100, 43),
            "(1,2,2,0,6)": (87.2, 100, 35), "(1,2,0,2,6)": (57.6, 100, 45),
        },
    },
}


ROOT = pathlib.Path(__file__).resolve().parent.parent
# As cargo has it: relative to the folder it is called in, which is the root here.
ENTENTE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release/entente"


def fisher_below(ours: int, games: int, published: int, published_games: int) -> float:
    """P(so few of all successes fall to us), if both succeed equally often: the hypergeometric tail."""
    successes = ours + published
    total = math.comb(games + published_games, successes)
    ways = (math.comb(games, k) * math.comb(published_games, successes - k)
            for k in range(max(0, successes - published_games), ours + 1))
    return sum(ways) / total


def run(constraint: str, settings: dict, arguments: argparse.Namespace) -> list[dict]:
    command = [
        arguments.entente, "generate", constraint, "--count", str(settings["games"]), "--method", "negamax",
        "--depth", str(settings["depth"]), "--network", arguments.network or settings["network"],
        "--seed", str(arguments.seed), "--format", "jsonl",
    ]
    if not arguments.default:
        command.append("--faithful")
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", type=int, choices=EXPERIMENTS)
    parser.add_argument("--default", action="store_true", help="the default variant instead of the published one")
    parser.add_argument("--network", help="another network: an embedded name or an ONNX file")
    parser.add_argument("--games", type=int, help="games a constraint instead of the published number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entente", default=str(ENTENTE), help="the program to run")
    arguments = parser.parse_args()
    settings = dict(EXPERIMENTS[arguments.experiment])
    published_games = settings["games"]
    settings["games"] = arguments.games or settings["games"]
    games = settings["games"]

    print("| constraint | first attempt | published | p (below) | delivered | unique | published | median plies | published + 1 | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    below = []
    for constraint, (satisfied, unique, median) in settings["published"].items():
        lines = run(constraint, settings, arguments)
        first = sum(line["first_attempt_distance"] == 0 for line in lines)
        found = [line for line in lines if line["outcome"] == "found"]
        distinct = len({line["fen"].split()[0] for line in lines})
        p = fisher_below(first, games, round(satisfied / 100 * published_games), published_games)
        if p < 0.05:
            below.append(constraint)
        plies = statistics.median(line["plies"] for line in found) if found else float("nan")
        print(
            f"| {constraint} | {100 * first / games:.1f}% | {satisfied}% | {p:.3f}{' below' if p < 0.05 else ''} "
            f"| {100 * len(found) / games:.1f}% | {100 * distinct / games:.1f}% | {unique}% "
            f"| {plies:g} | {median + 1} | {sum(line['seconds'] for line in lines):.1f} |",
            flush=True,
        )
    print(f"\nsignificantly below: {', '.join(below) or 'none'}")


if __name__ == "__main__":
    main()
