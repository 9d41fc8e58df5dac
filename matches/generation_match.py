#!/usr/bin/env python3
"""Lets two copies of Entente cooperate in a match runner that you have, and keeps the proof games.

    matches/generation_match.py "(1,2,2,2,7)" --games 10
    matches/generation_match.py "N@f5 check=black" --tc 5+0.05 --concurrency 2 --output games.pgn
    matches/generation_match.py "Q=0 q=0" --runner ~/bin/fastchess

Runs cutechess-cli or fastchess, whichever is found first, with both engines in Mode = generate. Once they have reached the
constraint their score is 0, and the game is adjudicated a draw. A runner may do so some moves later, so each game is cut
where the constraint held first, by checks/verify_games.py's own reading of it; --moves ends the rest. The games go to standard output or --output, as PGN with the tags Constraint and FinalFEN, and
can be given to checks/verify_games.py. The exit status is 0 if every game reached the constraint.
"""

import argparse
import io
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "checks"))
import verify_games  # noqa: E402

try:
    import chess
    import chess.pgn
except ModuleNotFoundError:
    sys.exit("generation_match: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

ENTENTE = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "entente"
RUNNERS = ("cutechess-cli", "fastchess")


def command(runner, pgn, options):
    """The command line of a match, for the runner at that path."""
    engine = [f"cmd={options.entente}", "proto=uci", f"tc={options.tc}"]
    engine += ["option.Mode=generate", f"option.Constraint={options.constraint}"]
    words = [runner, "-engine", "name=white", "-engine", "name=black", "-each", *engine]
    words += ["-rounds", str(options.games), "-games", "1", "-maxmoves", str(options.moves)]
    words += ["-concurrency", str(options.concurrency)]
    # The score falls to 0 where the constraint is reached.
    words += ["-draw", "movenumber=1", "movecount=1", "score=20"]
    is_cutechess = pathlib.Path(runner).name.startswith("cutechess")
    return words + (["-pgnout", pgn] if is_cutechess else ["-pgnout", f"file={pgn}"])


def cut(game, text):
    """The game up to the first position in which the constraint holds, or None if there is none."""
    holds = verify_games.Constraint(text)
    board = game.board()
    proof = chess.pgn.Game()
    proof.headers.update({key: game.headers[key] for key in ("Event", "White", "Black") if key in game.headers})
    proof.setup(board)
    node, ply = proof, 0
    moves = list(game.mainline_moves())
    while not holds(board, ply):
        if ply == len(moves):
            return None
        board.push(moves[ply])
        node = node.add_variation(moves[ply])
        ply += 1
    proof.headers.update({"Result": board.result(), "Constraint": text, "PlyCount": str(ply), "FinalFEN": board.fen()})
    return proof


def proofs(pgn, text):
    """For each game of a PGN text the proof game in it, or None."""
    stream = io.StringIO(pgn)
    while (game := chess.pgn.read_game(stream)) is not None:
        yield cut(game, text)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("constraint")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--tc", default="10+0.1", help="the clock, as the runner reads it")
    parser.add_argument("--moves", type=int, default=60, help="moves after which a game ends")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time")
    parser.add_argument("--runner", help=f"the match runner; one of {', '.join(RUNNERS)} on the PATH if not given")
    parser.add_argument("--entente", default=str(ENTENTE), help="the program to run")
    parser.add_argument("--output", type=pathlib.Path, help="a file for the games")
    return parser.parse_args()


def main():
    options = read_arguments()
    try:
        verify_games.Constraint(options.constraint)
    except ValueError as error:
        sys.exit(f"generation_match: {options.constraint!r}: {error}")
    runner = options.runner or next(filter(None, map(shutil.which, RUNNERS)), None)
    if runner is None:
        sys.exit(f"generation_match: found none of {', '.join(RUNNERS)}; --runner names one")
    with tempfile.TemporaryDirectory() as folder:
        pgn = pathlib.Path(folder) / "games.pgn"
        # fastchess leaves a file of its settings where it runs.
        match = subprocess.run(command(runner, str(pgn), options), stdout=sys.stderr, cwd=folder)
        if not pgn.exists():
            sys.exit(f"generation_match: {runner} left no games, exit status {match.returncode}")
        games = list(proofs(pgn.read_text(encoding="utf-8"), options.constraint))
    found = [game for game in games if game is not None]
    text = "".join(f"{game}\n\n" for game in found)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    plies = statistics.median(int(game.headers["PlyCount"]) for game in found) if found else "no"
    print(f"{len(games)} games, {len(found)} reached the constraint, median {plies} plies", file=sys.stderr)
    sys.exit(0 if games and len(found) == len(games) else 1)


if __name__ == "__main__":
    main()
