"""The sets of men and squares of the constraint language, a second time, from docs/constraints.md.

It works square by square, with python-chess, and shares no idea with the bitboards of crates/constraint/src/selection.
A set is a function from a board to squares. verify_games.py reads the text and builds the sets with `men`, `PROPERTIES`
and `RELATIONS`.
"""

import chess

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 1000}
LINE_PIECES = (chess.BISHOP, chess.ROOK, chess.QUEEN)


def on_board(file, rank):
    return 0 <= file < 8 and 0 <= rank < 8


def region(where):
    """The squares of a region: f5, a-c, 2-4, c3-f6 or a name. ValueError if there is no such region."""
    lower = where.lower()
    coordinates = {square: (chess.square_file(square), chess.square_rank(square)) for square in chess.SQUARES}
    named = {
        "light": lambda file, rank: (file + rank) % 2 == 1,
        "dark": lambda file, rank: (file + rank) % 2 == 0,
        "kingside": lambda file, rank: file >= 4,
        "queenside": lambda file, rank: file < 4,
        "centre": lambda file, rank: file in (3, 4) and rank in (3, 4),
        "center": lambda file, rank: file in (3, 4) and rank in (3, 4),
        "edge": lambda file, rank: file in (0, 7) or rank in (0, 7),
        "rim": lambda file, rank: file in (0, 7) or rank in (0, 7),
    }
    if lower in named:
        return {square for square, place in coordinates.items() if named[lower](*place)}
    first, _, last = where.partition("-")
    last = last or first

    def bounds(text):
        """The lowest and highest file and rank that a square, a file or a rank allows."""
        if len(text) == 2:
            square = chess.parse_square(text)
            return (chess.square_file(square),) * 2 + (chess.square_rank(square),) * 2
        if len(text) == 1 and text in "abcdefgh":
            return (ord(text) - ord("a"),) * 2 + (0, 7)
        if len(text) == 1 and text in "12345678":
            return (0, 7) + (int(text) - 1,) * 2
        raise ValueError(f"no region {where!r}")

    low, high = bounds(first), bounds(last)
    if len(first) != len(last) or low[0] > high[1] or low[2] > high[3] or first[0].isdigit() != last[0].isdigit():
        raise ValueError(f"no region {where!r}")
    return {s for s, (file, rank) in coordinates.items() if low[0] <= file <= high[1] and low[2] <= rank <= high[3]}


def men(letters, where=None):
    """The men with one of these letters, or with "-" the empty squares, in a region."""
    squares = chess.SquareSet(chess.BB_ALL) if where is None else region(where)
    wanted = {None if letter == "-" else chess.Piece.from_symbol(letter) for letter in letters}
    return lambda board: {square for square in squares if board.piece_at(square) in wanted}


def pawns_on(board, color, file):
    """The ranks of the pawns on a file as their own side counts them, from 0."""
    if not 0 <= file < 8:
        return []
    ranks = range(8) if color == chess.WHITE else range(7, -1, -1)
    pawn = chess.Piece(chess.PAWN, color)
    return [own for own, rank in enumerate(ranks) if board.piece_at(chess.square(file, rank)) == pawn]


def own_rank(square, color):
    rank = chess.square_rank(square)
    return rank if color == chess.WHITE else 7 - rank


def ahead(square, color):
    """The square in front, or None at the end of the board."""
    rank = chess.square_rank(square) + (1 if color == chess.WHITE else -1)
    return chess.square(chess.square_file(square), rank) if 0 <= rank < 8 else None


def neighbours(board, square, color):
    """The ranks of the own pawns on the files next to that of `square`."""
    file = chess.square_file(square)
    return pawns_on(board, color, file - 1) + pawns_on(board, color, file + 1)


def enemies_ahead(board, square, color, offsets):
    """Whether an enemy pawn stands ahead of `square` on one of the files at these offsets."""
    rank, file = own_rank(square, color), chess.square_file(square)
    return any(7 - enemy > rank for offset in offsets for enemy in pawns_on(board, not color, file + offset))


def pawn_attackers(board, square, color):
    return [s for s in board.attackers(color, square) if board.piece_type_at(s) == chess.PAWN]


def is_isolated(board, square, color):
    return not neighbours(board, square, color)


def is_doubled(board, square, color):
    return len(pawns_on(board, color, chess.square_file(square))) > 1


def is_passed(board, square, color):
    return not enemies_ahead(board, square, color, (-1, 0, 1))


def is_backward(board, square, color):
    beside = neighbours(board, square, color)
    front = ahead(square, color)
    return bool(beside) and min(beside) > own_rank(square, color) and bool(pawn_attackers(board, front, not color))


def is_connected(board, square, color):
    return any(abs(rank - own_rank(square, color)) <= 1 for rank in neighbours(board, square, color))


def is_chain(board, square, color):
    return any(abs(rank - own_rank(square, color)) == 1 for rank in neighbours(board, square, color))


def is_locked(board, square, color):
    return board.piece_at(ahead(square, color)) == chess.Piece(chess.PAWN, not color)


def is_supported(board, square, color):
    return bool(pawn_attackers(board, square, color))


def is_outpost(board, square, color):
    return (
        own_rank(square, color) in (3, 4, 5)
        and is_supported(board, square, color)
        and not enemies_ahead(board, square, color, (-1, 1))
    )


def is_open(board, square, color):
    file = chess.square_file(square)
    return not pawns_on(board, chess.WHITE, file) and not pawns_on(board, chess.BLACK, file)


def is_half_open(board, square, color):
    file = chess.square_file(square)
    return not pawns_on(board, color, file) and bool(pawns_on(board, not color, file))


def gain(board, square, taker):
    """What `taker` wins by an exchange on `square`. The board is changed and restored."""
    victim = board.piece_at(square)
    attackers = [(board.piece_type_at(s), s) for s in board.attackers(taker, square)]
    if not attackers:
        return 0
    role, source = min(attackers)
    man = board.remove_piece_at(source)
    if role == chess.KING and board.attackers(not taker, square):
        won = 0
    else:
        board.set_piece_at(square, man)
        won = max(0, VALUES[victim.piece_type] - gain(board, square, not taker))
        board.set_piece_at(square, victim)
    board.set_piece_at(source, man)
    return won


def hangs(board, square):
    man = board.piece_at(square)
    return man.piece_type != chess.KING and gain(board.copy(stack=False), square, not man.color) > 0


def is_hanging(board, square, color):
    return hangs(board, square)


def destinations(board, square):
    """Where the man on `square` can move if checks, pins, castling and en passant do not count."""
    man = board.piece_at(square)
    if man.piece_type != chess.PAWN:
        return {s for s in board.attacks(square) if board.color_at(s) != man.color}
    reached = {s for s in board.attacks(square) if board.color_at(s) == (not man.color)}
    first = ahead(square, man.color)
    if first is not None and board.piece_at(first) is None:
        reached.add(first)
        second = ahead(first, man.color)
        if own_rank(square, man.color) == 1 and board.piece_at(second) is None:
            reached.add(second)
    return reached


def is_trapped(board, square, color):
    man = board.piece_at(square)
    if man.piece_type in (chess.KING, chess.PAWN) or not hangs(board, square):
        return False
    for to in destinations(board, square):
        after = board.copy(stack=False)
        taken = after.piece_at(to)
        after.remove_piece_at(square)
        after.set_piece_at(to, man)
        if gain(after, to, not color) <= (VALUES[taken.piece_type] if taken else 0):
            return False
    return True


def lines_from(square, role):
    """For each direction in which a man moves any number of steps, the squares from the nearest on."""
    straight = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    directions = {chess.ROOK: straight, chess.BISHOP: diagonal, chess.QUEEN: straight + diagonal}.get(role, [])
    file, rank = chess.square_file(square), chess.square_rank(square)
    for step in directions:
        places = [(file + step[0] * n, rank + step[1] * n) for n in range(1, 8)]
        yield step, [chess.square(*place) for place in places if on_board(*place)]


def men_on(board, squares):
    return [square for square in squares if board.piece_at(square) is not None]


def shields(board, front, behind):
    """Whether the man on `front` alone stands between the man on `behind` and an enemy that attacks along the line."""
    color = board.color_at(behind)
    for step, squares in lines_from(behind, chess.QUEEN):
        found = men_on(board, squares)[:2]
        if len(found) < 2 or found[0] != front or board.color_at(front) != color:
            continue
        attacker = board.piece_at(found[1])
        moves_so = {chess.QUEEN, chess.ROOK if 0 in step else chess.BISHOP}
        if attacker.color != color and attacker.piece_type in moves_so:
            return True
    return False


def is_pinned(board, square, color):
    king = board.king(color)
    return king is not None and square != king and shields(board, square, king)


def is_skewered(board, square, color):
    worth = VALUES[board.piece_type_at(square)]
    for source in chess.SQUARES:
        attacker = board.piece_at(source)
        if attacker is None or attacker.color == color or VALUES[attacker.piece_type] >= worth:
            continue
        for _, squares in lines_from(source, attacker.piece_type):
            found = men_on(board, squares)[:2]
            if len(found) == 2 and found[0] == square and board.color_at(found[1]) == color:
                if VALUES[board.piece_type_at(found[1])] < worth:
                    return True
    return False


def is_battery(board, square, color):
    for step, squares in lines_from(square, board.piece_type_at(square)):
        found = men_on(board, squares)[:1]
        if step[1] == 0 or not found or board.color_at(found[0]) != color:
            continue
        if board.piece_type_at(found[0]) in (chess.QUEEN, chess.ROOK if step[0] == 0 else chess.BISHOP):
            return True
    return False


def kept(test):
    """The property of the men for which `test(board, square, color)` holds."""
    return lambda chosen: lambda board: {s for s in chosen(board) if test(board, s, board.color_at(s))}


def islands(chosen):
    """One pawn for each group of chosen pawns on files next to each other, for each side."""

    def of(board):
        firsts = set()
        for color in chess.COLORS:
            own = [s for s in chosen(board) if board.color_at(s) == color]
            files = {chess.square_file(s) for s in own}
            firsts |= {min(s for s in own if chess.square_file(s) == f) for f in files if f - 1 not in files}
        return firsts

    return of


def mobility(chosen):
    return lambda board: {to for square in chosen(board) for to in destinations(board, square)}


PROPERTIES = {
    "isolated": kept(is_isolated),
    "doubled": kept(is_doubled),
    "passed": kept(is_passed),
    "backward": kept(is_backward),
    "connected": kept(is_connected),
    "chain": kept(is_chain),
    "locked": kept(is_locked),
    "islands": islands,
    "outpost": kept(is_outpost),
    "open": kept(is_open),
    "halfopen": kept(is_half_open),
    "attacked": kept(lambda board, square, color: board.is_attacked_by(not color, square)),
    "defended": kept(lambda board, square, color: board.is_attacked_by(color, square)),
    "supported": kept(is_supported),
    "hanging": kept(is_hanging),
    "pinned": kept(is_pinned),
    "skewered": kept(is_skewered),
    "battery": kept(is_battery),
    "trapped": kept(is_trapped),
    "mobility": mobility,
}
PAWNS_ONLY = {"isolated", "doubled", "passed", "backward", "connected", "chain", "locked", "islands"}
PLACES = {"outpost", "open", "halfopen"}


def attacks(first, second):
    return lambda board: {s for s in second(board) if any(s in board.attacks(man) for man in first(board))}


def forks(first, second):
    return lambda board: {man for man in first(board) if len(set(board.attacks(man)) & second(board)) >= 2}


def xray(first, second):
    def of(board):
        seen = set()
        for man in first(board):
            for _, squares in lines_from(man, board.piece_type_at(man)):
                blockers = men_on(board, squares)
                if blockers:
                    end = squares.index(blockers[1]) if len(blockers) > 1 else len(squares)
                    seen |= set(squares[squares.index(blockers[0]) + 1 : end + 1])
        return seen & second(board)

    return of


def shielding(first, second):
    return lambda board: {f for f in first(board) if any(shields(board, f, b) for b in second(board) if b != f)}


RELATIONS = {"attacks": attacks, "forks": forks, "xray": xray, "shields": shielding}
