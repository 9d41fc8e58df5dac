//! The legal targets of single men of the side to move.
//!
//! shakmaty generates all legal moves of a position at once. To find the move with a given rank, it is enough to count
//! the moves from the squares before it. A few bitboard operations do that several times as fast.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square,
    attacks::{
        between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, ray, rook_attacks,
    },
};

/// The legal targets in a position of standard chess, for the side to move.
pub(super) struct LegalTargets<'a> {
    position: &'a Chess,
    king: Square,
    /// The men of the side to move.
    ours: Bitboard,
    occupied: Bitboard,
    checkers: Bitboard,
    /// The squares on which a man other than the king stops all checks; all squares if there is no check.
    answers: Bitboard,
    /// Men of the side to move that are pinned to their king.
    pinned: Bitboard,
}

impl<'a> LegalTargets<'a> {
    /// Prepares the targets of a position.
    pub(super) fn new(position: &'a Chess) -> LegalTargets<'a> {
        let (board, turn) = (position.board(), position.turn());
        let king = board.king_of(turn).expect("a position of standard chess has both kings");
        let (ours, occupied, checkers) = (board.by_color(turn), board.occupied(), position.checkers());
        let answers = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => between(king, checker).with(checker),
            (Some(_), true) => Bitboard::EMPTY,
        };
        let lines = rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
            | bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
        let mut pinned = Bitboard::EMPTY;
        for sniper in lines & board.by_color(!turn) {
            let shield = between(king, sniper) & occupied;
            pinned |= if shield.more_than_one() { Bitboard::EMPTY } else { shield & ours };
        }
        LegalTargets { position, king, ours, occupied, checkers, answers, pinned }
    }

    /// The squares of the men of the side to move.
    pub(super) fn origins(&self) -> Bitboard {
        self.ours
    }

    /// The legal targets of the man on `from`, which belongs to the side to move. The target of castling is the king's
    /// (e1–g1).
    pub(super) fn of(&self, from: Square) -> Bitboard {
        match self.role(from) {
            Role::King => self.of_king(),
            _ if self.answers.is_empty() => Bitboard::EMPTY,
            Role::Pawn => self.of_pawn(from),
            Role::Knight => self.allowed(from, knight_attacks(from)),
            Role::Bishop => self.allowed(from, bishop_attacks(from, self.occupied)),
            Role::Rook => self.allowed(from, rook_attacks(from, self.occupied)),
            Role::Queen => self.allowed(from, queen_attacks(from, self.occupied)),
        }
    }

    /// The number of legal moves of the man on `from` to `targets`, some of its legal targets. A promotion counts as
    /// four moves.
    pub(super) fn count(&self, from: Square, targets: Bitboard) -> usize {
        let is_pawn = self.position.board().pawns().contains(from);
        let promotions = if is_pawn { targets & Bitboard::BACKRANKS } else { Bitboard::EMPTY };
        targets.count() + 3 * promotions.count()
    }

    /// The move of the man on `from` to one of its legal targets.
    pub(super) fn to_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Move {
        let (board, role) = (self.position.board(), self.role(from));
        let capture = board.role_at(to);
        match role {
            Role::King if !king_attacks(from).contains(to) => {
                let side = CastlingSide::from_king_side(to > from);
                let rook = self.position.castles().rook(self.position.turn(), side);
                Move::Castle { king: from, rook: rook.expect("castling was among the targets") }
            }
            Role::Pawn if from.file() != to.file() && capture.is_none() => Move::EnPassant { from, to },
            _ => Move::Normal { role, from, capture, to, promotion },
        }
    }

    fn role(&self, from: Square) -> Role {
        self.position.board().role_at(from).expect("a man of the side to move stands there")
    }

    /// The subset of `targets` that are not occupied by men of the same side and do not leave the king in check.
    fn allowed(&self, from: Square, targets: Bitboard) -> Bitboard {
        let safe = if self.pinned.contains(from) { ray(self.king, from) } else { Bitboard::FULL };
        targets & !self.ours & self.answers & safe
    }

    fn of_pawn(&self, from: Square) -> Bitboard {
        let turn = self.position.turn();
        let ahead = |squares: Bitboard| match turn {
            Color::White => Bitboard(squares.0 << 8),
            Color::Black => Bitboard(squares.0 >> 8),
        } & !self.occupied;
        let step = ahead(Bitboard::from_square(from));
        let leap = ahead(step) & Bitboard::from_rank(turn.fold_wb(Rank::Fourth, Rank::Fifth));
        let captures = pawn_attacks(turn, from) & self.occupied;
        let mut targets = self.allowed(from, step | leap | captures);
        if let Some(to) = self.position.maybe_ep_square()
            && pawn_attacks(turn, from).contains(to)
            && self.position.en_passant_moves().contains(&Move::EnPassant { from, to })
        {
            targets.add(to);
        }
        targets
    }

    fn of_king(&self) -> Bitboard {
        let (position, turn) = (self.position, self.position.turn());
        // A sliding piece also attacks the squares behind the king.
        let without_king = self.occupied.without(self.king);
        let mut targets = king_attacks(self.king) & !self.ours;
        for to in targets {
            if position.board().attacks_to(to, !turn, without_king).any() {
                targets.discard(to);
            }
        }
        if self.checkers.is_empty() && position.castles().has_color(turn) {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                // Check the path first, which is rarely free, because generating castling moves costs more than
                // everything else.
                let is_free = (position.castles().path(turn, side) & self.occupied).is_empty();
                if position.castles().has(turn, side) && is_free && !position.castling_moves(side).is_empty()
                {
                    targets.add(side.king_to(turn));
                }
            }
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use shakmaty::{CastlingMode, EnPassantMode, fen::Fen};

    /// All legal moves, from the sets of targets.
    fn moves(position: &Chess) -> Vec<Move> {
        let legal = LegalTargets::new(position);
        let mut moves = Vec::new();
        for from in legal.origins() {
            let targets = legal.of(from);
            let before = moves.len();
            for to in targets {
                let is_promotion =
                    position.board().pawns().contains(from) && Bitboard::BACKRANKS.contains(to);
                let promotions: &[_] = if is_promotion {
                    &[Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)]
                } else {
                    &[None]
                };
                moves.extend(promotions.iter().map(|promotion| legal.to_move(from, to, *promotion)));
            }
            assert_eq!(legal.count(from, targets), moves.len() - before);
        }
        moves
    }

    fn check(position: &Chess) {
        let sorted = |moves: &mut dyn Iterator<Item = Move>| {
            let mut texts: Vec<_> = moves.map(|m| format!("{m:?}")).collect();
            texts.sort();
            texts
        };
        assert_eq!(
            sorted(&mut moves(position).into_iter()),
            sorted(&mut position.legal_moves().into_iter()),
            "{}",
            Fen::from_position(position, EnPassantMode::Always)
        );
    }

    /// Compares with shakmaty in every position of random games that prefer castling, promotions, en passant and king
    /// moves.
    #[test]
    fn moves_are_the_same_as_those_of_shakmaty() {
        let mut random = StdRng::seed_from_u64(5);
        for _ in 0..600 {
            let mut position = Chess::default();
            for _ in 0..160 {
                check(&position);
                let legal = position.legal_moves();
                let is_rare = |m: &&Move| {
                    m.is_en_passant() || m.is_castle() || m.is_promotion() || m.role() == Role::King
                };
                let rare: Vec<Move> = legal.iter().filter(is_rare).copied().collect();
                let some = if !rare.is_empty() && random.random_bool(0.3) { &rare[..] } else { &legal[..] };
                if some.is_empty() {
                    break;
                }
                position.play_unchecked(some[random.random_range(0..some.len())]);
            }
        }
    }

    #[test]
    fn rare_positions_have_their_moves() {
        for fen in [
            // An en passant capture that would expose the king along the rank, and one that stops a check.
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            // A double check, pinned pawns that may advance, capture or neither, and castling through an attack.
            "4k3/8/8/8/8/5n2/8/r3K2R w K - 0 1",
            "7k/8/b6b/1P3P2/2P1P3/3K4/8/3r4 w - - 0 1",
            "r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1",
            "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            check(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap());
        }
    }
}
