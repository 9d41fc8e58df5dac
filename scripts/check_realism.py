#!/usr/bin/env python3
"""Computes the tables of a realism report a second time, from its positions.csv, with other libraries.

    scripts/check_realism.py runs/realism

Numbers of games, surprise, rare plies and median lengths are computed with Python's statistics and compared with
realism.md. Final positions are described with python-chess and told apart by scikit-learn's boosted trees, whose
cross-validated AUC is printed beside the report's; the two are different classifiers and need not agree exactly. The exit
status is 0 if all numbers agree and no AUC is farther from the report's than --allow.
"""

import argparse
import collections
import csv
import pathlib
import re
import statistics
import sys

try:
    import chess
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
except ModuleNotFoundError as error:
    sys.exit(f"check_realism: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

RANGES = [(0, 10), (10, 30), (30, 10**9)]


def figures(games):
    """The cells of a line of the report, without ratios."""
    plies = [int(game["plies"]) for game in games]
    sums = [sum(float(game[f"surprise_from_{start}"]) for game in games) for start, _ in RANGES]
    counts = [sum(max(0, min(length, end) - start) for length in plies) for start, end in RANGES]
    ranges = [f"{total / count:.2f}" if count else "–" for total, count in zip(sums, counts)]
    median = statistics.median(plies)
    rare = 100 * sum(int(game["rare"]) for game in games) / sum(plies)
    return [str(len(games)), f"{sum(sums) / sum(plies):.2f}", *ranges, f"{rare:.1f}%", f"{median:g}"]


def features(fen):
    board = chess.Board(fen)
    numbers = numpy.zeros(768 + 16)
    for square, piece in board.piece_map().items():
        numbers[64 * (piece.piece_type - 1 + 6 * (piece.color == chess.BLACK)) + square] = 1
    for index, color in enumerate(chess.COLORS):
        men = board.occupied_co[color]
        attacked = [square for square in chess.scan_forward(men) if board.is_attacked_by(not color, square)]
        hanging = [square for square in attacked if not board.is_attacked_by(color, square)]
        moves = sum(len(board.attacks(square)) for square in chess.scan_forward(men))
        files = collections.Counter(chess.square_file(square) for square in board.pieces(chess.PAWN, color))
        doubled = sum(count - 1 for count in files.values())
        isolated = sum(count for file, count in files.items() if not (files[file - 1] or files[file + 1]))
        rights = board.has_kingside_castling_rights(color) + board.has_queenside_castling_rights(color)
        numbers[768 + 8 * index:][:7] = (len(attacked), len(hanging), moves, doubled, isolated, rights, chess.popcount(men))
    numbers[768 + 7] = board.turn
    numbers[768 + 15] = board.is_check()
    return numbers


def auc(people, generated, seed=1):
    samples = numpy.array([features(game["fen"]) for game in people + generated])
    labels = numpy.array([0] * len(people) + [1] * len(generated))
    trees = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.06, max_features=0.3, random_state=seed)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    chances = cross_val_predict(trees, samples, labels, cv=folds, method="predict_proba")[:, 1]
    return roc_auc_score(labels, chances)


def lines(report):
    """The lines of the report: what is compared, who played, cells without ratios, the AUC if there is one."""
    for line in report.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 10 and cells[2].isdigit():
            plain = [re.sub(r" \(.*\)", "", cell) for cell in cells[2:]]
            yield cells[0], cells[1], plain[:-1], None if plain[-1] == "–" else float(plain[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--allow", type=float, default=0.1, help="difference of an AUC that is allowed")
    arguments = parser.parse_args()
    games = collections.defaultdict(list)
    with open(arguments.folder / "positions.csv", encoding="utf-8", newline="") as file:
        for game in csv.DictReader(file):
            games[game["of"], game["method"], game["side"]].append(game)
    checked, faults = 0, []
    people = None
    for of, who, cells, theirs in lines((arguments.folder / "realism.md").read_text(encoding="utf-8")):
        if who == "people":
            people = cells
            continue
        sides = games.pop((of, who, "people")), games.pop((of, who, "generated"))
        for side, found in zip(sides, (people, cells)):
            checked += len(found)
            if found != figures(side):
                faults.append(f"{of}, {who}: {found}, expected {figures(side)}")
        if theirs is not None:
            ours = auc(*sides)
            print(f"{of}, {who}: AUC {theirs:.2f}, by scikit-learn {ours:.2f}")
            if abs(ours - theirs) > arguments.allow:
                faults.append(f"{of}, {who}: AUC {theirs:.2f}, by scikit-learn {ours:.2f}")
    if games:
        faults.append(f"no line for {', '.join(sorted({' '.join(key) for key in games}))}")
    if faults:
        sys.exit("check_realism: " + "\n".join(faults))
    print(f"{checked} cells agree")


if __name__ == "__main__":
    main()
