#!/usr/bin/env python3
"""Asks another chess engine whether generated positions satisfy their conditions on evaluations and best moves.

    entente generate "Q=0 q=0 eval=-30..30 quiet" --count 20 --format jsonl | checks/check_judged.py --engine stockfish
    checks/check_judged.py --engine stockfish --nodes 200000 runs/only.jsonl runs/quiet.jsonl

Reads JSON lines of `entente generate`. From each constraint it takes the conditions eval, quiet, mate, only, best, bad,
theme, moves, hold and convert that must all hold (not those under | or !), and asks the engine, with --nodes nodes per search.
For each condition it prints how many positions satisfy it (for eval also how many are within 40 centipawns of the
window), and lists the others. The exit status is 0 if all positions satisfy all conditions.

For a theme, the engine solves the position: a single first move must succeed, as docs/themes.md defines it, and the forced
part of the engine's own solution must show the theme according to `entente solve` (--program).

This is deliberately a second implementation of the conditions, from docs/constraints.md.
"""

import argparse
import collections
import fileinput
import json
import re
import subprocess
import sys

try:
    import chess
    import chess.engine
except ModuleNotFoundError:
    sys.exit("check_judged: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

import structures

ATOM = re.compile(
    r"(?P<eval>eval(?P<mover>\.mover)?(?P<compare>!=|<=|>=|=|<|>)(?P<low>-?\d+)(\.\.(?P<high>-?\d+))?)"
    r"|(?P<theme>theme=(?P<word>[\w-]+))|(?P<length>moves(?P<than>!=|<=|>=|=|<|>)(?P<least>\d+)(\.\.(?P<most>\d+))?)"
    r"|(?P<mate>mate=(?P<moves>\d))|(?P<best>(?P<whether>best|bad)=(?P<kind>\w{2,}|(?P<men>\[\w+\]|\w)(@(?P<where>[\w-]+))?))|(?P<quiet>quiet)|(?P<only>only)"
    r"|(?P<hold>hold)|(?P<convert>convert)"
)
MATE = 10_000
WIN, BALANCE, PLIES, SEARCHED = 200, 60, 15, {"defence", "zugzwang"}
DECIDED, ONLY, QUIET, SLACK, SACRIFICE, MISTAKE, GAIN = 600, 150, 30, 40, 150, 200, 80
WORTH = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 950, chess.KING: 10_000}


def atoms(constraint):
    """The judged conditions of a constraint that stand for the whole of it."""
    flat = re.sub(r"\([^()]*\|[^()]*\)", "", constraint)
    return [match for part in flat.split("&") if "|" not in flat for match in ATOM.finditer(part) if "!" not in part.replace("!=", "")]


def is_sharp(board, move):
    return board.is_capture(move) or move.promotion is not None or board.gives_check(move)


def exchange(board, square):
    """What the side to move wins by taking on a square for as long as that pays."""
    victim = board.piece_at(square)
    takers = [move for move in board.legal_moves if move.to_square == square]
    if victim is None or not takers:
        return 0
    move = min(takers, key=lambda move: WORTH[board.piece_at(move.from_square).piece_type])
    board.push(move)
    gain = WORTH[victim.piece_type] - exchange(board, square)
    board.pop()
    return max(gain, 0)


def given_up(board, move):
    """What a move gives up by exchanges on its square, in centipawns; negative if it wins something."""
    taken = board.piece_at(move.to_square)
    gain = WORTH[taken.piece_type] if taken else 0
    board.push(move)
    lost = exchange(board, move.to_square) - gain
    board.pop()
    return lost


def is_of_kind(atom, board, move):
    """Whether a move is of the kind that best= or bad= names."""
    if atom["men"]:
        goes = not atom["where"] or move.to_square in structures.region(atom["where"])
        return board.piece_at(move.from_square).symbol() in atom["men"] and goes
    return {
        "capture": board.is_capture,
        "check": board.gives_check,
        "quiet": lambda move: not is_sharp(board, move),
        "sacrifice": lambda move: given_up(board, move) >= SACRIFICE,
    }[atom["kind"]](move)


class Judge:
    """An engine that says what positions are worth."""

    def __init__(self, path, nodes):
        self.engine = chess.engine.SimpleEngine.popen_uci(path)
        self.nodes = nodes
        self.game = 0

    def lines(self, board, moves=None, count=1):
        self.game += 1
        found = self.engine.analyse(
            board, chess.engine.Limit(nodes=self.nodes), game=self.game, multipv=count, root_moves=moves
        )
        return [(line["score"].relative, line["pv"][0]) for line in found]

    def score(self, board, moves=None):
        return self.lines(board, moves)[0][0].score(mate_score=MATE)


def distance(atom, score):
    """How far a score is from the window of an eval condition, in centipawns."""
    low, high = int(atom["low"]), int(atom["high"] or atom["low"])
    compare = atom["compare"]
    if compare == "!=":
        return 0 if not low <= score <= high else 1 + min(score - low, high - score)
    low, high = {
        "=": (low, high), "<": (-MATE, low - 1), "<=": (-MATE, low), ">": (low + 1, MATE), ">=": (low, MATE)
    }[compare]
    return max(low - score, score - high, 0)


def success(lines):
    """What the best of two lines achieves, if the other achieves less: "win", "draw" or None."""
    if len(lines) < 2:
        return None
    (best, _), (second, _) = lines
    if best.is_mate() and best.mate() > 0:
        return None if second.is_mate() and 0 < second.mate() <= best.mate() else "win"
    best, second = (max(-DECIDED, min(DECIDED, score.score(mate_score=MATE))) for score in (best, second))
    if best - second < ONLY:
        return None
    if best >= WIN:
        return "win"
    return "draw" if abs(best) <= BALANCE and second <= -ONLY else None


def solution(board, judge):
    """What the first move achieves, and the forced part of the engine's solution."""
    board = board.copy(stack=False)
    lines = judge.lines(board, count=2)
    achieved = success(lines)
    moves = []
    while lines:
        moves.append(lines[0][1])
        mating = lines[0][0].is_mate() and lines[0][0].mate() > 0
        board.push(moves[-1])
        if achieved is None or board.is_game_over() or len(moves) + 2 > PLIES:
            break
        reply = judge.lines(board)[0][1]
        board.push(reply)
        if board.is_game_over():
            break
        lines = judge.lines(board, count=2)
        # A mate is forced to its end, and a single legal move is forced, too.
        if len(lines) > 1 and not mating and success(lines) is None:
            break
        moves.append(reply)
    return achieved, moves


def is_perpetual(board, move, judge):
    """Whether a move and the engine's next moves give eight checks, or a position comes again before."""
    board, seen = board.copy(stack=False), {board.board_fen()}
    for _ in range(8):
        board.push(move)
        if not board.is_check() or board.is_game_over():
            return False
        board.push(judge.lines(board)[0][1])
        if board.is_game_over():
            return False
        if board.board_fen() in seen:
            return True
        seen.add(board.board_fen())
        move = judge.lines(board)[0][1]
    return True


def lead(board):
    """How far the side to move is ahead in men, in centipawns."""
    worth = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}
    return sum(
        value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
        for kind, value in worth.items()
    )


def themes(record, moves, program):
    """The themes that the program sees in a solution of the position of a record."""
    before = chess.Board(record["root"])
    *others, last = record["moves"]
    for move in others:
        before.push_uci(move)
    row = f"FEN,Moves\n{before.fen()},{' '.join([last, *(move.uci() for move in moves)])}\n"
    found = subprocess.run([program, "solve", "-"], input=row, capture_output=True, text=True, check=True)
    return json.loads(found.stdout)["themes"]


def verdict_on_solution(atom, record, judge, program):
    """Whether a condition on the solution holds, and what the engine says."""
    board = chess.Board(record["fen"])
    if atom["convert"]:
        quiet, _, words = verdict(ATOM.match("quiet"), board, judge)
        score = judge.score(board)
        return quiet and score >= WIN and lead(board) >= 100, False, f"{score} centipawns, {words}"
    achieved, moves = solution(board, judge)
    words = f"{achieved}: {' '.join(move.uci() for move in moves)}"
    if achieved is None:
        return False, False, words
    if atom["hold"]:
        return achieved == "draw" and lead(board) <= -100 and not board.is_capture(moves[0]), False, words
    if atom["length"]:
        least, most, number = int(atom["least"]), int(atom["most"] or atom["least"]), (len(moves) + 1) // 2
        holds = {
            "=": least <= number <= most, "!=": not least <= number <= most, "<": number < least,
            "<=": number <= least, ">": number > least, ">=": number >= least,
        }[atom["than"]]
        return holds, False, words
    if atom["word"] == "perpetual":
        return achieved == "draw" and is_perpetual(board, moves[0], judge), False, words
    if atom["word"] in SEARCHED:
        return achieved == "draw" or atom["word"] == "zugzwang", False, words
    shown = themes(record, moves, program)
    return atom["word"] in shown, False, f"{words} shows {', '.join(shown) or 'nothing'}"


def verdict(atom, board, judge):
    """Whether a condition holds; for eval also whether it nearly does; and what the engine says."""
    if atom["eval"]:
        score = judge.score(board)
        if not atom["mover"] and board.turn == chess.BLACK:
            score = -score
        off = distance(atom, score)
        return off == 0, off <= SLACK, f"{score} centipawns"
    if atom["mate"]:
        score, _ = judge.lines(board)[0]
        return score == chess.engine.Mate(int(atom["moves"])), False, str(score)
    if atom["only"]:
        lines = judge.lines(board, count=2)
        if len(lines) < 2:
            return False, False, "one legal move"
        best, second = (max(-DECIDED, min(DECIDED, score.score(mate_score=MATE))) for score, _ in lines)
        return best - second >= ONLY, False, f"{best} and {second} centipawns"
    if atom["quiet"]:
        sharp = [move for move in board.legal_moves if is_sharp(board, move)]
        calm = [move for move in board.legal_moves if not is_sharp(board, move)]
        if board.is_check() or not calm:
            return False, False, "check, or no quiet move"
        gain = judge.score(board, sharp) - judge.score(board, calm) if sharp else 0
        return gain <= QUIET, False, f"captures, promotions and checks gain {gain}"
    score, move = judge.lines(board)[0]
    if atom["whether"] == "best":
        return is_of_kind(atom, board, move), False, str(move)
    tried = [move for move in board.legal_moves if is_of_kind(atom, board, move)]
    if atom["kind"] == "capture":
        tried = [move for move in tried if -given_up(board, move) >= GAIN]
    if not tried:
        return False, False, "no such move"
    best, worse = (
        max(-DECIDED, min(DECIDED, score.score(mate_score=MATE))) for score in (score, judge.lines(board, tried)[0][0])
    )
    return best - worse >= MISTAKE, False, f"{best} and {worse} centipawns"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="JSON lines; standard input without any")
    parser.add_argument("--engine", required=True, help="a UCI engine")
    parser.add_argument("--program", default="entente", help="Entente, which names the themes of solutions (entente)")
    parser.add_argument("--nodes", type=int, default=200_000, help="nodes of each search (200000)")
    arguments = parser.parse_args()
    counts = collections.defaultdict(lambda: [0, 0, 0])
    judge = Judge(arguments.engine, arguments.nodes)
    try:
        for line in fileinput.input(arguments.files):
            record = json.loads(line)
            if record["outcome"] != "found":
                continue
            board = chess.Board(record["fen"])
            for atom in atoms(record["constraint"]):
                if atom["theme"] or atom["length"] or atom["hold"] or atom["convert"]:
                    holds, nearly, words = verdict_on_solution(atom, record, judge, arguments.program)
                else:
                    holds, nearly, words = verdict(atom, board, judge)
                count = counts[atom[0]]
                count[0] += 1
                count[1] += holds
                count[2] += holds or nearly
                if not holds:
                    print(f"{atom[0]}: {record['fen']}: {words}", file=sys.stderr)
    finally:
        judge.engine.quit()
    if not counts:
        sys.exit("check_judged: no found position has such a condition")
    for atom, (all_of_them, held, near) in counts.items():
        more = f", {near} within {SLACK} centipawns" if atom.startswith("eval") else ""
        print(f"{atom:20} {held} of {all_of_them} ({held / all_of_them:.0%}){more}")
    sys.exit(any(held < all_of_them for all_of_them, held, _ in counts.values()))


if __name__ == "__main__":
    main()
