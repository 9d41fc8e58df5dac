//! How far the men are from where a theme occurs. Games are led by it, and searches are saved while games are played.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

use super::Theme;

impl Theme {
    /// About how many moves the men are away from a short solution of `solver` with this theme: the king stands
    /// elsewhere, has squares to flee to, a piece is far away, or there are too many men for a stalemate or a zugzwang. 0 for
    /// themes that may occur anywhere; `None` if men are missing that the theme needs. It is a rule of thumb: long solutions,
    /// and those with promotions, may differ.
    pub fn remoteness(self, board: &Board, solver: Color) -> Option<u32> {
        let king = board.king_of(solver.other())?;
        let men = Men { board, solver, king };
        let majors = men.of(Role::Rook) | men.of(Role::Queen);
        match self {
            Theme::BackRank => majors.any().then(|| men.steps_to_back_rank() + men.missing_shield()),
            Theme::Smothered => Some(men.flights() + men.knight_moves()?),
            Theme::Arabian => men.of(Role::Rook).any().then_some(men.steps_to_corner() + men.knight_moves()?),
            Theme::Anastasia => majors.any().then_some(men.steps_to_edge() + men.knight_moves()?),
            Theme::Hook => {
                (men.of(Role::Rook).any() && men.of(Role::Pawn).any()).then_some(men.knight_moves()?)
            }
            Theme::Boden | Theme::DoubleBishop => {
                men.of(Role::Bishop).more_than_one().then_some(men.flights() / 2)
            }
            Theme::Dovetail => men.of(Role::Queen).any().then_some(men.flights() / 2),
            Theme::Epaulette => men.of(Role::Queen).any().then(|| men.steps_to_edge()),
            Theme::Promotion => men.pawn_moves(),
            Theme::Underpromotion => men.moves_to_underpromotion(),
            Theme::ExchangeSacrifice => men.moves_to_exchange(),
            Theme::DoubleCheck => men.moves_to_discovery(),
            Theme::Perpetual => Some(men.cover() + if men.of(Role::Queen).any() { 0 } else { 2 }),
            Theme::Stalemate => Some(men.mobile().saturating_sub(1).min(MANY)),
            Theme::Zugzwang => Some(men.pieces_of_enemy().saturating_sub(1).min(MANY)),
            _ => Some(0),
        }
    }
}

/// Men that stand in the way of a theme count at most as this number of moves, because each move may do without them.
const MANY: u32 = 3;

/// The men of the solver, and the king that is attacked.
struct Men<'a> {
    board: &'a Board,
    solver: Color,
    king: Square,
}

impl Men<'_> {
    fn of(&self, role: Role) -> Bitboard {
        self.board.by_piece(role.of(self.solver))
    }

    fn enemies(&self) -> Bitboard {
        self.board.by_color(self.solver.other())
    }

    /// The squares around the king that men of its own do not take.
    fn flights(&self) -> u32 {
        (attacks::king_attacks(self.king) & !self.enemies()).count() as u32
    }

    /// The squares before a king on its back rank that men of its own do not take, except one.
    fn missing_shield(&self) -> u32 {
        let before = self.solver.fold_wb(Rank::Seventh, Rank::Second);
        let shield = attacks::king_attacks(self.king) & Bitboard::from(before);
        ((shield & !self.enemies()).count() as u32).saturating_sub(1)
    }

    fn steps_to_back_rank(&self) -> u32 {
        self.king.rank().distance(self.solver.fold_wb(Rank::Eighth, Rank::First))
    }

    fn steps_to_edge(&self) -> u32 {
        let (file, rank) = self.king.coords();
        let (file, rank) = (u32::from(file), u32::from(rank));
        file.min(7 - file).min(rank).min(7 - rank)
    }

    fn steps_to_corner(&self) -> u32 {
        Bitboard::CORNERS.into_iter().map(|corner| corner.distance(self.king)).min().unwrap_or(0)
    }

    /// How many moves the nearest knight needs until it is next to the king or two squares away; `None` without a knight.
    fn knight_moves(&self) -> Option<u32> {
        let away = |knight: Square| knight.distance(self.king).saturating_sub(2).div_ceil(2);
        self.of(Role::Knight).into_iter().map(away).min()
    }

    /// The pawns next to the enemy's king, beyond the first.
    fn cover(&self) -> u32 {
        let beside = attacks::king_attacks(self.king) & self.enemies() & self.board.pawns();
        (beside.count() as u32).saturating_sub(1)
    }

    /// The solver's men, other than the king, that can move.
    fn mobile(&self) -> u32 {
        let forward = |pawn: Square| pawn.offset(self.solver.fold_wb(8, -8));
        let is_free = |square: &Square| match self.board.role_at(*square) {
            Some(Role::Pawn) => forward(*square).is_some_and(|to| self.board.role_at(to).is_none()),
            role => role != Some(Role::King),
        };
        self.board.by_color(self.solver).into_iter().filter(is_free).count() as u32
    }

    fn pieces_of_enemy(&self) -> u32 {
        (self.enemies() & !self.board.pawns() & !self.board.kings()).count() as u32
    }

    /// How many moves it takes until a man of the solver stands between the king and a bishop, rook or queen of the
    /// solver; `None` if there is none of these.
    fn moves_to_discovery(&self) -> Option<u32> {
        let solver = self.board.by_color(self.solver);
        let away = |slider: Square| {
            let piece = self.board.piece_at(slider)?;
            if !matches!(piece.role, Role::Bishop | Role::Rook | Role::Queen) {
                return None;
            }
            // A slider that is not on a line with the king needs a move, and so does the man between them.
            if !attacks::attacks(slider, piece, Bitboard::EMPTY).contains(self.king) {
                return Some(2);
            }
            let between = attacks::between(slider, self.king) & self.board.occupied();
            let (own, others) = ((between & solver).count() as u32, (between & !solver).count() as u32);
            Some(others + own.abs_diff(1))
        };
        solver.into_iter().filter_map(away).min()
    }

    /// How many moves it takes until a rook attacks a bishop or knight; `None` if there is none.
    fn moves_to_exchange(&self) -> Option<u32> {
        let minors = self.enemies() & (self.board.knights() | self.board.bishops());
        let rooks = self.of(Role::Rook);
        let meets = |rook: Square| (self.board.attacks_from(rook) & minors).any();
        (minors.any() && rooks.any()).then(|| u32::from(!rooks.into_iter().any(meets)))
    }

    /// How many moves it takes until a pawn is two moves from promotion, where a knight would attack the king, or a queen
    /// may stalemate it, because the enemy has nothing else to move; `None` without a pawn.
    fn moves_to_underpromotion(&self) -> Option<u32> {
        let last = self.solver.fold_wb(Rank::Eighth, Rank::First);
        let others = self.enemies().count() as u32 - 1;
        let away = |pawn: Square| {
            let knight = Square::from_coords(pawn.file(), last);
            let reached = attacks::king_attacks(knight) & Bitboard::from(last) | Bitboard::from(knight);
            let steps = |square: Square| {
                attacks::knight_attacks(square).into_iter().map(|near| near.distance(self.king)).min()
            };
            let king = reached.into_iter().filter_map(steps).min().unwrap_or(0);
            pawn.rank().distance(last).saturating_sub(2) + king.min(others).min(2)
        };
        self.of(Role::Pawn).into_iter().map(away).min()
    }

    /// How many moves the pawn that is farthest forward needs until it is three moves from promotion; `None` without a
    /// pawn.
    fn pawn_moves(&self) -> Option<u32> {
        let last = self.solver.fold_wb(Rank::Eighth, Rank::First);
        let away = |pawn: Square| pawn.rank().distance(last).saturating_sub(3);
        self.of(Role::Pawn).into_iter().map(away).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_men_and_the_king_decide_how_far_a_theme_is() {
        for (theme, board, solver, expected) in [
            (Theme::BackRank, "6k1/5ppp/8/8/8/8/5PPP/R5K1", Color::White, Some(0)),
            (Theme::BackRank, "6k1/5ppp/8/8/8/8/5PPP/B5K1", Color::White, None),
            (Theme::BackRank, "6k1/5p2/8/8/8/8/5PPP/R5K1", Color::White, Some(1)),
            (Theme::BackRank, "8/5ppk/8/8/8/8/5PPP/R5K1", Color::White, Some(1)),
            (Theme::BackRank, "r5k1/8/8/8/8/8/5PPP/6K1", Color::Black, Some(0)),
            (Theme::Smothered, "6rk/6pp/8/6N1/8/8/8/6K1", Color::White, Some(1)),
            (Theme::Smothered, "7k/8/8/6N1/8/8/8/6K1", Color::White, Some(4)),
            (Theme::Smothered, "7k/8/8/6B1/8/8/8/6K1", Color::White, None),
            (Theme::Boden, "2kr4/3p4/8/8/5B2/8/4B3/6K1", Color::White, Some(1)),
            (Theme::Boden, "2kr4/8/8/8/5B2/8/4B3/6K1", Color::Black, None),
            (Theme::Arabian, "7k/8/5N2/8/8/8/8/R5K1", Color::White, Some(0)),
            (Theme::Arabian, "8/8/5k2/8/8/3N4/8/R5K1", Color::White, Some(3)),
            (Theme::Arabian, "7k/8/5N2/8/8/8/8/Q5K1", Color::White, None),
            (Theme::Promotion, "7k/8/8/8/P7/8/8/6K1", Color::White, Some(1)),
            (Theme::Promotion, "7k/8/8/P7/8/8/8/6K1", Color::White, Some(0)),
            (Theme::Promotion, "7k/8/8/8/p7/8/8/6K1", Color::Black, Some(0)),
            (Theme::Underpromotion, "k7/2P5/8/8/8/8/6pp/6K1", Color::White, Some(1)),
            (Theme::Underpromotion, "k7/2P5/8/8/8/8/8/6K1", Color::White, Some(0)),
            (Theme::Underpromotion, "8/k1P5/8/8/8/8/8/6K1", Color::White, Some(0)),
            (Theme::Underpromotion, "8/8/8/6k1/2P5/8/8/6K1", Color::White, Some(2)),
            (Theme::Underpromotion, "8/8/6p1/6k1/2P5/8/8/6K1", Color::White, Some(3)),
            (Theme::ExchangeSacrifice, "4k3/8/8/4N3/2n5/8/8/2R3K1", Color::White, Some(0)),
            (Theme::ExchangeSacrifice, "4k3/8/8/4N3/2n5/8/8/4R1K1", Color::White, Some(1)),
            (Theme::ExchangeSacrifice, "4k3/8/8/4N3/2n5/8/8/4R1K1", Color::Black, None),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/4R1K1", Color::White, Some(0)),
            (Theme::DoubleCheck, "4k3/4n3/8/4N3/8/8/8/4R1K1", Color::White, Some(1)),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/3R2K1", Color::White, Some(2)),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/6K1", Color::White, None),
            (Theme::Perpetual, "6k1/5ppp/8/8/8/8/8/Q5K1", Color::White, Some(2)),
            (Theme::Perpetual, "6k1/5p2/8/8/8/8/8/R5K1", Color::White, Some(2)),
            (Theme::Stalemate, "7K/5kq1/8/6pp/6PP/8/5Q2/8", Color::White, Some(0)),
            (Theme::Stalemate, "7K/5kq1/8/6p1/6PP/8/5Q2/8", Color::White, Some(1)),
            (Theme::Zugzwang, "6k1/5p2/8/8/8/8/8/R5K1", Color::White, Some(0)),
            (Theme::Zugzwang, "6kr/5p1n/8/8/8/8/8/R5K1", Color::White, Some(1)),
            (Theme::Fork, "7k/8/8/8/p7/8/8/6K1", Color::Black, Some(0)),
        ] {
            let men: Board = board.parse().unwrap();
            assert_eq!(theme.remoteness(&men, solver), expected, "{theme} {board}");
        }
    }
}
