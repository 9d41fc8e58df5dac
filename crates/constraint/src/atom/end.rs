//! The end of the game: `checkmate`, `stalemate`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Chess, Position, Role};

use super::{Atom, Condition};
use crate::Situation;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
}

impl End {
    /// True if the game has ended like this in `position`.
    pub fn holds_in(self, position: &Chess) -> bool {
        match self {
            End::Checkmate => position.is_checkmate(),
            End::Stalemate => position.is_stalemate(),
        }
    }
}

impl Condition for End {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_in(situation.position)
    }

    fn in_words(&self) -> String {
        format!("the side to move is {self}d")
    }

    fn mirrored(&self) -> Atom {
        Atom::End(*self)
    }

    fn named_squares(&self, position: &Chess) -> Bitboard {
        match self {
            End::Checkmate => position.our(Role::King),
            End::Stalemate => Bitboard::EMPTY,
        }
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

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Color, fen::Fen};

    use super::*;
    use crate::Check;

    fn holds(condition: impl Condition, fen: &str) -> bool {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        condition.holds(Situation::root(&position))
    }

    #[test]
    fn only_the_side_to_move_can_be_in_check_or_mated() {
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert!(holds(Check::Of(Color::Black), mated) && holds(Check::Any, mated));
        assert!(!holds(Check::Of(Color::White), mated) && !holds(Check::None, mated));
        assert!(holds(End::Checkmate, mated) && !holds(End::Stalemate, mated));
        assert!(holds(End::Stalemate, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
        assert!(Check::None.holds(Situation::root(&Chess::default())));
    }
}
