#!/usr/bin/env python3
"""Replays generated games with python-chess, a library that Entente does not use.

    entente generate "(1,2,1,1,7)" --count 20 --format pgn | checks/verify_games.py
    checks/verify_games.py games.pgn more.pgn

A game is legal if every move is, none is played after the game has ended (by checkmate, stalemate, insufficient
material, 75 moves or fivefold repetition), and its last position is the one that the tag FinalFEN gives. It is
satisfied if the constraint in the tag Constraint holds for that position. The last line counts them; the exit
status is 0 only if there is a game and all are legal and satisfied. Faulty games are named by number, counted
from 1 over all input, on standard error.

What only search can tell (eval, quiet, only, best, bad, theme, moves, hold, convert, puzzle, wdl) is taken for
granted; checks/check_judged.py and measure_exercises.py ask an engine. Mates are proved here, too.

The constraint language is implemented here a second time, from docs/constraints.md, on purpose.
"""

import argparse
import io
import logging
import re
import sys

import stories
import structures

try:
    import chess
    import chess.pgn
except ModuleNotFoundError:
    sys.exit("verify_games: python-chess is missing; python3 -m pip install -r scripts/requirements.txt")

SETS = "|".join(structures.PROPERTIES) + "|" + "|".join(structures.RELATIONS)
NAMED = "light|dark|kingside|queenside|centre|center|edge|rim"
WHERE = (
    rf"(?:(?i:{NAMED}|{'|'.join(structures.PLACES)})\b|[a-h][1-8]-[a-h][1-8]|[a-h][1-8]|[a-h]-[a-h](?![\w@])"
    r"|[1-8]-[1-8]|[a-h](?!\w)|[1-8])"
)
TOKEN = re.compile(
    r"\s*((?i:fen)\s*=\s*[^\s&|,)(!]+|(?i:theme)\s*=\s*[\w-]+"
    r"|(?i:opening|begins)\s*=\s*(?:\"[^\"]*\"|'.*?'(?![a-zA-Z]))"
    r"|(?i:eco)\s*=\s*\w+(?:\s*\.\.\s*\w+)?"
    r"|(?i:(?:white\.|black\.)?castled)\s*=\s*\w*"
    rf"|(?:[KQRBNPkqrbnp-]|\[[KQRBNPkqrbnp\s]+\])\s*@\s*{WHERE}"
    r"|\[[KQRBNPkqrbnp\s]+\]"
    r"|(?i:material|castling|check|turn)\s*>?=\s*\w*"
    rf"|(?i:(?:(?:white|black)\.)?majority|bishops|open(?=\s*=)|(?:(?:white|black)\.)?halfopen(?=\s*=))\s*=\s*{WHERE[:-1]}|\w+)"
    r"|(?i:(?:white\.|black\.)?elo|eval(?:\.mover)?|wdl(?:\.white)?|win|draw|loss|checkmate|stalemate|mate|ply|legal|captures|black|mirror|flip|shift|earlier|then|quiet|only|puzzle|moves|hold|convert|best|bad|capture|sacrifice|check)\b"
    rf"|(?i:{SETS})\b"
    r"|\.\.|!=|<=|>=|[0-9]+|\S)"
)
MOVE_KIND = re.compile(
    rf"(?i:capture|check|quiet|sacrifice)|([KQRBNPkqrbnp]|\[[KQRBNPkqrbnp\s]+\])(\s*@\s*(?!(?i:{'|'.join(structures.PLACES)})\b){WHERE})?"
)
COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}
DEEPEST = 64
MAX_MEN, MAX_PLIES, MAX_ELO, MAX_CENTIPAWNS, MAX_RATING = 99, 1000, 4000, 10_000, 5000
LONGEST_MATE, MAX_SOLUTION, MAX_LEGAL = 5, 20, 218
SIDE = "QRBNP"
RIGHTS = {"K": chess.BB_H1, "Q": chess.BB_A1, "k": chess.BB_H8, "q": chess.BB_A8}


class ConstraintError(ValueError):
    """The text is not a constraint."""


class Situation:
    """What a condition is asked of: a position of a story, and its number of plies for conditions on the length."""

    def __init__(self, board, ply, story=None, place=None):
        self.board = board
        self.ply = ply
        # The game that is known of a board are its own moves.
        self.story = story or stories.Story.of(board.root(), board.move_stack)
        self.place = len(self.story.moves) if place is None else place
        placement = board.board_fen()
        self.counts = {letter: placement.count(letter) for letter in SIDE + SIDE.lower()}

    @staticmethod
    def all_of(root, moves):
        """The situations of a game."""
        story = stories.Story.of(root, moves)
        return [Situation(board, place, story, place) for place, board in enumerate(story.boards)]

    def mapped(self, function, swaps):
        """The same game on other boards."""
        story = self.story.mapped(function, swaps)
        return Situation(story.boards[self.place], self.ply, story, self.place)

    def earlier(self):
        """The situations before this one."""
        for place in range(self.place):
            ply = self.ply - (self.place - place)
            yield self.story.situation(place, lambda: Situation(self.story.boards[place], ply, self.story, place))


class Constraint:
    """A parsed constraint; call it with a board and the plies from the root."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.next = 0
        self.depth = 0
        self.ratings = 0
        self.judged = 0
        self.negated = False
        self.test = self._any()
        if self._peek() is not None:
            raise ConstraintError(f"unexpected {self._peek()!r} in {text!r}")

    def __call__(self, board, ply=0):
        return self.test(Situation(board, ply))

    def _peek(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def _take(self, expected=None):
        token = self._peek()
        if token is None or (expected is not None and token not in expected):
            raise ConstraintError(f"expected {expected or 'more'}, found {token!r}")
        self.next += 1
        return token

    def _any(self):
        ratings = self.ratings
        parts = [self._sequence()]
        while self._peek() == "|":
            self._take()
            parts.append(self._sequence())
        if len(parts) > 1:
            self._refuse_ratings_since(ratings)
        return lambda at: any(part(at) for part in parts)

    def _sequence(self):
        ratings, judged = self.ratings, self.judged
        test = self._all()
        while (self._peek() or "").lower() == "then":
            self._take()
            before = self._earlier(test, ratings, judged)
            ratings, judged = self.ratings, self.judged
            last = self._all()
            test = lambda at, before=before, last=last: before(at) and last(at)
        return test

    def _earlier(self, test, ratings, judged):
        self._refuse_ratings_since(ratings)
        if self.judged > judged:
            raise ConstraintError("a search decides only conditions on the last position")
        known = {}

        def holds(at):
            """Whether the test holds there; the same earlier positions are asked about again and again."""
            key = (at.story, at.place)
            if key not in known:
                known[key] = test(at)
            return known[key]

        return lambda at: any(holds(before) for before in at.earlier())

    def _all(self):
        parts = [self._unary()]
        while self._peek() not in (None, "|", ")") and self._peek().lower() != "then":
            if self._peek() in ("&", ","):
                self._take()
            parts.append(self._unary())
        return lambda at: all(part(at) for part in parts)

    def _refuse_ratings_since(self, ratings):
        if self.ratings > ratings:
            raise ConstraintError("a rating stands under '!' or '|'")

    def _unary(self):
        if self._peek() in ("!", "(") and self.depth == DEEPEST:
            raise ConstraintError(f"more than {DEEPEST} nested parentheses and '!'")
        self.depth += 1
        test = self._unary_within()
        self.depth -= 1
        return test

    def _unary_within(self):
        token = self._take()
        if token == "!":
            ratings = self.ratings
            self.negated = not self.negated
            inner = self._unary()
            self.negated = not self.negated
            self._refuse_ratings_since(ratings)
            return lambda at: not inner(at)
        if token.lower() == "black":
            self._take(["("])
            return self._tuple(SIDE.lower())
        if token.lower() == "mirror":
            self._take(["("])
            start, ratings = self.next, self.ratings
            inner = self._any()
            self._refuse_ratings_since(ratings)
            self._refuse_first_moves(start)
            self._take([")"])
            return lambda at: inner(at.mapped(chess.Board.mirror, True))
        if token.lower() == "earlier":
            self._take(["("])
            ratings, judged = self.ratings, self.judged
            inner = self._earlier(self._any(), ratings, judged)
            self._take([")"])
            return inner
        if token.lower() in ("flip", "shift"):
            self._take(["("])
            start, ratings = self.next, self.ratings
            inner = self._any()
            self._refuse_ratings_since(ratings)
            text = self.tokens[start : self.next]
            self._take([")"])
            if token.lower() == "shift":
                return shifted(text)
            self._refuse_first_moves(start)
            if any(re.match(r"(white\.|black\.)?cast", part.lower()) for part in text):
                raise ConstraintError("castling has no flipped image")
            return lambda at: inner(at.mapped(lambda board: board.transform(chess.flip_horizontal), False))
        if token == "(":
            if (self._peek() or "").isdecimal():
                return self._tuple(SIDE)
            inner = self._any()
            self._take([")"])
            return inner
        word, equals, value = (part.strip() for part in token.partition("="))
        if equals and word.lower() in ("opening", "begins", "eco", "castled", "white.castled", "black.castled"):
            return of_the_game(word.lower(), value)
        if "@" in token:
            men, where = (part.strip() for part in token.split("@"))
            if where.lower() not in structures.PLACES and self._peek() not in COMPARISONS | {"-"}:
                return square(men, where)
        if "@" in token or word.lower() in structures.PROPERTIES | structures.RELATIONS and not equals:
            self.next -= 1
            return self._tally()
        if equals and word.lower().split(".")[-1] in ("open", "halfopen", "majority", "bishops"):
            return shorthand(word.lower(), value)
        if word.lower() == "fen" and equals:
            return diagram(value)
        if word.lower() == "material" and equals:
            return material(value)
        if word.lower().startswith("castling") and equals:
            return castling(value, word.endswith(">"))
        if word.lower() == "check" and equals:
            return check(value.lower())
        if word.lower() == "turn" and equals:
            return turn(value.lower())
        if word.lower() == "checkmate":
            return lambda at: at.board.is_checkmate()
        if word.lower() == "stalemate":
            return lambda at: at.board.is_stalemate()
        if word.lower() == "captures":
            holds = self._comparison()
            return lambda at: holds(at.story.men - len(at.board.piece_map()))
        if word.lower() == "legal":
            holds = self._comparison(MAX_LEGAL)
            return lambda at: holds(at.board.legal_moves.count())
        if word.lower() == "ply":
            holds = self._comparison(MAX_PLIES)
            return lambda at: holds(at.ply)
        if word.lower() in ("quiet", "only", "hold", "convert") or word.lower() == "theme" and equals:
            return self._judged()
        if word.lower() == "moves":
            self._comparison(MAX_SOLUTION)
            return self._judged()
        if word.lower() in ("wdl", "wdl.white"):
            self._take(["="])
            if self._peek().lower() not in ("win", "draw", "loss"):
                raise ConstraintError(f"expected win, draw or loss, found {self._peek()!r}")
            self.next += 1
            return self._judged()
        if word.lower() in ("eval", "eval.mover"):
            self._comparison(MAX_CENTIPAWNS)
            return self._judged()
        if word.lower() == "puzzle":
            self._comparison(MAX_RATING)
            return self._judged()
        if word.lower() in ("best", "bad"):
            self._take(["="])
            if not MOVE_KIND.fullmatch(self._peek() or ""):
                raise ConstraintError(f"expected a kind of move, found {self._peek()!r}")
            self.next += 1
            return self._judged()
        if word.lower() == "mate":
            self._take(["="])
            moves = self._integer(LONGEST_MATE)
            if moves < 1:
                raise ConstraintError(f"expected 1 to {LONGEST_MATE} moves, found {moves}")
            return lambda at: mates_within(at.board, moves) and not mates_within(at.board, moves - 1)
        if word.lower().endswith("elo"):
            # A wish for the game, which no position breaks.
            if self._peek() != "=":
                raise ConstraintError("expected '=' and a rating")
            self.ratings += 1
            if "-" in self.tokens[self.next + 1 : self.next + 2]:
                raise ConstraintError("a rating is not negative")
            self._comparison(MAX_ELO)
            return lambda at: True
        return self._count(token)

    def _refuse_first_moves(self, start):
        tokens = self.tokens[start : self.next]
        if any(re.match(r"(opening|begins|eco)\s*=", token.lower()) for token in tokens):
            raise ConstraintError("openings and first moves have no image")

    def _judged(self):
        """What only search can tell: as it is best for the whole constraint."""
        self.judged += 1
        holds = not self.negated
        return lambda at: holds

    def _tuple(self, letters):
        wanted = {}
        for letter in letters:
            if wanted:
                self._take([","])
            wanted[letter] = self._integer(MAX_MEN)
        self._take([")"])
        return lambda at: all(at.counts[letter] == number for letter, number in wanted.items())

    def _tally(self):
        """The number of men or squares in a set, or the difference between two such numbers."""
        plus, minus = self._set()[0], None
        if self._peek() == "-":
            self._take()
            minus = self._set()[0]
        if minus is None and self._peek() not in COMPARISONS:
            return lambda at: bool(plus(at.board))
        holds = self._comparison()
        return lambda at: holds(len(plus(at.board)) - (len(minus(at.board)) if minus else 0))

    def _set(self):
        """A function from a board to squares, and the letters of the men on them, or "-" for squares."""
        token = self._take()
        word = token.lower()
        if word in structures.PROPERTIES:
            self._take(["("])
            inner, kinds = self._set()
            self._take([")"])
            if kinds == "-" or word in structures.PAWNS_ONLY and set(kinds) - set("Pp"):
                raise ConstraintError(f"{word} of {kinds}")
            return structures.PROPERTIES[word](inner), "-" if word == "mobility" else kinds
        if word in structures.RELATIONS:
            self._take(["("])
            first, kinds = self._set()
            self._take([","])
            second, others = self._set()
            self._take([")"])
            if kinds == "-" or word == "shields" and others == "-":
                raise ConstraintError(f"{word} of squares")
            return structures.RELATIONS[word](first, second), others if word in ("attacks", "xray") else kinds
        kinds, at, where = (part.strip() for part in token.partition("@"))
        kinds = kinds if kinds == "-" else letters(kinds)
        if set(kinds) - set(SIDE + SIDE.lower() + "Kk-") or (kinds == "-" and not at):
            raise ConstraintError(f"expected men, found {token!r}")
        if where.lower() in structures.PLACES:
            if kinds == "-":
                raise ConstraintError(f"expected squares, found {where!r}")
            return structures.PROPERTIES[where.lower()](structures.men(kinds)), kinds
        try:
            return structures.men(kinds, where if at else None), kinds
        except ValueError as error:
            raise ConstraintError(str(error)) from None

    def _count(self, piece):
        rest = self.tokens[self.next : self.next + 2]
        if rest[:1] == ["-"] and ("@" in rest[-1] or rest[-1].lower() in structures.PROPERTIES | structures.RELATIONS):
            self.next -= 1
            return self._tally()
        plus, minus = letters(piece), ""
        if self._peek() == "-":
            self._take()
            minus = letters(self._take())
        if set(plus + minus) - set(SIDE + SIDE.lower()):
            raise ConstraintError(f"expected piece letters, found {plus!r} and {minus!r}")
        holds = self._comparison()
        return lambda at: holds(
            sum(at.counts[letter] for letter in plus) - sum(at.counts[letter] for letter in minus)
        )

    def _comparison(self, most=MAX_MEN):
        operator = self._take(["=", "!=", "<", "<=", ">", ">="])
        low = high = self._integer(most)
        if operator in ("=", "!="):
            if self._peek() == "..":
                self._take()
                high = self._integer(most)
            if low > high:
                raise ConstraintError(f"the range {low}..{high} is upside down")
            return lambda number: (low <= number <= high) == (operator == "=")
        return {
            "<": lambda number: number < low,
            "<=": lambda number: number <= low,
            ">": lambda number: number > low,
            ">=": lambda number: number >= low,
        }[operator]

    def _integer(self, most):
        token = self._take()
        sign = 1
        if token == "-":
            sign, token = -1, self._take()
        if not token.isdecimal():
            raise ConstraintError(f"expected a number, found {token!r}")
        if int(token) > most:
            raise ConstraintError(f"expected a number up to {most}, found {token}")
        return sign * int(token)


def of_the_game(word, value):
    """A condition on castling, the opening or the first moves."""
    try:
        if word == "opening":
            test = stories.opening(value[1:-1])
        elif word == "begins":
            test = stories.begins(value[1:-1])
        elif word == "eco":
            codes = [code.strip().upper() for code in value.split("..")]
            test = stories.eco(codes[0], codes[-1])
        else:
            sides = [chess.COLOR_NAMES.index(word.partition(".")[0]) == 1] if "." in word else list(chess.COLORS)
            test = stories.castled(sides, value)
    except ValueError as error:
        raise ConstraintError(str(error)) from None
    return lambda at: test(at.story, at.place)


def letters(men):
    """The letters of a single man, or of a class such as [BN], each once."""
    inside = "".join(men.strip("[]").split())
    if not inside or len(set(inside)) < len(inside) or (len(inside) > 1 and men[0] != "["):
        raise ConstraintError(f"expected piece letters, found {men!r}")
    return inside


def square(men, where):
    """A man, one of a class, or "-" for an empty square, on at least one of the squares named."""
    try:
        squares = structures.region(where)
    except ValueError as error:
        raise ConstraintError(str(error)) from None
    wanted = [None if man == "-" else chess.Piece.from_symbol(man) for man in letters(men)]
    return lambda at: any(at.board.piece_at(s) in wanted for s in squares)


def shorthand(word, value):
    """What `open=d`, `white.halfopen=a-c`, `majority=queenside` and `bishops=opposite` mean."""
    sides = [chess.COLOR_NAMES.index(word.partition(".")[0]) == 1] if "." in word else None
    name = word.split(".")[-1]
    try:
        squares = structures.region(value) if name != "bishops" else set()
    except ValueError as error:
        raise ConstraintError(str(error)) from None

    def pawns(board, color, among):
        return len(board.pieces(chess.PAWN, color) & chess.SquareSet(among))

    if name == "majority":
        own = sides[0] if sides else chess.WHITE
        return lambda at: pawns(at.board, own, squares) > pawns(at.board, not own, squares)
    if name == "bishops":
        if value.lower() not in ("opposite", "same"):
            raise ConstraintError(f"expected opposite or same, found {value!r}")

        def bishops(at):
            found = [list(at.board.pieces(chess.BISHOP, color)) for color in chess.COLORS]
            if [len(bishops) for bishops in found] != [1, 1]:
                return False
            light = [bool(chess.BB_SQUARES[bishop[0]] & chess.BB_LIGHT_SQUARES) for bishop in found]
            return (light[0] == light[1]) == (value.lower() == "same")

        return bishops
    if not re.fullmatch("[a-h](-[a-h])?", value):
        raise ConstraintError(f"expected a file or files, found {value!r}")
    files = [{s for s in squares if chess.square_file(s) == file} for file in {chess.square_file(s) for s in squares}]
    if name == "open":
        return lambda at: not pawns(at.board, True, squares) and not pawns(at.board, False, squares)

    def is_half_open(board, file, own):
        return pawns(board, own, file) == 0 < pawns(board, not own, file)

    return lambda at: all(any(is_half_open(at.board, file, own) for own in sides or chess.COLORS) for file in files)


def shifted(tokens):
    """The constraint of `tokens` at any place to which its squares can be moved together."""
    if any(re.match(r"castling|fen|earlier|then|(white\.|black\.)?castled", token.lower()) for token in tokens):
        raise ConstraintError("castling rights and diagrams cannot be moved here")

    def moved(token, files, ranks):
        """The token with its squares moved, or None if one leaves the board."""
        men, at, where = token.partition("@")
        if not at:
            return token
        if where.lower().strip() in ("light", "dark"):
            is_light = (where.lower().strip() == "light") != ((files + ranks) % 2 == 1)
            return f"{men}@{'light' if is_light else 'dark'}"
        if not re.fullmatch("[a-h1-8-]+", where.strip()):
            raise ConstraintError(f"{where} cannot be moved")
        parts = []
        for letter in where.strip():
            line = "abcdefgh" if letter in "abcdefgh" else "12345678"
            index = line.find(letter) + (files if letter in "abcdefgh" else ranks) if letter != "-" else 0
            if not 0 <= index < 8:
                return None
            parts.append(letter if letter == "-" else line[index])
        return f"{men}@{''.join(parts)}"

    tests = []
    for files in range(-7, 8):
        for ranks in range(-7, 8):
            place = [moved(token, files, ranks) for token in tokens]
            if None not in place:
                tests.append(Constraint(" ".join(place)).test)
    return lambda at: any(test(at) for test in tests)


def diagram(text):
    """A FEN's piece placement in which each "?" is one square with anything on it."""
    ranks = re.sub(r"[1-8]", lambda digit: "." * int(digit[0]), text).split("/")
    if not all(re.fullmatch(r"[.?KQRBNPkqrbnp]{8}", rank) for rank in ranks) or len(ranks) != 8 or "." in text:
        raise ConstraintError(f"expected eight ranks of eight squares, found {text!r}")
    wanted = {
        chess.square(file, 7 - row): man
        for row, rank in enumerate(ranks)
        for file, man in enumerate(rank)
        if man != "?"
    }

    def holds(at):
        return all(str(at.board.piece_at(s) or ".") == man for s, man in wanted.items())

    return holds


def material(text):
    sides = text.split("v")
    if len(sides) != 2 or any(not re.fullmatch("K[QRBNP]*", side) for side in sides):
        raise ConstraintError(f"expected men such as KRPvKR, found {text!r}")
    white, black = sides
    wanted = {letter: white.count(letter) for letter in SIDE}
    wanted |= {letter.lower(): black.count(letter) for letter in SIDE}
    return lambda at: at.counts == wanted


def castling(text, at_least):
    if not text or text.lower() != "none" and (set(text) - set(RIGHTS) or len(set(text)) < len(text)):
        raise ConstraintError(f"expected none or letters of KQkq, found {text!r}")
    wanted = 0 if text.lower() == "none" else sum(RIGHTS[letter] for letter in text)

    def holds(at):
        held = at.board.clean_castling_rights()
        return held & wanted == wanted if at_least else held == wanted

    return holds


def check(whose):
    if whose not in ("white", "black", "any", "none"):
        raise ConstraintError(f"expected white, black, any or none, found {whose!r}")

    def holds(at):
        if not at.board.is_check():
            return whose == "none"
        return whose in ("any", chess.COLOR_NAMES[at.board.turn])

    return holds


def turn(side):
    if side not in chess.COLOR_NAMES:
        raise ConstraintError(f"expected white or black, found {side!r}")
    return lambda at: chess.COLOR_NAMES[at.board.turn] == side


def mates_within(board, moves):
    """Whether the side to move mates in at most `moves` moves, against any defence."""

    def is_lost(moves):
        if not any(board.legal_moves):
            return board.is_check()
        return moves > 0 and all(after(move, lambda: mates_within(board, moves)) for move in list(board.legal_moves))

    def after(move, test):
        board.push(move)
        holds = test()
        board.pop()
        return holds

    # The last move of a mate gives check.
    attacks = sorted(board.legal_moves, key=board.gives_check, reverse=True)
    attacks = [move for move in attacks if moves > 1 or board.gives_check(move)] if moves > 0 else []
    return any(after(move, lambda: is_lost(moves - 1)) for move in attacks)


def fault_of_moves(game):
    """Why the game is not legal, or None."""
    if game.errors:
        return f"{game.errors[0]}"
    board = game.board()
    if not board.is_valid():
        return f"starts from a position that is not valid: {board.fen()}"
    for ply, move in enumerate(game.mainline_moves(), start=1):
        if not board.is_legal(move):
            return f"ply {ply}, {move.uci()}, is illegal"
        # Draws that a player may claim, and need not, do not end a game.
        if (outcome := board.outcome(claim_draw=False)) is not None:
            return f"ply {ply}, {move.uci()}, is played after the end: {outcome.termination.name.lower()}"
        board.push(move)
    final = game.headers.get("FinalFEN")
    if final is None:
        return "has no tag FinalFEN"
    # En passant squares are written where a capture is legal.
    if board.fen(en_passant="legal") != final:
        return f"ends in {board.fen(en_passant='legal')}, but FinalFEN is {final}"
    return None


def fault_of_constraint(game):
    """Why the last position of a legal game does not satisfy its constraint, or None."""
    text = game.headers.get("Constraint")
    if text is None:
        return "has no tag Constraint"
    # python-chess leaves the backslash before a quote in a tag.
    text = re.sub(r'\\(["\\])', r"\1", text)
    try:
        end = game.end()
        satisfied = Constraint(text)(end.board(), end.ply() - game.ply())
    except ConstraintError as error:
        return f"has a constraint that cannot be read: {error}"
    return None if satisfied else f"does not satisfy {text}"


def read_games(stream):
    """The games of a PGN stream."""
    while (game := chess.pgn.read_game(stream)) is not None:
        yield game


def verify(games, report):
    """Counts games, legal ones and satisfied ones; `report` gets a line for each faulty one."""
    count = legal = satisfied = 0
    for count, game in enumerate(games, start=1):
        fault = fault_of_moves(game)
        if fault is None:
            legal += 1
            # What an illegal game leads to proves nothing, and may not even be a position.
            fault = fault_of_constraint(game)
            satisfied += fault is None
        if fault is not None:
            report(f"game {count}: {fault}")
    return count, legal, satisfied


def main():
    parser = argparse.ArgumentParser(description="Replays generated games with python-chess.")
    parser.add_argument("files", nargs="*", metavar="PGN", help="files to read; standard input without any")
    arguments = parser.parse_args()
    # Its complaints are in game.errors too.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

    def games():
        if not arguments.files:
            yield from read_games(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        for path in arguments.files:
            try:
                with open(path, encoding="utf-8", errors="replace") as stream:
                    yield from read_games(stream)
            except OSError as error:
                sys.exit(f"verify_games: {error}")

    count, legal, satisfied = verify(games(), lambda line: print(line, file=sys.stderr))
    if count == 0:
        print("verify_games: there is no game in the input", file=sys.stderr)
    print(f"{count} games, {legal} legal, {satisfied} satisfied")
    return 0 if count > 0 and legal == satisfied == count else 1


if __name__ == "__main__":
    sys.exit(main())
