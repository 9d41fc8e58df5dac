//! The rules, and the reason why one of them refuses a diagram.

use std::fmt;

/// Why no game from the initial position reaches a diagram.
///
/// It displays as the reason, a sentence without its full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The rule that refuses the diagram.
    pub rule: Rule,
    reason: String,
}

impl Illegal {
    pub(super) fn because(rule: Rule, reason: impl Into<String>) -> Illegal {
        Illegal { rule, reason: reason.into() }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Illegal {}

/// The rules that refuse diagrams. Each variant states what holds in every legal diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Each side has one king, and the kings are not adjacent.
    Kings,
    /// No side has more than 16 men or more than 8 pawns.
    Men,
    /// No pawn stands on the first or the eighth rank.
    PawnRank,
    /// Men beyond the initial ones were promoted, each from a pawn that is missing.
    Promotions,
    /// A castling right needs the king and the rook on their initial squares.
    CastlingRights,
    /// After a double step, the squares behind the pawn are empty, and the other side is to move.
    EnPassant,
    /// Only the side to move is in check, and some last move gave the check.
    Check,
    /// No man has passed men that never moved.
    ShutIn,
    /// Every pawn came from an initial square of its own.
    PawnWays,
    /// Every capture by a pawn took a man of the other side.
    PawnCaptures,
    /// Some order of captures and promotions gets the pawns past each other.
    PawnOrder,
    /// If the diagram determines whether each side has made an odd or even number of moves, the right side is to move.
    Parity,
    /// Some last move is possible, unless the position is the initial one.
    LastMove,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 13] = [
        Rule::Kings,
        Rule::Men,
        Rule::PawnRank,
        Rule::Promotions,
        Rule::CastlingRights,
        Rule::EnPassant,
        Rule::Check,
        Rule::ShutIn,
        Rule::PawnWays,
        Rule::PawnCaptures,
        Rule::PawnOrder,
        Rule::Parity,
        Rule::LastMove,
    ];

    /// The stable name of the rule in machine-readable output.
    pub const fn word(self) -> &'static str {
        match self {
            Rule::Kings => "kings",
            Rule::Men => "men",
            Rule::PawnRank => "pawn-rank",
            Rule::Promotions => "promotions",
            Rule::CastlingRights => "castling-rights",
            Rule::EnPassant => "en-passant",
            Rule::Check => "check",
            Rule::ShutIn => "shut-in",
            Rule::PawnWays => "pawn-ways",
            Rule::PawnCaptures => "pawn-captures",
            Rule::PawnOrder => "pawn-order",
            Rule::Parity => "parity",
            Rule::LastMove => "last-move",
        }
    }
}
