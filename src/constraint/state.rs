//! Conditions on the state of the game beside the men: castling rights, check, its end, its players.

use std::fmt::{self, Display, Formatter};

use shakmaty::{CastlingSide, Chess, Color, File, Piece, Position, Rank, Role, Square};

use super::IntegerRange;

/// Which rights to castle are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Castling {
    /// The rights, in the order of [`RIGHTS`].
    pub rights: [bool; 4],
    /// True if others may be held too.
    pub at_least: bool,
}

/// The four rights, as FENs name them.
pub const RIGHTS: [(char, Color, CastlingSide); 4] = [
    ('K', Color::White, CastlingSide::KingSide),
    ('Q', Color::White, CastlingSide::QueenSide),
    ('k', Color::Black, CastlingSide::KingSide),
    ('q', Color::Black, CastlingSide::QueenSide),
];

/// Where the king and the rook stand that have the right to castle on `wing`.
pub(crate) fn homes(color: Color, wing: CastlingSide) -> [(Square, Piece); 2] {
    let rank = color.fold_wb(Rank::First, Rank::Eighth);
    let file = if wing == CastlingSide::KingSide { File::H } else { File::A };
    [(File::E, Role::King), (file, Role::Rook)]
        .map(|(file, role)| (Square::from_coords(file, rank), role.of(color)))
}

/// Which king is in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// This one.
    Of(Color),
    /// One of them: that of the side to move.
    Any,
    /// None.
    None,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is checkmated.
    Checkmate,
    /// It is stalemated.
    Stalemate,
}

/// How strong the players are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The player; `None` for both.
    pub player: Option<Color>,
    /// The rating.
    pub range: IntegerRange<i16>,
}

impl Castling {
    /// True if it holds in `position`.
    pub fn holds(self, position: &Chess) -> bool {
        RIGHTS.into_iter().zip(self.rights).all(|((_, color, side), wanted)| {
            let held = position.castles().has(color, side);
            held == wanted || (held && self.at_least)
        })
    }
}

impl Check {
    /// True if it holds in `position`.
    pub fn holds(self, position: &Chess) -> bool {
        match self {
            Check::Of(color) => position.is_check() && position.turn() == color,
            Check::Any => position.is_check(),
            Check::None => !position.is_check(),
        }
    }
}

impl End {
    /// True if it holds in `position`.
    pub fn holds(self, position: &Chess) -> bool {
        match self {
            End::Checkmate => position.is_checkmate(),
            End::Stalemate => position.is_stalemate(),
        }
    }
}

impl Display for Castling {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.at_least { "castling>=" } else { "castling=" })?;
        if self.rights == [false; 4] {
            return f.write_str("none");
        }
        let held = RIGHTS.into_iter().zip(self.rights).filter(|(_, held)| *held);
        held.map(|((letter, ..), _)| letter).try_for_each(|letter| write!(f, "{letter}"))
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let whose = match self {
            Check::Of(color) => name(*color),
            Check::Any => "any",
            Check::None => "none",
        };
        write!(f, "check={whose}")
    }
}

impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
        })
    }
}

impl Display for Rating {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.player {
            None => write!(f, "elo={}", self.range),
            Some(color) => write!(f, "{}.elo={}", name(color), self.range),
        }
    }
}

/// `white` or `black`.
pub(super) fn name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn rights_are_exact_unless_others_are_allowed() {
        let white_short = position("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
        let holds = |rights, at_least| Castling { rights, at_least }.holds(&white_short);
        assert!(holds([true, false, false, true], false) && holds([true, false, false, false], true));
        assert!(!holds([true, false, false, false], false) && !holds([true, true, false, true], true));
        assert!(holds([false; 4], true) && !holds([false; 4], false));
    }

    #[test]
    fn only_the_side_to_move_can_be_in_check_or_mated() {
        let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert!(Check::Of(Color::Black).holds(&mated) && Check::Any.holds(&mated));
        assert!(!Check::Of(Color::White).holds(&mated) && !Check::None.holds(&mated));
        assert!(End::Checkmate.holds(&mated) && !End::Stalemate.holds(&mated));
        assert!(End::Stalemate.holds(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")));
        assert!(Check::None.holds(&Chess::default()));
    }
}
