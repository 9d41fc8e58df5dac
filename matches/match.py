#!/usr/bin/env python3
"""Plays a match of Entente against another UCI engine, or against itself, and prints the score with its error.

    matches/match.py --opponent stockfish --opponent-option UCI_LimitStrength=true \\
        --opponent-option UCI_Elo=1350 --games 100 --movetime 200 --pgn match.pgn
    matches/match.py --engine-nodes 1000 --opponent target/release/entente --opponent-nodes 100

Every opening of matches/openings.txt is played twice, with colours changed. A game ends by the rules, draws by
threefold repetition and fifty moves included, and is a draw after 200 moves. python-chess is the referee: an
illegal move or an engine that dies ends the match with an error. The Elo difference is that of the score by the
logistic formula, its interval the normal approximation from wins, draws and losses. The slowest move of each side
is also printed, because no game is lost on time. If `--concurrency` exceeds the number of cores, the engines share them.
"""

import argparse
import concurrent.futures
import math
import pathlib
import sys
import threading
import time

try:
    import chess
    import chess.engine
    import chess.pgn
except ModuleNotFoundError:
    sys.exit("match: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

FOLDER = pathlib.Path(__file__).resolve().parent
MAX_MOVES = 200


def main():
    arguments = read_arguments()
    openings = read_openings(arguments.openings)
    counts = {"1-0": 0, "1/2-1/2": 0, "0-1": 0}
    slowest = [0.0, 0.0]
    lock = threading.Lock()
    pgn = open(arguments.pgn, "w", encoding="utf-8") if arguments.pgn else None

    def play_one(number):
        opening = openings[number // 2 % len(openings)]
        white = number % 2 == 0
        game, slowest_moves = play(arguments, opening, white, number + 1)
        result = game.headers["Result"]
        if not white:
            result = {"1-0": "0-1", "0-1": "1-0"}.get(result, result)
        with lock:
            counts[result] += 1
            slowest[:] = map(max, slowest, slowest_moves)
            if pgn:
                print(game, end="\n\n", file=pgn, flush=True)
            print(f"\rgame {sum(counts.values())} of {arguments.games}: {summary(counts)}", end="", file=sys.stderr)

    with concurrent.futures.ThreadPoolExecutor(arguments.concurrency) as pool:
        games = [pool.submit(play_one, number) for number in range(arguments.games)]
        try:
            for game in concurrent.futures.as_completed(games):
                game.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    print(file=sys.stderr)
    print(summary(counts))
    print("slowest move: {:.0f} ms, the opponent's {:.0f} ms".format(*(1000 * seconds for seconds in slowest)))


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    engine = FOLDER.parent / "target" / "release" / "entente"
    for side, default in [("engine", str(engine)), ("opponent", None)]:
        parser.add_argument(f"--{side}", default=default, required=default is None, metavar="PROGRAM")
        parser.add_argument(
            f"--{side}-option", action="append", default=[], type=option, metavar="NAME=VALUE"
        )
        parser.add_argument(f"--{side}-nodes", type=positive, metavar="N", help="nodes a move instead of --movetime")
    parser.add_argument("--games", type=positive, default=100)
    parser.add_argument("--movetime", type=positive, default=200, help="milliseconds a move, default 200")
    parser.add_argument("--openings", type=pathlib.Path, default=FOLDER / "openings.txt")
    parser.add_argument("--concurrency", type=positive, default=1)
    parser.add_argument("--pgn", help="write the games to this file")
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, found {text}")
    return number


def option(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found {text!r}")
    return name, value


def read_openings(path):
    lines = [line.split("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line]


def start(program, options):
    engine = chess.engine.SimpleEngine.popen_uci(program)
    try:
        engine.configure(dict(options))
    except BaseException:
        engine.close()
        raise
    return engine


def limit(nodes, movetime):
    return chess.engine.Limit(nodes=nodes) if nodes else chess.engine.Limit(time=movetime / 1000)


def play(arguments, opening, engine_is_white, number):
    """Plays one game with newly started engines; returns it and the slowest move of each, in seconds."""
    board = chess.Board()
    for san in opening:
        board.push_san(san)
    with (
        start(arguments.engine, arguments.engine_option) as engine,
        start(arguments.opponent, arguments.opponent_option) as opponent,
    ):
        sides = {
            engine_is_white: (engine, limit(arguments.engine_nodes, arguments.movetime)),
            not engine_is_white: (opponent, limit(arguments.opponent_nodes, arguments.movetime)),
        }
        names = {color: player.id.get("name", "?") for color, (player, _) in sides.items()}
        slowest = {color: 0.0 for color in sides}
        while (outcome := board.outcome(claim_draw=True)) is None and board.fullmove_number <= MAX_MOVES:
            player, allowed = sides[board.turn]
            begin = time.perf_counter()
            move = player.play(board, allowed, game=number).move
            slowest[board.turn] = max(slowest[board.turn], time.perf_counter() - begin)
            board.push(move)
    game = chess.pgn.Game.from_board(board)
    game.headers.update(
        Event="matches/match.py",
        Round=str(number),
        White=names[chess.WHITE],
        Black=names[chess.BLACK],
        Result=outcome.result() if outcome else "1/2-1/2",
    )
    return game, (slowest[engine_is_white], slowest[not engine_is_white])


def summary(counts):
    """The score with its standard error, and the Elo difference with its 95% interval."""
    won, drawn, lost = counts["1-0"], counts["1/2-1/2"], counts["0-1"]
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    variance = (won * (1 - score) ** 2 + drawn * (0.5 - score) ** 2 + lost * score**2) / games
    error = math.sqrt(variance / games)
    low, middle, high = (elo(score + shift * error) for shift in (-1.96, 0, 1.96))
    return (
        f"+{won} ={drawn} -{lost}, {100 * score:.1f}% ± {100 * error:.1f}%, "
        f"Elo difference {middle:+.0f} [{low:+.0f}, {high:+.0f}]"
    )


def elo(score):
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


if __name__ == "__main__":
    main()
