//! How far the men are from where a theme occurs. Games are led by it, and searches are saved while games are played.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

use super::Theme;
use crate::Men;

impl Theme {
    /// About how many moves the men are away from a short solution of `solver` with this theme: the king stands
    /// elsewhere, has squares to flee to, a piece is far away, or there are too many men for a stalemate or a zugzwang. 0 for
    /// themes that may occur anywhere; `None` if men are missing that the theme needs. It is a rule of thumb: in real puzzles
    /// it is usually 0 or 1, but more if solutions are long or promote a pawn.
    pub fn remoteness(self, board: &Board, solver: Color) -> Option<u32> {
        let king = board.king_of(solver.other())?;
        let men = Outlook { board, solver, king };
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
            Theme::Dovetail => men.of(Role::Queen).any().then_some(men.flights() / 4),
            Theme::Epaulette => men.of(Role::Queen).any().then(|| men.steps_to_edge()),
            Theme::Promotion => men.pawn_moves(),
            Theme::Underpromotion => men.moves_to_underpromotion(),
            Theme::Decoy | Theme::Sacrifice => Some(men.missing_attackers()),
            Theme::QueenSacrifice => men.of(Role::Queen).any().then(|| men.missing_attackers()),
            Theme::RookSacrifice => men.of(Role::Rook).any().then(|| men.missing_attackers()),
            Theme::MinorSacrifice => {
                (men.of(Role::Knight) | men.of(Role::Bishop)).any().then(|| men.missing_attackers())
            }
            Theme::ExchangeSacrifice => men.moves_to_exchange(),
            Theme::Trapped => Some(men.least_room()?.saturating_sub(2)),
            Theme::DoubleCheck => men.moves_to_discovery(),
            Theme::Perpetual => Some(men.men_to_lose() + u32::from(men.of(Role::Queen).is_empty())),
            Theme::Stalemate => {
                let obstacles = men.mobile().saturating_sub(1) + men.safe_flights(solver).saturating_sub(1);
                Some(obstacles + men.men_to_lose())
            }
            Theme::Zugzwang => Some(men.obstacles_to_zugzwang()),
            _ => Some(0),
        }
    }
}

/// The men of the solver, and the king that is attacked.
struct Outlook<'a> {
    board: &'a Board,
    solver: Color,
    king: Square,
}

impl Outlook<'_> {
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

    /// How many more pieces, up to two, are needed to attack the king or a square next to it.
    fn missing_attackers(&self) -> u32 {
        let zone = attacks::king_attacks(self.king).with(self.king);
        let pieces = self.board.by_color(self.solver) & !self.board.pawns() & !self.board.kings();
        let attackers = pieces.into_iter().filter(|piece| (self.board.attacks_from(*piece) & zone).any());
        2u32.saturating_sub(attackers.count() as u32)
    }

    /// 1 if the solver is not behind in men and must first fall behind, otherwise 0.
    fn men_to_lose(&self) -> u32 {
        u32::from(Men::on(self.board).lead(self.solver) >= 0)
    }

    /// The squares next to the king of `side` to which it can move.
    fn safe_flights(&self, side: Color) -> u32 {
        let Some(king) = self.board.king_of(side) else { return 0 };
        let free = attacks::king_attacks(king) & !self.board.by_color(side);
        let others = self.board.occupied().without(king);
        let is_safe = |square: &Square| self.board.attacks_to(*square, side.other(), others).is_empty();
        free.into_iter().filter(is_safe).count() as u32
    }

    /// The fewest safe squares that any piece of the enemy can move to, plus one if the piece is not attacked; `None`
    /// without a piece. A square is safe if no man worth as much or less attacks it, or if the piece takes one that is
    /// worth as much there.
    fn least_room(&self) -> Option<u32> {
        // The squares that men of a class or a lower one attack. The king counts as a queen.
        let mut attacked = [Bitboard::EMPTY; 4];
        for square in self.board.by_color(self.solver) {
            let class = self.board.role_at(square).map_or(0, class).min(3);
            let reached = self.board.attacks_from(square);
            attacked[class..].iter_mut().for_each(|attacked| *attacked |= reached);
        }
        let room = |piece: Square| {
            let own = self.board.role_at(piece).map_or(0, class);
            let is_worth_it = |square| self.board.role_at(square).is_some_and(|taken| class(taken) >= own);
            let reached = self.board.attacks_from(piece) & !self.enemies() & !self.board.kings();
            let is_safe = |square: &Square| !attacked[own].contains(*square) || is_worth_it(*square);
            reached.into_iter().filter(is_safe).count() as u32 + u32::from(!attacked[3].contains(piece))
        };
        let pieces = self.enemies() & !self.board.pawns() & !self.board.kings();
        pieces.into_iter().map(room).min()
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

    /// The enemy's pieces, its pawns that can move, and a third of its king's squares, beyond two in total, or half of
    /// them if they are many; plus the solver's queens, and the lead of either side beyond three pawns, because then more
    /// than one move wins.
    fn obstacles_to_zugzwang(&self) -> u32 {
        let enemy = self.solver.other();
        let pieces = self.enemies() & !self.board.pawns() & !self.board.kings();
        let before = (self.enemies() & self.board.pawns()).shift(self.solver.fold_wb(-8, 8));
        let men = (pieces.count() + (before & !self.board.occupied()).count()) as u32;
        let free = men + self.safe_flights(enemy) / 3;
        let lead = Men::on(self.board).lead(self.solver).unsigned_abs();
        let too_many = self.of(Role::Queen).count() as u32 + lead.saturating_sub(3);
        free.saturating_sub(2).min(free.div_ceil(2)) + too_many
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

    /// 0 if a rook of the solver attacks a bishop or knight, otherwise 2; `None` if one of these is missing.
    fn moves_to_exchange(&self) -> Option<u32> {
        let minors = self.enemies() & (self.board.knights() | self.board.bishops());
        let rooks = self.of(Role::Rook);
        let meets = |rook: Square| (self.board.attacks_from(rook) & minors).any();
        (minors.any() && rooks.any()).then(|| if rooks.into_iter().any(meets) { 0 } else { 2 })
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

/// 0 for a pawn, 1 for a knight or bishop, 2 for a rook, 3 for a queen, 4 for a king.
fn class(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 3,
        Role::King => 4,
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
            (Theme::ExchangeSacrifice, "4k3/8/8/4N3/2n5/8/8/4R1K1", Color::White, Some(2)),
            (Theme::ExchangeSacrifice, "4k3/8/8/4N3/2n5/8/8/4R1K1", Color::Black, None),
            (Theme::QueenSacrifice, "6k1/5ppp/8/8/8/3B4/8/4R1K1", Color::White, None),
            (Theme::QueenSacrifice, "6k1/5ppp/8/8/8/3B4/3Q4/4R1K1", Color::White, Some(1)),
            (Theme::QueenSacrifice, "6k1/5ppp/8/8/8/3B4/4Q3/4R1K1", Color::White, Some(1)),
            (Theme::RookSacrifice, "6k1/5ppp/8/8/8/3B4/3Q4/6K1", Color::White, None),
            (Theme::MinorSacrifice, "6k1/5pp1/8/8/8/3B4/3Q4/5RK1", Color::White, Some(0)),
            (Theme::Decoy, "6k1/5ppp/8/8/8/8/8/R5K1", Color::White, Some(2)),
            // The bishop has no square, and the knight on the edge three, since a king is worth more than a knight.
            (Theme::Trapped, "4k3/8/8/8/8/1P6/b1P5/1K6", Color::White, Some(0)),
            (Theme::Trapped, "4k3/8/8/8/8/8/7n/6K1", Color::White, Some(1)),
            (Theme::Trapped, "4k3/8/8/8/4n3/8/8/6K1", Color::White, Some(7)),
            (Theme::Trapped, "4k3/8/8/8/8/8/8/6K1", Color::White, None),
            // A king takes no square from a rook.
            (Theme::Trapped, "4k3/8/8/8/8/8/8/6Kr", Color::White, Some(5)),
            (Theme::Dovetail, "8/8/2k5/8/8/8/8/Q5K1", Color::White, Some(2)),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/4R1K1", Color::White, Some(0)),
            (Theme::DoubleCheck, "4k3/4n3/8/4N3/8/8/8/4R1K1", Color::White, Some(1)),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/3R2K1", Color::White, Some(2)),
            (Theme::DoubleCheck, "4k3/8/8/4N3/8/8/8/6K1", Color::White, None),
            (Theme::Perpetual, "6k1/5ppp/8/8/8/8/8/Q5K1", Color::White, Some(1)),
            (Theme::Perpetual, "r5k1/r4ppp/8/8/8/8/8/Q5K1", Color::White, Some(0)),
            (Theme::Perpetual, "r5k1/r4ppp/8/8/8/8/8/R5K1", Color::White, Some(1)),
            (Theme::Stalemate, "7K/5kq1/8/6pp/6PP/8/5Q2/8", Color::White, Some(1)),
            (Theme::Stalemate, "7K/5kq1/8/6p1/6PP/8/5Q2/8", Color::White, Some(2)),
            (Theme::Stalemate, "7K/5kq1/8/6pp/6PP/8/8/8", Color::White, Some(0)),
            (Theme::Stalemate, "8/5k2/q7/6pp/4K1PP/8/8/8", Color::White, Some(5)),
            // The king has one square, or eight and a pawn that can move.
            (Theme::Zugzwang, "1k6/1P6/2K5/8/8/8/8/8", Color::White, Some(0)),
            (Theme::Zugzwang, "8/8/3k4/1p4p1/6P1/P2K4/8/8", Color::White, Some(1)),
            (Theme::Zugzwang, "6k1/5p2/6p1/8/8/8/8/R5K1", Color::White, Some(1)),
            (Theme::Zugzwang, "6kr/5p1n/8/8/8/8/8/R5K1", Color::White, Some(2)),
            // A queen is one too many, and so is each pawn by which a side is ahead by more than three.
            (Theme::Zugzwang, "k7/8/1K6/8/8/8/8/7Q", Color::White, Some(7)),
            (Theme::Zugzwang, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Color::White, Some(9)),
            (Theme::Fork, "7k/8/8/8/p7/8/8/6K1", Color::Black, Some(0)),
        ] {
            let men: Board = board.parse().unwrap();
            assert_eq!(theme.remoteness(&men, solver), expected, "{theme} {board}");
        }
    }
}
