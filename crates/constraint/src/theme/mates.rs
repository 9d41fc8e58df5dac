//! Mates by their patterns. Each looks at the last position of a line.

use shakmaty::{Bitboard, Board, Color, File, Piece, Position as _, Rank, Role, Square, attacks};

use super::line::SolutionLine;

/// A mate: the king that is mated, and who mates.
struct Mate<'a> {
    board: &'a Board,
    king: Square,
    mated: Color,
    checkers: Bitboard,
}

fn mate(line: &SolutionLine) -> Option<Mate<'_>> {
    let last = line.last();
    let king = last.board().king_of(last.turn()).filter(|_| line.is_mate())?;
    Some(Mate { board: last.board(), king, mated: last.turn(), checkers: last.checkers() })
}

impl Mate<'_> {
    /// The squares around the king.
    fn around(&self) -> Bitboard {
        attacks::king_attacks(self.king)
    }

    fn own(&self) -> Bitboard {
        self.board.by_color(self.mated)
    }

    /// The man that gives check, if there is only one.
    fn checker(&self) -> Option<(Square, Piece)> {
        let square = self.checkers.single_square()?;
        Some((square, self.board.piece_at(square)?))
    }

    /// The attackers' men of a role.
    fn theirs(&self, role: Role) -> Bitboard {
        self.board.by_piece(role.of(self.mated.other()))
    }

    /// True if the attacker attacks the square; the king does not shield it.
    fn is_covered(&self, square: Square) -> bool {
        let occupied = self.board.occupied().without(self.king);
        self.board.attacks_to(square, self.mated.other(), occupied).any()
    }

    fn is_on_edge(&self) -> bool {
        matches!(self.king.file(), File::A | File::H)
            || matches!(self.king.rank(), Rank::First | Rank::Eighth)
    }
}

/// A rook or queen checks along the king's first rank, and men of its own, none of them attacked, stand on every square
/// before the king.
pub(super) fn back_rank(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let (back, before) = mate.mated.fold_wb((Rank::First, Rank::Second), (Rank::Eighth, Rank::Seventh));
        let shield = mate.around() & Bitboard::from(before);
        mate.king.rank() == back
            && (mate.checkers & Bitboard::from(back)).any()
            && shield.into_iter().all(|square| mate.own().contains(square) && !mate.is_covered(square))
    })
}

/// A knight mates, and men of its own stand on all squares around the king.
pub(super) fn smothered(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let by_knight = (mate.checkers & mate.board.knights()).any();
        by_knight && (mate.around() & !mate.own()).is_empty()
    })
}

/// In the corner, a rook beside the king mates, protected by a knight that also takes the king's other flight.
pub(super) fn arabian(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let Some((square, _)) = mate.checker().filter(|(_, man)| man.role == Role::Rook) else {
            return false;
        };
        let is_corner = Bitboard::CORNERS.contains(mate.king);
        let protects = |knight: Square| {
            let (files, ranks) =
                (knight.file().distance(mate.king.file()), knight.rank().distance(mate.king.rank()));
            attacks::knight_attacks(knight).contains(square) && files == 2 && ranks == 2
        };
        is_corner && mate.around().contains(square) && mate.theirs(Role::Knight).into_iter().any(protects)
    })
}

/// On an edge, a rook or queen checks along the edge, a knight three squares away covers the flights, and a man of its
/// own stands beside the king, off the edge.
pub(super) fn anastasia(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let Some((square, _)) =
            mate.checker().filter(|(_, man)| matches!(man.role, Role::Rook | Role::Queen))
        else {
            return false;
        };
        // Seen from the edge: (along, away) are the coordinates along the edge and away from it.
        let edges = [
            (mate.king.file() == File::A, 1, true),
            (mate.king.file() == File::H, -1, true),
            (mate.king.rank() == Rank::First, 1, false),
            (mate.king.rank() == Rank::Eighth, -1, false),
        ];
        edges.into_iter().any(|(is_there, inward, by_file)| {
            let away = |by: i32| {
                let (files, ranks) = if by_file { (by * inward, 0) } else { (0, by * inward) };
                offset(mate.king, files, ranks)
            };
            let is_along =
                if by_file { square.file() == mate.king.file() } else { square.rank() == mate.king.rank() };
            is_there
                && is_along
                && away(1).is_some_and(|blocked| mate.own().contains(blocked))
                && away(3).is_some_and(|knight| mate.theirs(Role::Knight).contains(knight))
        })
    })
}

/// A rook beside the king mates, protected by a knight that a pawn protects; the knight is next to the king.
pub(super) fn hook(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let Some((square, _)) = mate.checker().filter(|(_, man)| man.role == Role::Rook) else {
            return false;
        };
        let protects = |knight: Square| {
            let pawns = attacks::pawn_attacks(mate.mated, knight) & mate.theirs(Role::Pawn);
            attacks::knight_attacks(knight).contains(square) && mate.around().contains(knight) && pawns.any()
        };
        mate.around().contains(square) && mate.theirs(Role::Knight).into_iter().any(protects)
    })
}

/// Two bishops mate: on crossing diagonals if `crossing`, so that one checks and the other covers the flights;
/// otherwise on neighbouring ones.
pub(super) fn two_bishops(line: &SolutionLine, crossing: bool) -> bool {
    mate(line).is_some_and(|mate| {
        let bishops: Vec<Square> = mate.theirs(Role::Bishop).into_iter().collect();
        let [first, second, ..] = bishops.as_slice() else { return false };
        let flights = mate.around() & !mate.own();
        let by_bishops = |square: Square| {
            let occupied = mate.board.occupied().without(mate.king);
            let theirs = mate.board.attacks_to(square, mate.mated.other(), occupied);
            theirs.any() && (theirs & !mate.theirs(Role::Bishop)).is_empty()
        };
        let side = |bishop: &Square| bishop.file() < mate.king.file();
        let are_crossing = side(first) != side(second);
        (mate.checkers & mate.theirs(Role::Bishop)).any()
            && flights.into_iter().all(by_bishops)
            && are_crossing == crossing
    })
}

/// A queen next to the king mates diagonally, and the two squares behind the king that she does not cover are taken by
/// men of its own.
pub(super) fn dovetail(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let Some((square, _)) = mate.checker().filter(|(_, man)| man.role == Role::Queen) else {
            return false;
        };
        let is_diagonal = square.file() != mate.king.file() && square.rank() != mate.king.rank();
        // The queen also covers what is behind the king.
        let occupied = mate.board.occupied().without(mate.king);
        let covered = attacks::queen_attacks(square, occupied).with(square);
        let left = mate.around() & !covered;
        !mate.is_on_edge()
            && is_diagonal
            && mate.around().contains(square)
            && left.into_iter().all(|flight| mate.own().contains(flight))
    })
}

/// A queen mates along a file or rank, and the two squares beside the king are taken by men of its own.
pub(super) fn epaulette(line: &SolutionLine) -> bool {
    mate(line).is_some_and(|mate| {
        let Some((square, _)) = mate.checker().filter(|(_, man)| man.role == Role::Queen) else {
            return false;
        };
        let beside = |files: i32, ranks: i32| {
            [1, -1].into_iter().all(|by| {
                offset(mate.king, files * by, ranks * by).is_some_and(|square| mate.own().contains(square))
            })
        };
        mate.is_on_edge()
            && (square.file() == mate.king.file() && beside(1, 0)
                || square.rank() == mate.king.rank() && beside(0, 1))
    })
}

/// The square that many files to the right and ranks up; `None` off the board.
fn offset(square: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = i32::from(square.file()) + files;
    let rank = i32::from(square.rank()) + ranks;
    let on_board = |number: i32| (0..8).contains(&number).then_some(number as u32);
    Some(Square::from_coords(File::new(on_board(file)?), Rank::new(on_board(rank)?)))
}
