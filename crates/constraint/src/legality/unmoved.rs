//! Men that never moved in any game that reaches the diagram.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

use super::ways::{region, steps};

/// The men that never moved.
pub(super) struct Unmoved {
    pub men: Bitboard,
    /// Squares that unmoved men attack at all times, so that a king can never have been there: White's king first.
    guarded: [Bitboard; 2],
}

impl Unmoved {
    /// The unmoved men of `board`. `kept` are kings and rooks that never moved because they have castling rights.
    pub(super) fn of(board: &Board, kept: Bitboard) -> Unmoved {
        let home = at_home(board);
        // Pawns only go forward.
        let men = home & board.pawns() | kept;
        let mut unmoved = Unmoved { men, guarded: guarded(board, men) };
        loop {
            let shut = unmoved.shut_in(board, home & !unmoved.men);
            if shut.is_empty() {
                return unmoved;
            }
            unmoved.men |= shut;
            unmoved.guarded = guarded(board, unmoved.men);
        }
    }

    /// All squares that a man other than a pawn can reach from `from`, if it has moved.
    pub(super) fn region(&self, color: Color, role: Role, from: Square) -> Bitboard {
        let guarded = if role == Role::King { self.guarded[color.fold_wb(0, 1)] } else { Bitboard::EMPTY };
        region(role, from, self.men | guarded)
    }

    /// The unmoved men that confine a man to its region.
    pub(super) fn walls(&self, color: Color, role: Role, from: Square) -> Bitboard {
        steps(role, self.region(color, role, from)) & self.men
    }

    /// The men on their initial squares that can only reach each other's squares.
    ///
    /// No man of their kinds can enter from outside, and as many are inside as at the start, so none was ever captured
    /// there. All these squares were therefore always occupied, and none of the men could make a first move.
    fn shut_in(&self, board: &Board, home: Bitboard) -> Bitboard {
        let mut shut = home;
        loop {
            let stays = |square: &Square| {
                board.piece_at(*square).is_some_and(|man| {
                    let own = shut & board.by_color(man.color);
                    self.region(man.color, man.role, *square).is_subset(own)
                })
            };
            let stay: Bitboard = shut.into_iter().filter(stays).collect();
            if stay == shut {
                return shut;
            }
            shut = stay;
        }
    }
}

/// The men on the initial squares of their kind.
fn at_home(board: &Board) -> Bitboard {
    let initial = Board::new();
    let roles = Role::ALL.into_iter();
    let same = roles.fold(Bitboard::EMPTY, |same, role| same | board.by_role(role) & initial.by_role(role));
    let colors = Color::ALL.into_iter();
    same & colors.fold(Bitboard::EMPTY, |same, color| same | board.by_color(color) & initial.by_color(color))
}

/// The squares that the pawns and kings among `men` attack at all times: first those that White's king can never enter.
fn guarded(board: &Board, men: Bitboard) -> [Bitboard; 2] {
    Color::ALL.map(|color| {
        let enemy = color.other();
        let theirs = men & board.by_color(enemy);
        let pawns = theirs & board.pawns() & Bitboard::from(enemy.fold_wb(Rank::Second, Rank::Seventh));
        let by_pawns = pawns.into_iter().map(|pawn| attacks::pawn_attacks(enemy, pawn));
        let by_king = (theirs & board.kings()).into_iter().map(attacks::king_attacks);
        by_pawns.chain(by_king).fold(Bitboard::EMPTY, |all, attacked| all | attacked)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmoved(placement: &str) -> Bitboard {
        Unmoved::of(&Board::from_ascii_board_fen(placement.as_bytes()).unwrap(), Bitboard::EMPTY).men
    }

    #[test]
    fn behind_unmoved_pawns_only_knights_and_rooks_can_have_moved() {
        let men = unmoved("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let may_have = ["a1", "b1", "g1", "h1", "a8", "b8", "g8", "h8"];
        let may_have: Bitboard = may_have.iter().map(|name| name.parse::<Square>().unwrap()).collect();
        assert_eq!(!men & Board::new().occupied(), may_have);
    }

    #[test]
    fn one_moved_pawn_lets_queen_and_king_out() {
        let men = unmoved("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR");
        assert!(men.contains(Square::C1));
        for square in [Square::D1, Square::E1, Square::F1] {
            assert!(!men.contains(square), "{square}");
        }
    }

    #[test]
    fn with_a_captured_bishop_the_queen_can_have_moved() {
        let men = unmoved("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR");
        assert!(!men.contains(Square::D1));
        assert!(men.contains(Square::F1));
    }
}
