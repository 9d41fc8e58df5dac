//! Which men of a side were originally pawns, and how many captures each of these pawns needed.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square};

use super::{
    illegal::{Illegal, Rule},
    unmoved::Unmoved,
    ways::{PawnWays, pawn_home},
    words::{self, number, side},
};

/// The number of files, which is also the initial number of pawns of a side.
pub(super) const FILES: usize = 8;

/// A man on the board that was originally a pawn.
pub(super) struct Need {
    /// Its role now: a pawn, or the role to which it promoted.
    pub role: Role,
    /// The square of the pawn. For a promoted man, the squares of all men among which it is one.
    pub squares: Bitboard,
    /// The initial squares of men of this role that can also have reached these squares.
    homes: Bitboard,
    /// The fewest captures with which a pawn becomes this man, by the pawn's initial file.
    pub captures: [u8; FILES],
}

impl Need {
    /// True for two promoted men for which pawns need the same captures.
    pub(super) fn is_like(&self, other: &Need) -> bool {
        self.role != Role::Pawn && other.role != Role::Pawn && self.captures == other.captures
    }
}

/// All men of a side that were originally pawns.
pub(super) struct Needs {
    pub color: Color,
    pub list: Vec<Need>,
    /// The squares on which the side's pawns can have captured.
    pub capture_squares: Bitboard,
}

impl Needs {
    /// The needs of `color`, at most eight.
    ///
    /// # Errors
    /// The reason if there are more than eight, or if the king cannot have reached its square.
    pub(super) fn of(board: &Board, color: Color, unmoved: &Unmoved) -> Result<Needs, Illegal> {
        let ways: [PawnWays; FILES] = std::array::from_fn(|file| PawnWays::of(color, file, unmoved.men));
        let mut capture_squares = Bitboard::EMPTY;
        for (file, ways) in ways.iter().enumerate() {
            if !unmoved.men.contains(pawn_home(color, file)) {
                capture_squares |= ways.capture_squares(color, unmoved.men);
            }
        }
        let mut needs = Needs { color, list: Vec::with_capacity(FILES), capture_squares };
        for square in board.by_piece(Role::Pawn.of(color)) {
            let squares = square.into();
            needs.list.push(Need {
                role: Role::Pawn,
                squares,
                homes: Bitboard::EMPTY,
                captures: ways.map(|way| way.captures(squares)),
            });
        }
        for group in groups(board, color, unmoved) {
            let beyond = group.men.count().saturating_sub(group.homes.count());
            if beyond == 0 {
                continue;
            }
            if group.role == Role::King {
                return Err(stranded_king(board, color, unmoved));
            }
            let last = group.region & Bitboard::from(color.fold_wb(Rank::Eighth, Rank::First));
            let captures = ways.map(|way| way.captures(last));
            for _ in 0..beyond {
                let (role, squares, homes) = (group.role, group.men, group.homes);
                needs.list.push(Need { role, squares, homes, captures });
            }
        }
        if needs.list.len() > FILES { Err(needs.too_many(board, unmoved)) } else { Ok(needs) }
    }

    fn too_many(&self, board: &Board, unmoved: &Unmoved) -> Illegal {
        let promoted: Vec<&Need> = self.list.iter().filter(|need| need.role != Role::Pawn).collect();
        let why = self.why_all_promoted(&promoted, board, unmoved);
        let has = match FILES + promoted.len() - self.list.len() {
            0 => "has all its pawns".to_owned(),
            missing => format!("is missing only {}", number(missing, "pawn")),
        };
        Illegal::because(Rule::ShutIn, format!("{why}; but {} {has}", side(self.color)))
    }

    /// "White's bishop on f4 must have been promoted, because the one from c1 was shut in by the unmoved pawns on b2
    /// and d2".
    pub(super) fn why_all_promoted(&self, promoted: &[&Need], board: &Board, unmoved: &Unmoved) -> String {
        let mut reasons: Vec<String> =
            promoted.iter().map(|need| self.why_promoted(need, promoted, board, unmoved)).collect();
        // Men of one kind follow each other and have the same reason.
        reasons.dedup();
        format!("{}'s {}", side(self.color), reasons.join("; "))
    }

    fn why_promoted(&self, need: &Need, promoted: &[&Need], board: &Board, unmoved: &Unmoved) -> String {
        let same = |other: &&&Need| other.role == need.role && other.squares == need.squares;
        let (standing, many) = (words::standing(need.role, need.squares), need.squares.more_than_one());
        let must = match promoted.iter().filter(same).count() {
            1 if many => {
                format!("{standing} cannot all be original: one must have been promoted")
            }
            some if need.squares.count() > some => {
                format!("{standing}: {some} of them must have been promoted")
            }
            _ => format!("{standing} must have been promoted"),
        };
        let mut others = Board::new().by_piece(need.role.of(self.color)) & !need.homes;
        if let (Role::Bishop, Some(square)) = (need.role, need.squares.first()) {
            others &= if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        }
        let never = |home: Square| {
            if unmoved.men.contains(home) {
                return format!("the one on {home} never moved");
            }
            let walls = unmoved.walls(self.color, need.role, home);
            format!("the one from {home} was shut in by the unmoved {}", words::men(board, walls))
        };
        let others: Vec<String> = others.into_iter().map(never).collect();
        if others.is_empty() { must } else { format!("{must}, because {}", others.join(", and ")) }
    }
}

fn stranded_king(board: &Board, color: Color, unmoved: &Unmoved) -> Illegal {
    let home = color.fold_wb(Square::E1, Square::E8);
    let king = words::standing(Role::King, board.by_piece(Role::King.of(color)));
    let reason = format!(
        "{}'s {king} cannot have got there from {home} past {}",
        side(color),
        unmoved_men(board, unmoved)
    );
    Illegal::because(Rule::ShutIn, reason)
}

/// "the unmoved pawns on b2 and d2".
pub(super) fn unmoved_men(board: &Board, unmoved: &Unmoved) -> String {
    /// The most men that are listed.
    const MAX: usize = 8;
    match unmoved.men.count() {
        0 => "other men".to_owned(),
        1..=MAX => format!("the unmoved {}", words::men(board, unmoved.men)),
        count => format!("the {count} unmoved men"),
    }
}

/// The men of one role in a region within which they can move, and the initial squares of that role in the region.
pub(super) struct Group {
    pub role: Role,
    pub region: Bitboard,
    pub men: Bitboard,
    pub homes: Bitboard,
}

/// A side's pieces, including the king, that may have moved, grouped by role and by the region that they can reach.
pub(super) fn groups(board: &Board, color: Color, unmoved: &Unmoved) -> Vec<Group> {
    const PIECES: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let initial = Board::new();
    let mut groups = Vec::with_capacity(FILES);
    for role in PIECES {
        let men = board.by_piece(role.of(color)) & !unmoved.men;
        let homes = initial.by_piece(role.of(color)) & !unmoved.men;
        let mut left = men | homes;
        while let Some(square) = left.first() {
            let region = unmoved.region(color, role, square);
            groups.push(Group { role, region, men: men & region, homes: homes & region });
            left &= !region;
        }
    }
    groups
}
