//! The rules, and what one of them says of a diagram.

use std::fmt;

/// Why no game from the initial position comes to a diagram.
///
/// Displays the reason, a sentence without its full stop.
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

/// The rules that refuse diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Each side has one king, and they do not stand side by side.
    Kings,
    /// No side has more than 16 men, or more than 8 pawns.
    Men,
    /// No pawn stands on the first or the eighth rank.
    PawnRank,
    /// Men beyond the initial ones were promoted, each from a pawn that is missing.
    Promotions,
    /// Who has the right to castle has never moved king or rook.
    CastlingRights,
    /// Behind a pawn that has just gone two squares there is nobody, and the other side is to move.
    EnPassant,
    /// Only the side to move is in check, and a last move gave the check.
    Check,
    /// Men come out only where men that never moved let them.
    ShutIn,
    /// Pawns go forward, and none starts on another's square.
    PawnWays,
    /// Every capture of a pawn takes a man of the other side.
    PawnCaptures,
    /// Whose turn it is follows where all men that can have moved change colour, or place, with every move.
    Parity,
    /// Somebody moved last, unless the position is the initial one.
    LastMove,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 12] = [
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
        Rule::Parity,
        Rule::LastMove,
    ];

    /// The rule's name for programs, which stays the same.
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
            Rule::Parity => "parity",
            Rule::LastMove => "last-move",
        }
    }
}
