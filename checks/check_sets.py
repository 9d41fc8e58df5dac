#!/usr/bin/env python3
"""Compares the sets of men of the constraint language in Rust and in Python on the positions of games.

    checks/check_sets.py games.pgn                       300 random conditions
    checks/check_sets.py games.pgn --count 1000 --seed 2
    checks/check_sets.py games.pgn --sound 20000         constraints that hold must not be called impossible

For each random condition, `entente check CONDITION --pgn games.pgn` has to print exactly the positions in which it holds
according to verify_games.py. With --sound, constraints of several such conditions that hold in a position of the games according to
verify_games.py must not be refused by `entente check`, because the game proves them possible. Prints how often each word held and failed. Needs `cargo build --release`. The exit status
is 1 if the two disagree, or if a word never held or never failed.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.pgn

import structures
import verify_games

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "entente"
REGIONS = ["d", "a-c", "e-h", "2-4", "6", "7", "c3-f6", "a4-h5", "d4", "e5", "f7", "light", "dark", "kingside"]
REGIONS += ["queenside", "centre", "edge"]


def men(rng, of_pawns=False, squares=False):
    if squares and rng.random() < 0.3:
        return f"-@{rng.choice(REGIONS)}"
    letters = "Pp" if of_pawns else "KQRBNPkqrbnp"
    count = rng.choice([1, 1, 1, 2]) if of_pawns else rng.choice([1, 1, 2, 3, 6])
    chosen = "".join(rng.sample(letters, min(count, len(letters))))
    text = f"[{chosen}]" if len(chosen) > 1 else chosen
    return text + (f"@{rng.choice(REGIONS)}" if rng.random() < 0.4 else "")


def selection(rng, word=None, of_pawns=False, squares=False, depth=0):
    """A random set; `word` is its first property or relation."""
    if word is None and (depth > 2 or rng.random() < 0.7):
        return men(rng, of_pawns, squares)
    words = sorted(structures.PAWNS_ONLY) if of_pawns else sorted(structures.PROPERTIES | structures.RELATIONS)
    word = word or rng.choice([one for one in words if one != "mobility" or squares])
    if word in structures.RELATIONS:
        # What attacks or xray find is of the kinds of the second set, which may be squares.
        finds_second = word in ("attacks", "xray")
        first = selection(rng, None, False, False, depth + 1)
        second = selection(rng, None, False, word != "shields" and (squares or not finds_second), depth + 1)
        return f"{word}({first}, {second})"
    return f"{word}({selection(rng, None, word in structures.PAWNS_ONLY, False, depth + 1)})"


def condition(rng, word):
    """A random condition on a set; `word` is a property, a relation or "@" for men on squares."""
    text = men(rng, squares=True) if word == "@" else selection(rng, word, squares=True)
    if word == "@" and "@" not in text:
        text += f"@{rng.choice(REGIONS)}"
    if rng.random() < 0.2:
        text += " - " + selection(rng, squares=True)
    elif word != "@" and rng.random() < 0.5:
        return text
    return text + rng.choice([">=1", ">=2", "=1", "=2", "=0", "!=1", "<=1", "=1..3", ">0", "<2"])


def situations(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        for number, game in enumerate(verify_games.read_games(stream), start=1):
            board = game.board()
            yield (number, 0), verify_games.Situation(board.copy(stack=False), 0)
            for ply, move in enumerate(game.mainline_moves(), start=1):
                board.push(move)
                yield (number, ply), verify_games.Situation(board.copy(stack=False), ply)


def found_by_rust(text, path):
    run = subprocess.run([ENGINE, "check", text, "--pgn", path], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        return run.stderr.strip()
    places = re.findall(r"^game (\d+) ply (\d+)", run.stdout, re.MULTILINE)
    return {(int(game), int(ply)) for game, ply in places}


def holding(rng, situation, words):
    """Some random conditions that hold in a situation, as a constraint. What does not hold is negated."""
    parts = []
    for _ in range(rng.randint(1, 5)):
        text = condition(rng, rng.choice(words))
        parts.append(text if verify_games.Constraint(text).test(situation) else f"!({text})")
    # Most conditions on sets are about pawns; numbers of pawns and men on squares meet them.
    for letter in rng.sample("PpQqRrBbNn", rng.randint(0, 3)):
        parts.append(f"{letter}={situation.counts[letter]}")
    for square, piece in rng.sample(sorted(situation.board.piece_map().items()), rng.randint(0, 2)):
        parts.append(f"{piece.symbol()}@{chess.square_name(square)}")
    for file in rng.sample("abcdefgh", rng.randint(0, 2)):
        for letter in "Pp":
            number = len(structures.men(letter, file)(situation.board))
            parts.append(f"{letter}@{file}={number}")
    return " ".join(parts)


def check_soundness(positions, count, rng, words, jobs):
    """Whether none of `count` constraints that hold in a position is refused."""
    drawn = [rng.choice(positions)[1] for _ in range(count)]
    texts = [holding(rng, situation, words) for situation in drawn]

    def answer(text):
        return subprocess.run([ENGINE, "check", text], capture_output=True, text=True)

    with ThreadPoolExecutor(jobs) as pool:
        refused = [
            (text, situation, run.stderr.strip())
            for text, situation, run in zip(texts, drawn, pool.map(answer, texts))
            if run.returncode != 0 and "too complex" not in run.stderr
        ]
    for text, situation, error in refused:
        print(f"{text}: holds in {situation.board.fen()}: {error}")
    print(f"{count} constraints that hold, {len(refused)} refused")
    return not refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pgn")
    parser.add_argument("--count", type=int, default=300, help="conditions [300]")
    parser.add_argument("--seed", type=int, default=1, help="[1]")
    parser.add_argument("--sound", type=int, metavar="N", help="test N constraints that hold")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once, with --sound [1]")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    positions = list(situations(options.pgn))
    words = ["@", *sorted(structures.PROPERTIES | structures.RELATIONS)]
    if options.sound:
        sys.exit(0 if check_soundness(positions, options.sound, rng, words, options.jobs) else 1)
    held, failed, wrong = collections.Counter(), collections.Counter(), 0
    for number in range(options.count):
        word = words[number % len(words)]
        text = condition(rng, word)
        rust = found_by_rust(text, options.pgn)
        test = verify_games.Constraint(text).test
        python = {place for place, situation in positions if test(situation)}
        if rust != python:
            wrong += 1
            if isinstance(rust, str):
                print(f"{text}: {rust}")
            else:
                place = min(rust ^ python)
                fen = next(situation.board.fen() for at, situation in positions if at == place)
                print(f"{text}: game {place[0]} ply {place[1]} {fen}: Rust {place in rust}, Python {place in python}")
        held[word] += len(python)
        failed[word] += len(positions) - len(python)
    for word in words:
        print(f"{word}: held {held[word]} times, failed {failed[word]} times")
    print(f"{options.count} conditions, {len(positions)} positions, {wrong} disagreements")
    one_sided = [word for word in words if options.count >= len(words) and not (held[word] and failed[word])]
    if one_sided:
        print(f"never held or never failed: {', '.join(one_sided)}")
    sys.exit(1 if wrong or one_sided else 0)


if __name__ == "__main__":
    main()
