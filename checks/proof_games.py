#!/usr/bin/env python3
"""How long proof games can be for `entente prove` to find them: a table and a curve.

    checks/proof_games.py                       30 random games each of 20, 30 and 40 plies
    checks/proof_games.py --plies 60 80 --games 10 --seconds 20
    checks/proof_games.py --diagrams people.jsonl --natural --seconds 15

The positions are the last ones of games whose moves are drawn at random among the legal ones, with a fixed seed, so that
everyone tests the same; or those of a file, with one object per line: `placement`, `plies`, and with --natural
`white_elo` and `black_elo`. Only the placement is given; every game found is replayed with python-chess. With --natural,
games should be human-like (`--realism natural`), and their surprise is printed, too. Needs `cargo build --release`.
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


def diagrams(options):
    """For each number of plies its diagrams."""
    if options.diagrams is None:
        of = lambda plies: [{"placement": random_placement(plies, game)} for game in range(options.games)]
        return {plies: of(plies) for plies in options.plies}
    found = {}
    for number, line in enumerate(options.diagrams.read_text().splitlines(), 1):
        diagram = json.loads(line)
        if not {"placement", "plies"} <= diagram.keys():
            sys.exit(f"proof_games: {options.diagrams}, line {number}: expected placement and plies")
        found.setdefault(diagram["plies"], []).append(diagram)
    missing = [str(plies) for plies in options.plies or [] if plies not in found]
    if missing:
        sys.exit(f"proof_games: {options.diagrams} has no diagrams of {', '.join(missing)} plies")
    return {plies: found[plies][: options.games] for plies in options.plies or found}


def solve(diagram, seconds, natural):
    """The proof game's plies, its seconds and its surprise a ply; `None` plies if none was found."""
    placement = diagram["placement"]
    command = [ENGINE, "prove", placement, "--json", "--seed", "1", "--threads", "1"]
    if natural:
        ratings = [(flag, diagram.get(flag.strip("-").replace("-", "_"))) for flag in ("--white-elo", "--black-elo")]
        command += ["--realism", "natural", *(word for flag, elo in ratings if elo for word in (flag, str(elo)))]
    run = subprocess.run([*command, "--movetime", str(int(1000 * seconds))], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"proof_games: entente ended with {run.returncode}: {run.stderr.strip()}")
    answer = json.loads(run.stdout)
    if answer["outcome"] != "found":
        return None, answer["seconds"], None
    board = chess.Board()
    for move in answer["moves"]:
        board.push_uci(move)
    if board.board_fen() != placement:
        sys.exit(f"proof_games: {answer['moves']} does not lead to {placement}")
    return len(answer["moves"]), answer["seconds"], answer.get("surprise")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", help="lengths of the games [20 30 40, or all of a file]")
    parser.add_argument("--diagrams", type=pathlib.Path, help="a file with diagrams, an object a line")
    parser.add_argument("--natural", action="store_true", help="as people would have played them")
    parser.add_argument("--games", type=int, default=30, help="games of each length [30]")
    parser.add_argument("--seconds", type=float, default=60, help="for each position, at most [60]")
    parser.add_argument("--jobs", type=int, default=1, help="positions at once [1]")
    options = parser.parse_args()
    if options.plies is None and options.diagrams is None:
        options.plies = [20, 30, 40]
    marks = [mark for mark in MARKS if mark < options.seconds] + [options.seconds]
    surprise = " Surprise |" if options.natural else ""
    print("| Plies | " + " | ".join(f"{mark:g} s" for mark in marks) + f" | Plies found, median |{surprise}")
    print("|---" * (len(marks) + 2 + options.natural) + "|")
    unsolved, curve = [], []
    for plies, rows in diagrams(options).items():
        with ThreadPoolExecutor(options.jobs) as pool:
            answers = list(pool.map(lambda diagram: solve(diagram, options.seconds, options.natural), rows))
        found = [(length, seconds) for length, seconds, *_ in answers if length is not None]
        # The last limit has passed a little when its game is written down.
        late = {options.seconds: float("inf")}
        shares = [sum(seconds <= late.get(mark, mark) for _, seconds in found) / len(rows) for mark in marks]
        median = f"{statistics.median(length for length, _ in found):g}" if found else ""
        surprises = [surprise for *_, surprise in answers if surprise is not None]
        more = f" {statistics.mean(surprises):.2f} |" if surprises else ""
        print(f"| {plies} | " + " | ".join(f"{share:.0%}" for share in shares) + f" | {median} |{more}", flush=True)
        curve.append(f"{plies:4} plies {'█' * round(40 * shares[-1]):40} {shares[-1]:.0%}")
        unsolved += [(plies, row["placement"]) for row, (length, *_) in zip(rows, answers) if length is None]
    print("\n" + "\n".join(curve))
    for plies, placement in unsolved:
        print(f"not found: {placement} of {plies} plies")


if __name__ == "__main__":
    main()
