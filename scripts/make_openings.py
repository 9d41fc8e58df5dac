#!/usr/bin/env python3
"""Writes the list of openings that the constraint language knows from a copy of lichess-org/chess-openings.

    git clone https://github.com/lichess-org/chess-openings
    scripts/make_openings.py chess-openings > crates/constraint/data/openings.tsv

Reads a.tsv to e.tsv (ECO code, name, moves in PGN). The lines are sorted by their moves, and each gives only the moves
that it does not share with the line before it. Needs python-chess.
"""

import csv
import io
import pathlib
import subprocess
import sys

import chess.pgn

HEADER = """\
# Openings: ECO code, name, number of plies shared with the line before, and the further moves.
# Source: https://github.com/lichess-org/chess-openings at commit {commit}, in the public domain (CC0 1.0).
# Made by scripts/make_openings.py.
"""


def entries(folder):
    """ECO code, name and moves of each line."""
    for volume in "abcde":
        with open(folder / f"{volume}.tsv", encoding="utf-8") as stream:
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
                game = chess.pgn.read_game(io.StringIO(row["pgn"]))
                if game.errors:
                    sys.exit(f"make_openings: {row['name']}: {game.errors[0]}")
                yield row["eco"], row["name"], [move.uci() for move in game.mainline_moves()]


def shared(one, other):
    """How many moves two lines have in common at their beginning."""
    return next((ply for ply, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    head = ["git", "-C", str(folder), "rev-parse", "--short=10", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()
    print(HEADER.format(commit=commit), end="")
    before = []
    for eco, name, moves in sorted(entries(folder), key=lambda entry: (entry[2], entry[1])):
        plies = shared(before, moves)
        print(eco, name, plies, " ".join(moves[plies:]), sep="\t")
        before = moves


if __name__ == "__main__":
    main()
