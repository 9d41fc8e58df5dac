//! How far the men are from where a theme occurs. Games are led by it, and searches are saved while games are played.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

use super::Theme;

impl Theme {
    /// About how many moves the men are away from a short solution of `solver` with this theme: the king stands
    /// elsewhere, has squares to flee to, or a piece is far away. 0 for themes that may occur anywhere; `None` if men
    /// are missing that the theme needs. It is a rule of thumb: long solutions, and those with promotions, may differ.
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
            Theme::Promotion | Theme::Underpromotion => men.pawn_moves(),
            _ => Some(0),
        }
    }
}

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

    fn own(&self) -> Bitboard {
        self.board.by_color(self.solver.other())
    }

    /// The squares around the king that men of its own do not take.
    fn flights(&self) -> u32 {
        (attacks::king_attacks(self.king) & !self.own()).count() as u32
    }

    /// The squares before a king on its back rank that men of its own do not take, except one.
    fn missing_shield(&self) -> u32 {
        let before = self.solver.fold_wb(Rank::Seventh, Rank::Second);
        let shield = attacks::king_attacks(self.king) & Bitboard::from(before);
        ((shield & !self.own()).count() as u32).saturating_sub(1)
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
            (Theme::Fork, "7k/8/8/8/p7/8/8/6K1", Color::Black, Some(0)),
        ] {
            let men: Board = board.parse().unwrap();
            assert_eq!(theme.remoteness(&men, solver), expected, "{theme} {board}");
        }
    }
}
