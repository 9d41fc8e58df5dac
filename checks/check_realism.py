#!/usr/bin/env python3
"""Computes the tables of a realism report a second time, from its CSV files, with other libraries.

    checks/check_realism.py runs/realism

Numbers of games, surprise, rare plies and lengths, their ratios and 95% intervals are computed with numpy and exact
fractions and compared with realism.md. Final positions are described with python-chess and classified by scikit-learn's
boosted trees, whose cross-validated AUC is printed next to the report's; the two are different classifiers and need not
agree exactly. The same holds for whole games, which are classified by the numbers in games.csv. From these numbers, the
figures of each judge are computed, and how well games are told apart by its mean surprise. The losses of moves are
computed with numpy from the values of the positions, which must agree from one ply to the next. The exit status is 0 if
all numbers agree and no AUC is farther from the report's than --allow.
"""

import argparse
import bisect
import collections
import csv
import itertools
import os
import pathlib
import re
import sys
from fractions import Fraction

# scikit-learn's threads wait busily for each other, for minutes if other programs need the processor, too.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

try:
    import chess
    import numpy
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
except ModuleNotFoundError as error:
    sys.exit(f"check_realism: {error.name} is missing; python3 -m pip install -r scripts/requirements.txt")

TREES = 200  # of the classifier
RANGES = [(0, 10), (10, 30), (30, 10**9)]


def clustered(games, sums, counts):
    """The mean over things that come in games, and its standard error with games as clusters, nan if there is one."""
    _, clusters = numpy.unique(games, return_inverse=True)
    sums, counts = (numpy.bincount(clusters, weights=numbers) for numbers in (sums, counts))
    mean = sums.sum() / counts.sum()
    variance = numpy.var(sums - mean * counts, ddof=1) * len(counts) if len(counts) > 1 else numpy.nan
    return mean, numpy.sqrt(variance) / counts.sum()


def estimate(games, sums, counts):
    """The weighted mean and its standard error; None without a thing."""
    weights = numpy.array([float(game["weight"]) for game in games])
    names = numpy.array([game["game"] for game in games])
    there = numpy.array(counts) > 0
    return clustered(names[there], *((weights * numbers)[there] for numbers in (sums, counts))) if any(there) else None


def plies_within(games):
    """The numbers of plies of games, and those in each range."""
    plies = numpy.array([int(game["plies"]) for game in games])
    return plies, [numpy.clip(numpy.minimum(plies, end) - start, 0, None) for start, end in RANGES]


def of_judge(games, sums, rare):
    """The estimates of a judge: surprise in all plies and in each range, and rare moves; each with its format."""
    plies, counts = plies_within(games)
    pairs = [(sum(sums), plies), *zip(sums, counts), (rare, plies)]
    return [(estimate(games, *pair), "{:.2f}") for pair in pairs[:-1]] + [(estimate(games, *pairs[-1]), "{:.1%}")]


def estimates(games):
    """The estimates in a line of the report, except for the median: the mean and its format."""
    plies, _ = plies_within(games)
    sums = [numpy.array([float(game[f"surprise_from_{start}"]) for game in games]) for start, _ in RANGES]
    rare = numpy.array([int(game["rare"]) for game in games])
    return [*of_judge(games, sums, rare), (estimate(games, plies, numpy.ones(len(games))), "{:.1f}")]


def cell_of(own, text, other):
    """A cell: a mean, and its ratio to another with its 95% interval."""
    if own is None:
        return "–"
    cell = text.format(own[0])
    if other and other[0] > 0:
        ratio = own[0] / other[0]
        reach = 1.96 * numpy.hypot(own[1], ratio * other[1]) / other[0]
        cell += f" ({ratio:.2f})" if numpy.isnan(reach) else f" ({ratio:.2f} ± {reach:.2f})"
    return cell


def figures(games, people=None):
    """The cells of a line of the report, with ratios to people's."""
    theirs = estimates(people) if people else itertools.repeat((None, ""))
    pairs = zip(estimates(games), theirs)
    cells = [str(len(games)), *(cell_of(own, text, other) for (own, text), (other, _) in pairs)]
    length = median(games)
    cells.insert(-1, f"{length:g} ({length / median(people):.2f})" if people else f"{length:g}")
    return cells


def median(games):
    """The weighted median length, by exact fractions: between two lengths if half of the weight is on either side."""
    ordered = sorted((int(game["plies"]), Fraction(game["weight"]).limit_denominator(10**6)) for game in games)
    up_to = list(itertools.accumulate(weight for _, weight in ordered))
    lower = ordered[bisect.bisect_left(up_to, up_to[-1] / 2)][0]
    upper = ordered[bisect.bisect_right(up_to, up_to[-1] / 2)][0]
    return (lower + upper) / 2


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


def auc(people, generated, describe, seed=1):
    """The cross-validated AUC of trees that tell generated games from people's by what `describe` says of them.

    All parts of a game are in one fold: trees that learn one of them know the others.
    """
    samples = numpy.array([describe(game) for game in people + generated])
    # scikit-learn cannot use a number that no game has.
    samples = samples[:, numpy.mean(~numpy.isnan(samples), axis=0) >= 0.05]
    labels = numpy.array([0] * len(people) + [1] * len(generated))
    sides = {"people": people, "generated": generated}
    games = [f"{side} {game['game']}" for side in sides for game in sides[side]]
    share = min(max(0.3, 8 / samples.shape[1]), 1.0)
    trees = HistGradientBoostingClassifier(max_iter=TREES, learning_rate=0.06, max_features=share, random_state=seed)
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
    weights = numpy.array([float(game["weight"]) for game in people + generated])
    how = {"groups": games, "cv": folds, "method": "predict_proba", "params": {"sample_weight": weights}}
    chances = cross_val_predict(trees, samples, labels, **how)[:, 1]
    return roc_auc_score(labels, chances, sample_weight=weights)


def of_position(game):
    return features(game["fen"])


def rows(report, column):
    """The cells of the lines of all tables that have such a column, each with the heading above its table."""
    heading, names = None, None
    for line in report.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not cells:
            names = None
        elif names is None:
            names = cells
        elif column in names and not set(line) <= set("|-"):
            yield heading, cells


def lines(report):
    """The lines of the report: what is compared, who played, cells, and the AUCs of positions and of games, if any."""
    for _, (of, who, *cells, positions, games) in rows(report, "AUC, games"):
        yield of, who, cells, [None if cell == "–" else float(cell.split()[0]) for cell in (positions, games)]


# What games.csv says of a game before its numbers.
KEYS = ("rating", "method", "side", "constraint", "game", "weight")


def number(text):
    return float(text) if text else numpy.nan


def of_game(game):
    return [number(text) for name, text in game.items() if name not in KEYS]


def judge_estimates(games, judge):
    """The estimates of a line of a judge, from the means and shares of games."""
    plies, counts = plies_within(games)
    means = [numpy.array([number(game[f"{judge} surprise_from_{start}"]) for game in games]) for start, _ in RANGES]
    sums = [numpy.where(those > 0, numpy.nan_to_num(mean) * those, 0) for mean, those in zip(means, counts)]
    return of_judge(games, sums, numpy.array([number(game[f"{judge} rare"]) for game in games]) * plies)


def auc_by_surprise(people, generated, judge):
    """The cell of how well a judge's mean surprise tells games apart, from all pairs of one constraint and rating."""
    def cell(game):
        return game["rating"], game["constraint"]

    sides = [collections.defaultdict(list), collections.defaultdict(list)]
    for side, games in zip(sides, (people, generated)):
        for game in games:
            side[cell(game)].append(number(game[f"{judge} surprise"]))
    sides = [{key: numpy.array(numbers) for key, numbers in side.items()} for side in sides]

    def placed(games, others, sign):
        """For each game, the share of the other side's games that are less surprising, or more."""
        ahead = [sign * (number(game[f"{judge} surprise"]) - others[cell(game)]) for game in games]
        return numpy.array([numpy.mean((those > 0) + (those == 0) / 2) for those in ahead])

    halves = (placed(people, sides[1], -1), people), (placed(generated, sides[0], 1), generated)
    (_, error), (mean, other) = (estimate(games, shares, numpy.ones(len(games))) for shares, games in halves)
    reach = 1.96 * numpy.hypot(error, other)
    if numpy.isnan(reach):
        return f"{mean:.2f}"
    return f"{mean:.2f} ({max(mean - reach, 0):.2f}–{min(mean + reach, 1):.2f})"


def check_judges(report, games, faults):
    """Adds to the faults what is wrong with the table of judges; returns how many cells it has."""
    checked, people = 0, None
    for _, (of, judge, who, *cells) in rows(report, "AUC by surprise"):
        if who == "people":
            people = cells
            continue
        sides = games[of, who, "people"], games[of, who, "generated"]
        theirs, ours = (judge_estimates(side, judge) for side in sides)
        expected = (
            [str(len(sides[0])), *(cell_of(*own, None) for own in theirs), "–"],
            [
                str(len(sides[1])),
                *(cell_of(own, text, other) for (own, text), (other, _) in zip(ours, theirs)),
                auc_by_surprise(*sides, judge),
            ],
        )
        for found, cells_of_side in zip((people, cells), expected):
            checked += len(found)
            if found != cells_of_side:
                faults.append(f"{of}, {judge}, {who}: {found}, expected {cells_of_side}")
    return checked


def classified(games, of, who):
    """The games of both sides that the report classifies in a line.

    Each constraint and rating has equal weights on both sides. If losses were measured, only games with losses count.
    """
    those = [game for key, some in games.items() if key[1] == who for game in some]
    those = [game for game in those if of in (game["rating"], game["constraint"])]
    if any(game["loss_from_0"] for some in games.values() for game in some):
        those = [game for game in those if game["loss_from_0"]]
    counts = collections.Counter((game["rating"], game["constraint"], game["side"]) for game in those)
    sides = {"people": [], "generated": []}
    for game in those:
        both = [counts[game["rating"], game["constraint"], side] for side in sides]
        weight = min(both) / counts[game["rating"], game["constraint"], game["side"]]
        if weight:
            sides[game["side"]].append({**game, "weight": weight})
    return sides["people"], sides["generated"]


# The tables of losses: what of a loss is averaged, what it is multiplied by, and its unit.
LOSSES = {
    "Mean loss, in centipawns": (lambda losses: losses, 1, ""),
    "Moves that lose over 100": (lambda losses: losses > 100, 100, "%"),
    "Moves that lose over 200": (lambda losses: losses > 200, 100, "%"),
}


def loss_cell(plies, heading):
    """The mean over plies, with its 95% interval from a standard error with games as clusters."""
    pick, factor, unit = LOSSES[heading]
    if not plies:
        return "–"
    values = numpy.asarray(pick(numpy.array([int(ply["loss"]) for ply in plies])), dtype=float)
    weights = numpy.array([float(ply["weight"]) for ply in plies])
    mean, error = clustered([ply["game"] for ply in plies], weights * values, weights)
    cell = f"{factor * mean:.1f}{unit}"
    if numpy.isnan(error):
        return cell
    low, high = max(mean - 1.96 * error, 0), mean + 1.96 * error
    return f"{cell} ({factor * low:.1f}–{factor * high:.1f})"


def loss_cells(plies, heading):
    """The cells of a line: the number of games, all plies, and each range."""
    stretches = [(0, 10**9), *RANGES]
    within = [[ply for ply in plies if start <= int(ply["ply"]) < end] for start, end in stretches]
    starts = sum(ply["ply"] == "0" for ply in plies)
    return [str(starts), *(loss_cell(stretch, heading) for stretch in within)]


def wrong_losses(plies):
    """What in losses.csv contradicts itself."""
    for last, ply in zip([None, *plies], plies):
        before, after, loss = (int(ply[name]) for name in ("before", "after", "loss"))
        is_first = ply["ply"] == "0"
        follows = last is not None and ply["game"] == last["game"] and int(ply["ply"]) == int(last["ply"]) + 1
        if loss != max(0, before - after) or max(abs(before), abs(after)) > 1000:
            yield f"game {ply['game']}, ply {ply['ply']}: {before}, {after} and a loss of {loss}"
        elif not is_first and not (follows and int(last["after"]) == -before):
            yield f"game {ply['game']}, ply {ply['ply']}: {before} does not follow from the ply before"


def check_losses(folder, report, faults):
    """Adds to the faults what is wrong with the tables of losses; returns how many cells they have."""
    table = list(rows(report, "all plies"))
    table = [(heading, cells) for heading, cells in table if heading in LOSSES]
    if not table:
        return 0
    plies = collections.defaultdict(list)
    with open(folder / "losses.csv", encoding="utf-8", newline="") as file:
        for ply in csv.DictReader(file):
            plies[ply["rating"], ply["method"], ply["side"]].append(ply)
    for key, those in plies.items():
        faults.extend(f"losses.csv, {' '.join(key)}: {fault}" for fault in wrong_losses(those))
    checked, people = 0, None
    missing = {(heading, *key[:2]) for heading in LOSSES for key in plies}
    for heading, (rating, who, *cells) in table:
        if who == "people":
            people = cells
            continue
        missing.discard((heading, rating, who))
        for side, found in (("people", people), ("generated", cells)):
            expected = loss_cells(plies[rating, who, side], heading)
            checked += len(found)
            if found != expected:
                faults.append(f"{heading}, {rating}, {who}, {side}: {found}, expected {expected}")
    faults.extend(f"{heading}: no line for {rating} {who}" for heading, rating, who in sorted(missing))
    return checked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--allow", type=float, default=0.1, help="difference of an AUC that is allowed")
    arguments = parser.parse_args()
    games, whole = collections.defaultdict(list), collections.defaultdict(list)
    for name, of, found in (("positions.csv", "of", games), ("games.csv", "rating", whole)):
        with open(arguments.folder / name, encoding="utf-8", newline="") as file:
            for game in csv.DictReader(file):
                found[game[of], game["method"], game["side"]].append(game)
    report, faults = (arguments.folder / "realism.md").read_text(encoding="utf-8"), []
    checked, people = check_losses(arguments.folder, report, faults) + check_judges(report, whole, faults), None
    for of, who, cells, aucs in lines(report):
        if who == "people":
            people = cells
            continue
        sides = games.pop((of, who, "people")), games.pop((of, who, "generated"))
        expected = figures(sides[0]), figures(sides[1], sides[0])
        for found, cells_of_side in zip((people, cells), expected):
            checked += len(found)
            if found != cells_of_side:
                faults.append(f"{of}, {who}: {found}, expected {cells_of_side}")
        kinds = ("AUC", sides, of_position), ("AUC, games", classified(whole, of, who), of_game)
        for theirs, (name, both, describe) in zip(aucs, kinds):
            if theirs is None:
                continue
            ours = auc(*both, describe)
            line = f"{of}, {who}: {name} {theirs:.2f}, by scikit-learn {ours:.2f}"
            print(line)
            if abs(ours - theirs) > arguments.allow:
                faults.append(line)
    if games:
        faults.append(f"no line for {', '.join(sorted({' '.join(key) for key in games}))}")
    if faults:
        sys.exit("check_realism: " + "\n".join(faults))
    print(f"{checked} cells agree")


if __name__ == "__main__":
    main()
