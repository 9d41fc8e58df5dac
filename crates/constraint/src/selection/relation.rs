//! Relations between two sets of men.

use shakmaty::{Bitboard, Board, Color};

use super::{Kinds, lines, moves::attacks_from};

/// A relation between the men of one set and the men, or squares, of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The members of the second set that a man of the first attacks, or protects if it is of the same side.
    Attacks,
    /// The men of the first set that attack at least two members of the second.
    Forks,
    /// The members of the second set that a bishop, rook or queen of the first would attack if one other man were not
    /// in the way.
    Xray,
    /// The men of the first set that alone shield a man of the second set, of the same side, from an enemy bishop, rook
    /// or queen.
    Shields,
}

impl Relation {
    /// All relations, with the words for them.
    pub const ALL: [(&str, Relation); 4] = [
        ("attacks", Relation::Attacks),
        ("forks", Relation::Forks),
        ("xray", Relation::Xray),
        ("shields", Relation::Shields),
    ];

    /// The word for the relation.
    pub fn name(self) -> &'static str {
        let named = Relation::ALL.iter().find(|(_, relation)| *relation == self);
        named.expect("every relation has a word").0
    }

    /// The relation with this word, in upper or lower case.
    pub fn named(word: &str) -> Option<Relation> {
        Relation::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, relation)| *relation)
    }

    /// The kinds of men that the relation may find, given those of the two sets.
    pub(super) fn kinds(self, [first, second]: [Kinds; 2]) -> Kinds {
        match self {
            Relation::Attacks | Relation::Xray => second,
            Relation::Forks | Relation::Shields => first,
        }
    }

    /// What the relation finds on `board` in two sets of squares.
    pub(super) fn of(self, [first, second]: [Bitboard; 2], board: &Board) -> Bitboard {
        if first.is_empty() || second.is_empty() {
            return Bitboard::EMPTY;
        }
        match self {
            Relation::Attacks => second & attacks_from(first, board),
            Relation::Forks => {
                let forks = |square: &_| (board.attacks_from(*square) & second).more_than_one();
                first.into_iter().filter(forks).collect()
            }
            Relation::Xray => second & lines::through(first, board),
            Relation::Shields => {
                let mut found = Bitboard::EMPTY;
                for color in Color::ALL {
                    for behind in second & board.by_color(color) {
                        found |= first & lines::shields(board, behind, color);
                    }
                }
                found
            }
        }
    }
}
