#!/usr/bin/env python3
"""Compares the conditions on the game, of the constraint language, in Rust and in Python on the positions of games.

    checks/check_game.py games.pgn                       300 random constraints
    checks/check_game.py games.pgn --count 1000 --seed 2
    checks/check_game.py games.pgn --sound 20000         constraints that hold must not be called impossible

For each random constraint, `entente check CONSTRAINT --pgn games.pgn` has to print exactly the positions in which it
holds according to verify_games.py. With --sound, constraints of several conditions that hold in a position of the games
according to verify_games.py must not be refused by `entente check`, because the game proves them possible. Needs
`cargo build --release`. The exit status is 1 if the two disagree, or if a word never held or never failed.
"""

import argparse
import collections
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import chess

import stories
import verify_games
from check_sets import ENGINE, found_by_rust

WORDS = ["captures", "castled", "opening", "eco", "begins", "earlier", "then"]


def simple(rng):
    """A random condition on a position."""
    letter = rng.choice("QqRrBbNnPp")
    square = rng.choice(chess.SQUARE_NAMES)
    return rng.choice(
        [
            f"{letter}={rng.randint(0, 2)}",
            f"{letter}>={rng.randint(1, 8)}",
            f"{rng.choice('KQRBNkqrbn')}@{square}",
            f"ply<={rng.randint(5, 80)}",
            f"ply>={rng.randint(5, 60)}",
            "check=any",
            "Q=0 q=0",
            "castling=none",
            "isolated(P)",
            "turn=white",
        ]
    )


def condition(rng, word, games, depth=0):
    """A random condition on the game, which begins with `word`."""
    if word == "captures":
        return "captures" + rng.choice(["<=3", ">=8", "=0..5", "!=2", ">12", "<1", "=4"])
    if word == "castled":
        side = rng.choice(["", "white.", "black."])
        ways = ["long", "short", "none", "yes", "queenside", "kingside"] + ([] if side else ["opposite", "same"])
        return f"{side}castled={rng.choice(ways)}"
    if word == "opening":
        name = rng.choice(stories.openings())[0]
        # Families occur more often than variations.
        return f'opening="{name.split(":")[0] if rng.random() < 0.7 else name}"'
    if word == "eco":
        first = f"{rng.choice('ABCDE')}{rng.randint(0, 99):02}"
        return rng.choice([f"eco={first}", f"ECO={first}..{first[0]}99"])
    if word == "begins":
        moves = rng.choice(games)[: rng.randint(1, 6)]
        board, words = chess.Board(), []
        for move in moves:
            san = board.san(move)
            numbered = f"{board.fullmove_number}.{san}" if board.turn else san
            words.append(rng.choice([san, numbered, move.uci()]))
            board.push(move)
        return f'begins="{" ".join(words)}"'
    inner = " ".join(anything(rng, games, depth + 1) for _ in range(rng.randint(1, 2)))
    if word == "earlier":
        return f"earlier({inner})"
    return f"({inner}) then ({anything(rng, games, depth + 1)})"


def anything(rng, games, depth):
    """A random condition, perhaps negated, and perhaps with an alternative."""
    if depth > 2 or rng.random() < 0.6:
        text = simple(rng)
    else:
        text = condition(rng, rng.choice(WORDS), games, depth)
    if rng.random() < 0.15:
        return f"!({text})"
    if rng.random() < 0.1:
        return f"({text} | {simple(rng)})"
    return text


def read(path):
    """The situations of the games by number and ply, and the moves of those from the initial position."""
    positions, games = [], []
    with open(path, encoding="utf-8", errors="replace") as stream:
        for number, game in enumerate(verify_games.read_games(stream), start=1):
            moves = list(game.mainline_moves())
            for ply, situation in enumerate(verify_games.Situation.all_of(game.board(), moves)):
                positions.append(((number, ply), situation))
            if game.board() == chess.Board() and moves:
                games.append(moves)
    return positions, games


def holding(rng, situation, games):
    """Some random conditions that hold in a situation. What does not hold is negated."""
    parts = []
    for _ in range(rng.randint(1, 6)):
        word = rng.choice(WORDS + ["simple"] * 4)
        text = simple(rng) if word == "simple" else condition(rng, word, games)
        parts.append(text if verify_games.Constraint(text).test(situation) else f"!({text})")
    return " ".join(f"({part})" for part in parts)


def check_soundness(positions, games, count, rng, jobs):
    """Whether none of `count` constraints that hold in a position is refused."""
    drawn = [rng.choice(positions)[1] for _ in range(count)]
    drawn = [situation for situation in drawn if situation.story.boards[0] == chess.Board()]
    texts = [holding(rng, situation, games) for situation in drawn]

    def answer(text):
        return subprocess.run([ENGINE, "check", text], capture_output=True, text=True)

    with ThreadPoolExecutor(jobs) as pool:
        refused = [
            (text, situation, run.stderr.strip())
            for text, situation, run in zip(texts, drawn, pool.map(answer, texts))
            if run.returncode != 0
        ]
    for text, situation, reason in refused:
        print(f"{text}: holds in {situation.board.fen()} at ply {situation.ply}, but: {reason}")
    print(f"{len(texts)} constraints that hold, {len(refused)} refused")
    return not refused


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("games", metavar="PGN")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--sound", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    positions, games = read(arguments.games)
    if not games:
        sys.exit("check_game: no games from the initial position")
    if arguments.sound:
        sys.exit(0 if check_soundness(positions, games, arguments.sound, rng, arguments.jobs) else 1)
    texts = [(WORDS[index % len(WORDS)], index) for index in range(arguments.count)]
    texts = [(word, condition(rng, word, games)) for word, _ in texts]
    held, failed, wrong = collections.Counter(), collections.Counter(), 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        answers = pool.map(lambda text: found_by_rust(text[1], arguments.games), texts)
        for (word, text), answer in zip(texts, answers):
            test = verify_games.Constraint(text).test
            expected = {place for place, situation in positions if test(situation)}
            held[word] += len(expected)
            failed[word] += len(positions) - len(expected)
            if answer != expected:
                wrong += 1
                detail = answer if isinstance(answer, str) else f"differ at {sorted(answer ^ expected)[:3]}"
                print(f"{text}: {detail}")
    for word in WORDS:
        print(f"{word}: held {held[word]} times, failed {failed[word]} times")
    print(f"{len(texts)} constraints on {len(positions)} positions, {wrong} answered differently")
    never = [word for word in WORDS if not held[word] or not failed[word]]
    sys.exit(1 if wrong or never else 0)


if __name__ == "__main__":
    main()
