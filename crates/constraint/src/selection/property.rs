//! Properties of single men.

use shakmaty::{Bitboard, Board, Color, Role};

use super::{
    Kinds, exchange, lines,
    moves::{attacks_from, destinations},
    pawns,
};

/// A property that men have or lack. It depends on the whole board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A pawn without own pawns on the files next to it.
    Isolated,
    /// A pawn with another own pawn on its file.
    Doubled,
    /// A pawn with no enemy pawn ahead of it on its file or on the files next to it.
    Passed,
    /// A pawn that no own pawn can protect, although it is not isolated, and that would be captured by a pawn if it
    /// advanced.
    Backward,
    /// A pawn with an own pawn on a file next to it, at most one rank away.
    Connected,
    /// A pawn that protects an own pawn or is protected by one.
    Chain,
    /// A pawn with an enemy pawn on the square in front of it.
    Locked,
    /// One pawn for each group of pawns on files next to each other.
    Islands,
    /// A man on a square in the other half, or on the fourth rank, that an own pawn protects and no enemy pawn can ever
    /// attack.
    Outpost,
    /// A man on a file without pawns.
    Open,
    /// A man on a file with enemy pawns but no own pawns.
    HalfOpen,
    /// An enemy man attacks it.
    Attacked,
    /// An own man protects it.
    Defended,
    /// An own pawn protects it.
    Supported,
    /// The enemy would win material by an exchange on its square.
    Hanging,
    /// A man that must stay on its line because it shields its king.
    Pinned,
    /// A man that is attacked along a line and has a less valuable man of its side behind it.
    Skewered,
    /// A bishop, rook or queen behind or in front of another that moves along the same file or diagonal.
    Battery,
    /// A piece that hangs and has no safe square.
    Trapped,
    /// The squares to which the men can move.
    Mobility,
}

impl Property {
    /// All properties, with the words for them.
    pub const ALL: [(&str, Property); 20] = [
        ("isolated", Property::Isolated),
        ("doubled", Property::Doubled),
        ("passed", Property::Passed),
        ("backward", Property::Backward),
        ("connected", Property::Connected),
        ("chain", Property::Chain),
        ("locked", Property::Locked),
        ("islands", Property::Islands),
        ("outpost", Property::Outpost),
        ("open", Property::Open),
        ("halfopen", Property::HalfOpen),
        ("attacked", Property::Attacked),
        ("defended", Property::Defended),
        ("supported", Property::Supported),
        ("hanging", Property::Hanging),
        ("pinned", Property::Pinned),
        ("skewered", Property::Skewered),
        ("battery", Property::Battery),
        ("trapped", Property::Trapped),
        ("mobility", Property::Mobility),
    ];

    /// The word for the property.
    pub fn name(self) -> &'static str {
        let named = Property::ALL.iter().find(|(_, property)| *property == self);
        named.expect("every property has a word").0
    }

    /// The property with this word, in upper or lower case.
    pub fn named(word: &str) -> Option<Property> {
        Property::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, property)| *property)
    }

    /// True for properties that only pawns have.
    pub fn is_of_pawns(self) -> bool {
        use Property as P;
        matches!(
            self,
            P::Isolated
                | P::Doubled
                | P::Passed
                | P::Backward
                | P::Connected
                | P::Chain
                | P::Locked
                | P::Islands
        )
    }

    /// The kinds of men that may be left of `inner`.
    pub(crate) fn kinds(self, inner: Kinds) -> Kinds {
        let of = |roles: &[Role]| inner.and(Kinds::of_roles(roles));
        match self {
            Property::Mobility => Kinds::EMPTY_SQUARE,
            Property::Hanging | Property::Pinned => {
                of(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen])
            }
            Property::Skewered => of(&[Role::Rook, Role::Queen, Role::King]),
            Property::Battery => of(&[Role::Bishop, Role::Rook, Role::Queen]),
            Property::Trapped => of(&[Role::Knight, Role::Bishop, Role::Rook, Role::Queen]),
            _ => inner,
        }
    }

    /// The squares on which a man of `color` has a property that squares have. Empty for other properties.
    pub(crate) fn places(self, board: &Board, color: Color) -> Bitboard {
        match self {
            Property::Outpost => pawns::outposts(board, color),
            Property::Open => pawns::open_files(board),
            Property::HalfOpen => pawns::half_open_files(board, color),
            _ => Bitboard::EMPTY,
        }
    }

    /// The men of `men` that have the property on `board`, or the squares that it derives from them.
    pub(super) fn of(self, men: Bitboard, board: &Board) -> Bitboard {
        if men.is_empty() {
            return men;
        }
        let by_side = |of: fn(&Board, Color) -> Bitboard| -> Bitboard {
            let sides = Color::ALL.map(|color| {
                let own = men & board.by_color(color);
                if own.is_empty() { own } else { own & of(board, color) }
            });
            sides[0] | sides[1]
        };
        match self {
            Property::Isolated => by_side(pawns::isolated),
            Property::Doubled => by_side(pawns::doubled),
            Property::Passed => by_side(pawns::passed),
            Property::Backward => by_side(pawns::backward),
            Property::Connected => by_side(pawns::connected),
            Property::Chain => by_side(pawns::chain),
            Property::Locked => by_side(pawns::locked),
            Property::Islands => Color::ALL
                .into_iter()
                .fold(Bitboard::EMPTY, |all, color| all | pawns::islands(men & board.by_color(color))),
            Property::Outpost => by_side(pawns::outposts),
            Property::Open => men & pawns::open_files(board),
            Property::HalfOpen => by_side(pawns::half_open_files),
            Property::Attacked => by_side(|board, color| attacks_of(board, color.other())),
            Property::Defended => by_side(attacks_of),
            Property::Supported => {
                by_side(|board, color| pawns::attacked_by(board.by_piece(Role::Pawn.of(color)), color))
            }
            Property::Hanging => exchange::hanging(men, board),
            Property::Pinned => lines::pinned(men, board),
            Property::Skewered => lines::skewered(men, board),
            Property::Battery => lines::battery(men, board),
            Property::Trapped => exchange::trapped(men, board),
            Property::Mobility => men.into_iter().fold(Bitboard::EMPTY, |all, square| {
                board.piece_at(square).map_or(all, |man| all | destinations(square, man, board))
            }),
        }
    }
}

/// The squares that the men of `color` attack, including those of own men, which they protect.
fn attacks_of(board: &Board, color: Color) -> Bitboard {
    attacks_from(board.by_color(color), board)
}
