#!/usr/bin/env python3
"""Counts what `entente-trainer analyse` counts again, with python-chess and DuckDB, which Entente does not use.

    entente-trainer import club.pgn --min-rating 0 --exclude-base-time none --min-plies 1 --output club.store
    entente-trainer analyse club.store --games csv,parquet --output runs/club
    checks/check_analysis.py runs/club club.pgn

The games are read from the PGN files again (plain, or as zstd, gzip or bzip2 if the programs are there), replayed, and
asked about each constraint by the second implementation of the language in verify_games.py. Compared are, for every
constraint, the games that met it, their results, the plies, and for every square the games with a man there, their
mean plies and commonest opening; and if there are tables of games, what DuckDB sums up of the Parquet files. All must
be the same; the exit status is 0 only then.
"""

import argparse
import collections
import csv
import io
import statistics
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn

from verify_games import Constraint

DECOMPRESS = {".zst": ["zstd", "-dcq", "--long=27"], ".gz": ["gzip", "-dc"], ".bz2": ["bzip2", "-dc"]}
MEN = [
    f"{chess.COLOR_NAMES[color]}_{chess.PIECE_NAMES[kind]}"
    for color in (chess.WHITE, chess.BLACK)
    for kind in (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
]


class Tally:
    """What games say about a constraint."""

    def __init__(self):
        self.results = collections.Counter()
        self.plies = []
        self.squares = collections.defaultdict(list)
        self.openings = collections.defaultdict(collections.Counter)


def games_of(path):
    """The games of a PGN file."""
    if path.suffix in DECOMPRESS:
        text = subprocess.run(DECOMPRESS[path.suffix] + [path], check=True, capture_output=True).stdout.decode()
        stream = io.StringIO(text)
    else:
        stream = path.open()
    with stream:
        while (game := chess.pgn.read_game(stream)) is not None:
            yield game


def count(paths, names):
    """Tallies of all games, and the number of games."""
    constraints = {name: Constraint(name) for name in names}
    first = chess.Board()
    held = {name for name, constraint in constraints.items() if constraint(first, 0)}
    tallies = {name: Tally() for name in names}
    games = 0
    for game in (game for path in paths for game in games_of(path)):
        games += 1
        result, opening = game.headers["Result"], game.headers.get("Opening") or game.headers.get("ECO")
        wanted = {name: constraint for name, constraint in constraints.items() if name not in held}
        board = game.board()
        for ply, move in enumerate(game.mainline_moves(), start=1):
            board.push(move)
            for name in [name for name, constraint in wanted.items() if constraint(board, ply)]:
                del wanted[name]
                tally = tallies[name]
                tally.results[result] += 1
                tally.plies.append(ply)
                for square, piece in board.piece_map().items():
                    man = f"{chess.COLOR_NAMES[piece.color]}_{chess.PIECE_NAMES[piece.piece_type]}"
                    cell = man, chess.square_name(square)
                    tally.squares[cell].append(ply)
                    if opening:
                        tally.openings[cell][opening] += 1
            if not wanted:
                break
    return tallies, games


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class Differences:
    """What is not the same."""

    def __init__(self):
        self.number = 0
        self.compared = 0

    def expect(self, what, found, expected):
        self.compared += 1
        is_same = abs(float(found) - expected) < 1e-5 if isinstance(expected, float) else found == str(expected)
        if not is_same:
            self.number += 1
            if self.number <= 20:
                print(f"{what}: {found!r}, expected {expected!r}", file=sys.stderr)


def check_tables(folder, tallies, differences):
    for row in rows(folder / "constraints.csv"):
        name, tally = row["constraint"], tallies[row["constraint"]]
        differences.expect(f"{name}: games", row["games"], len(tally.plies))
        for column, result in (("white_won", "1-0"), ("drawn", "1/2-1/2"), ("black_won", "0-1")):
            differences.expect(f"{name}: {column}", row[column], tally.results[result])
        if tally.plies:
            differences.expect(f"{name}: mean_plies", row["mean_plies"], statistics.fmean(tally.plies))
            differences.expect(f"{name}: median_plies", row["median_plies"], float(statistics.median(tally.plies)))
    by_ply = collections.Counter({(row["constraint"], int(row["ply"])): int(row["games"]) for row in rows(folder / "plies.csv")})
    expected = collections.Counter((name, ply) for name, tally in tallies.items() for ply in tally.plies)
    differences.expect("plies.csv", str(sorted(by_ply.items())), str(sorted(expected.items())))
    seen = set()
    for row in rows(folder / "squares.csv"):
        name, cell = row["constraint"], (row["man"], row["square"])
        plies, openings = tallies[name].squares[cell], tallies[name].openings[cell]
        seen.add((name, cell))
        what = f"{name}: {' '.join(cell)}"
        differences.expect(f"{what}: games", row["games"], len(plies))
        differences.expect(f"{what}: mean_plies", row["mean_plies"], statistics.fmean(plies) if plies else 0.0)
        differences.expect(f"{what}: median_plies", row["median_plies"], float(statistics.median(plies)) if plies else 0.0)
        most = min(openings, key=lambda opening: (-openings[opening], opening.encode()), default="")
        differences.expect(f"{what}: opening", row["opening"], most)
    expected = {(name, cell) for name, tally in tallies.items() for cell, plies in tally.squares.items() if plies}
    differences.expect("squares.csv: cells", str(len(seen & expected)), len(expected))


def file_names(names):
    """The names of the tables of games."""
    taken = []
    for name in names:
        plain = "-".join(word for word in "".join(c if c.isascii() and c.isalnum() else " " for c in name).split())
        plain = plain[:100]
        candidates = [plain] + [f"{plain}-no{number}" for number in range(2, len(names) + 2)]
        taken.append(next(candidate for candidate in candidates if candidate.lower() not in [name.lower() for name in taken]))
    return dict(zip(names, taken))


def check_games(folder, tallies, differences):
    """Tables of games, if there are any: by DuckDB those in Parquet, by the csv module the others."""
    names = file_names([row["constraint"] for row in rows(folder / "constraints.csv")])
    for name, tally in tallies.items():
        lists = {man: sum(len(plies) for (other, _), plies in tally.squares.items() if other == man) for man in MEN}
        path = folder / "games" / f"{names[name]}.parquet"
        if path.exists():
            import duckdb

            columns = [f"{man[0]}_{man.split('_')[1]}_pos" for man in MEN]
            sums = ", ".join(f"coalesce(sum(len({column})), 0)" for column in columns)
            query = f"select count(*), coalesce(sum(satisfied_after), 0), coalesce(sum(result), 0), {sums} from read_parquet($path)"
            found = duckdb.execute(query, {"path": str(path)}).fetchone()
            expected = [len(tally.plies), sum(tally.plies), tally.results["1-0"] + tally.results["1/2-1/2"] / 2]
            differences.expect(path.name, str([float(number) for number in found]), str([float(number) for number in expected + list(lists.values())]))
        path = path.with_suffix(".csv")
        if path.exists():
            table = rows(path)
            differences.expect(path.name, str(sorted(int(row["satisfied_after"]) for row in table)), str(sorted(tally.plies)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the analysis")
    parser.add_argument("pgn", type=Path, nargs="+", help="the files that its store was imported from")
    arguments = parser.parse_args()
    names = [row["constraint"] for row in rows(arguments.folder / "constraints.csv")]
    tallies, games = count(arguments.pgn, names)
    differences = Differences()
    check_tables(arguments.folder, tallies, differences)
    check_games(arguments.folder, tallies, differences)
    print(f"{games} games, {len(names)} constraints, {differences.compared} figures compared, {differences.number} different")
    return 1 if differences.number else 0


if __name__ == "__main__":
    sys.exit(main())
