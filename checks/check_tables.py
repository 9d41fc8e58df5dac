#!/usr/bin/env python3
"""Computes the tables of a tournament's folder a second time, from its results, with other libraries.

    checks/check_tables.py runs/experiment-1

Every game of results.jsonl is replayed with python-chess, and whether its last position satisfies the constraint is
asked of checks/verify_games.py. Shares, intervals, means, medians and the significance test are computed with SciPy
and compared with every number of table.csv. The exit status is 0 if all agree.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import re
import statistics
import sys
import zlib

import verify_games

try:
    import chess
    from scipy import stats
except ModuleNotFoundError as error:
    sys.exit(f"check_tables: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

CONFIDENCE = 0.95
PIECES = "QRBNP"
MAX_PIECE_DIFFERENCES = 14


class Fault(Exception):
    """A game or a number that is not what it should be."""


def read_game(line):
    """The game of a line, once its checksum, its moves and its outcome are found right."""
    body, mark, rest = line.rpartition(',"crc32":"')
    if not mark or int(rest[:8], 16) != zlib.crc32((body + "}").encode()):
        raise Fault("the checksum is another")
    game = json.loads(line)
    board = chess.Board(game["root"])
    for move in game["moves"]:
        board.push_uci(move)
    if board.fen() != game["fen"] or len(game["moves"]) != game["plies"]:
        raise Fault(f"the game ends in {board.fen()} after {len(board.move_stack)} plies")
    holds = verify_games.Constraint(game["constraint"])(board, len(board.move_stack))
    if holds != (game["outcome"] == "found") or (game["distance"] == 0) != holds:
        raise Fault(f"the outcome is {game['outcome']}, and the constraint {'holds' if holds else 'does not hold'}")
    game["placement"] = board.board_fen()
    return game


def is_exact(constraint):
    """True for White's exact counts and nothing else, such as (1,2,2,2,7) or Q=1 & R=2 & B=2 & N=2 & P=7."""
    if re.fullmatch(r"\(\d+(,\d+){4}\)", constraint):
        return True
    counts = [re.fullmatch(rf"([{PIECES}])=\d+", part) for part in constraint.split(" & ")]
    return all(counts) and sorted(count[1] for count in counts) == sorted(PIECES)


def share(name, successes, trials):
    low, high = stats.binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
    return {name: successes / trials, f"{name}_low": low, f"{name}_high": high}


def of_plies(plies):
    if not plies:
        return {}
    mean, count, ordered = statistics.fmean(plies), len(plies), sorted(plies)
    reach = 0.0 if count < 2 else stats.sem(plies) * stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)
    # With the r-th of the numbers in order as its lower end, the interval lies above the median when fewer than r of them
    # lie below it: in no more than 2.5% of all samples. The whole range, where there are too few.
    ranks = [r for r in range(1, count // 2 + 1) if stats.binom.cdf(r - 1, count, 0.5) <= (1 - CONFIDENCE) / 2]
    rank = max(ranks, default=1)
    return {
        "plies_mean": mean, "plies_mean_low": mean - reach, "plies_mean_high": mean + reach,
        "plies_median": statistics.median(plies),
        "plies_median_low": ordered[rank - 1], "plies_median_high": ordered[count - rank],
    }


def of_policy(games):
    """What only the method goal-policy has to say."""
    if not games:
        return {}
    plies = sum(game["plies"] for game in games)
    numbers = {"natural": sum(game["delivered_by"] == "natural" for game in games) / len(games)}
    for name in ("surprise", "masked"):
        numbers[name] = sum(game[name] * game["plies"] for game in games) / plies
    for name in ("tilted", "finished"):
        numbers[name] = sum(game[name] for game in games) / plies
    return numbers


def measures(games, published):
    """What the table should say of these games; `unique` counts placements apart for each constraint."""
    count = len(games)
    found = [game for game in games if game["outcome"] == "found"]
    first = sum(game["first_attempt_distance"] == 0 for game in games)
    played = [game for game in games if game["plies"]]
    numbers = {"games": count, **share("first_attempt", first, count), **share("delivered", len(found), count)}
    numbers |= of_plies([game["plies"] for game in found])
    if played:
        numbers["unique"] = len({(game["constraint"], game["placement"]) for game in played}) / len(played)
    if all(is_exact(game["constraint"]) for game in games):
        distances = collections.Counter(game["first_attempt_distance"] for game in games)
        for men in range(1, MAX_PIECE_DIFFERENCES + 1):
            ratio = share(f"pdr_{men}", distances[men], count)
            numbers |= ratio if men <= 4 else {f"pdr_{men}": ratio[f"pdr_{men}"]}
    if found:
        numbers["nodes_each"] = sum(game["nodes"] for game in games) / len(found)
        numbers["evaluations_each"] = sum(game["evaluations"] for game in games) / len(found)
    numbers |= of_policy([game for game in found if "delivered_by" in game and game["plies"]])
    if published:
        theirs = math.floor(published["satisfied"] / 100 * published["games"] + 0.5)
        table = [[first, count - first], [theirs, published["games"] - theirs]]
        numbers |= {
            "published_satisfied": published["satisfied"] / 100, "published_unique": published["unique"] / 100,
            "published_plies_mean": published["mean_steps"] + 1, "published_plies_median": published["median_steps"] + 1,
            "p_below": stats.fisher_exact(table, "less").pvalue,
        }
    return numbers


def compare(row, expected):
    where = f"{row['entrant']}, {row['constraint'] or 'all together'}"
    if missing := expected.keys() - row.keys():
        raise Fault(f"{where}: no column {', '.join(sorted(missing))}")
    for name, text in row.items():
        if name in ("entrant", "constraint", "method"):
            continue
        if (text == "") != (name not in expected):
            raise Fault(f"{where}: {name} is {text!r}, expected {expected.get(name)}")
        if text and not abs(float(text) - expected[name]) <= 1e-5 * max(1.0, abs(expected[name])):
            raise Fault(f"{where}: {name} is {text}, expected {expected[name]}")


def check(folder):
    plan = json.loads((folder / "tournament.json").read_text(encoding="utf-8"))["plan"]
    published = {row["constraint"]: row for row in plan["published"]}
    pairings = collections.defaultdict(list)
    with open(folder / "results.jsonl", encoding="utf-8") as results:
        for number, line in enumerate(results, 1):
            try:
                game = read_game(line)
            except (Fault, ValueError, KeyError) as fault:
                raise Fault(f"results.jsonl:{number}: {fault}") from fault
            pairings[game["entrant"], game["constraint"]].append(game)
    rows = set()
    numbers = 0
    with open(folder / "table.csv", encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            of, constraint = row["entrant"], row["constraint"]
            together = [game for (entrant, _), games in pairings.items() if entrant == of for game in games]
            games = pairings[of, constraint] if constraint else together
            compare(row, measures(games, published.get(constraint)))
            rows.add((of, constraint))
            numbers += sum(text != "" for text in row.values())
    if missing := pairings.keys() - rows:
        raise Fault(f"no row for {', '.join(map(str, missing))}")
    return sum(map(len, pairings.values())), numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    try:
        games, numbers = check(parser.parse_args().folder)
    except (Fault, OSError) as fault:
        sys.exit(f"check_tables: {fault}")
    print(f"{games} games legal, and their outcomes right; {numbers} cells of table.csv agree")


if __name__ == "__main__":
    main()
