#!/usr/bin/env python3
"""Has a UCI engine judge positions whose exact result is known, and prints those on which it disagrees.

    python3 checks/check_endings.py SAMPLE [--engine stockfish] [--depth 32] [--nodes 2000000]

SAMPLE is written by `cargo run --release -p entente-endings --example check`: a line for each position with the ending,
the result for the side to move (Win, Draw or Loss), and the FEN. The engine searches each position to the depth or with
the nodes, whichever ends first. A mate, or a score of at least --won centipawns, is a win; a score of at most --drawn
is a draw; between them the engine has no opinion. Prints, for each ending, how often the two agree, disagree, and how
often the engine has no opinion; the exit status is 1 if they disagree.
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict


class Engine:
    def __init__(self, command, hash_size):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci")
        self.wait("uciok")
        self.send(f"setoption name Hash value {hash_size}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """The lines up to the one that begins with a word."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(word):
                return lines
        sys.exit(f"check_endings: the engine ended before {word}")

    def score(self, fen, depth, nodes):
        """The score in centipawns for the side to move; mates are far beyond all others. The depth it had."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go depth {depth} nodes {nodes}")
        score, reached = None, 0
        for line in self.wait("bestmove"):
            found = re.search(r"\bdepth (\d+).*\bscore (cp|mate) (-?\d+)(?! (?:lower|upper)bound)", line)
            if found:
                reached, number = int(found[1]), int(found[3])
                is_loss = number < 0 or (number == 0 and found[2] == "mate")
                score = number if found[2] == "cp" else (-100_000 if is_loss else 100_000)
        return score, reached


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--depth", type=int, default=32)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--won", type=int, default=300, help="at least this score is a win, in centipawns")
    parser.add_argument("--drawn", type=int, default=10, help="at most this score is a draw, in centipawns")
    parser.add_argument("--hash", type=int, default=128, help="the engine's hash table in MiB")
    arguments = parser.parse_args()

    engine = Engine(arguments.engine, arguments.hash)
    counts = defaultdict(lambda: defaultdict(int))
    with open(arguments.sample, encoding="utf-8") as sample:
        for line in sample:
            ending, result, fen = line.split(maxsplit=2)
            score, depth = engine.score(fen.strip(), arguments.depth, arguments.nodes)
            if score is None or arguments.drawn < abs(score) < arguments.won:
                found = None
            else:
                found = "Draw" if abs(score) <= arguments.drawn else "Win" if score > 0 else "Loss"
            verdict = "no opinion" if found is None else "agree" if found == result else "disagree"
            counts[ending][verdict] += 1
            if verdict != "agree":
                print(f"{verdict}: {ending} {result}, score {score} at depth {depth}: {fen.strip()}", flush=True)
    for ending, verdicts in counts.items():
        print(f"{ending}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    engine.send("quit")
    sys.exit(any(verdicts["disagree"] for verdicts in counts.values()))


if __name__ == "__main__":
    main()
