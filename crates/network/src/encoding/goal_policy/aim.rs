use entente_constraint::{Check, End, KINDS, Men, RIGHTS};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Piece, Position, Role};

/// What a goal-conditioned network sees of a constraint: one way to meet it, as far as numbers, squares and flags can
/// say it.
///
/// A constraint may demand more, such as the length of the game; generation sees to that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// How many men of each of the [`KINDS`] there may be.
    pub counts: [Span; KINDS.len()],
    /// How many more queens, rooks, bishops, knights and pawns White may have than Black.
    pub differences: [Span; 5],
    /// Squares on which this must stand: White's men in the order of [`Role::ALL`], Black's, nothing.
    pub squares: [Bitboard; 13],
    /// Rights to castle, in the order of [`RIGHTS`], that must be held or must not.
    pub castling: [Option<bool>; 4],
    /// Which king is in check.
    pub check: Option<Check>,
    /// Who is to move.
    pub turn: Option<Color>,
    /// How the game has ended.
    pub end: Option<End>,
}

/// The least and the most that a number may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// No limit if `None`.
    pub least: Option<i8>,
    /// No limit if `None`.
    pub most: Option<i8>,
}

impl Span {
    /// Any number.
    pub const FREE: Span = Span { least: None, most: None };

    /// This number only.
    pub fn exactly(number: i8) -> Span {
        Span { least: Some(number), most: Some(number) }
    }

    /// True if there is no limit.
    pub fn is_free(self) -> bool {
        self == Span::FREE
    }

    /// Both limits of either.
    pub fn and(self, other: Span) -> Span {
        let tighter = |ours: Option<i8>, theirs: Option<i8>, choose: fn(i8, i8) -> i8| match (ours, theirs) {
            (Some(ours), Some(theirs)) => Some(choose(ours, theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        Span {
            least: tighter(self.least, other.least, i8::max),
            most: tighter(self.most, other.most, i8::min),
        }
    }

    /// True if `number` is within.
    pub fn contains(self, number: i8) -> bool {
        self.excess(number) == 0
    }

    /// How far `number` is above the most (positive) or below the least (negative).
    pub fn excess(self, number: i8) -> i8 {
        self.most.map_or(0, |most| (number - most).max(0))
            - self.least.map_or(0, |least| (least - number).max(0))
    }
}

impl Aim {
    /// Nothing is demanded: the network then is a plain human policy.
    pub const NONE: Aim = Aim {
        counts: [Span::FREE; KINDS.len()],
        differences: [Span::FREE; 5],
        squares: [Bitboard::EMPTY; 13],
        castling: [None; 4],
        check: None,
        turn: None,
        end: None,
    };

    /// Where in [`Aim::squares`] stands what is wanted of this man, or of nothing.
    pub fn place(man: Option<Piece>) -> usize {
        man.map_or(12, |piece| piece.color.fold_wb(0, 6) + usize::from(piece.role) - 1)
    }

    /// True if nothing is demanded.
    pub fn is_none(&self) -> bool {
        *self == Aim::NONE
    }

    /// True if all of it holds.
    pub fn holds(&self, position: &Chess) -> bool {
        self.holds_for(&Men::on(position.board()))
            && self.squares_left(position) == 0
            && RIGHTS.into_iter().zip(self.castling).all(|((_, color, side), wanted)| {
                wanted.is_none_or(|wanted| position.castles().has(color, side) == wanted)
            })
            && self.turn.is_none_or(|turn| turn == position.turn())
            && self.check.is_none_or(|check| check.holds_in(position))
            && self.end.is_none_or(|end| end.holds_in(position))
    }

    /// True if the numbers of men are as demanded.
    pub fn holds_for(&self, men: &Men) -> bool {
        self.distance(men) == 0
    }

    /// True if nothing but numbers of men is demanded.
    pub fn speaks_of_men_only(&self) -> bool {
        let Aim { counts, differences, .. } = *self;
        *self == Aim { counts, differences, ..Aim::NONE }
    }

    /// False if the pawns cannot suffice for the pawns and the promotions that the counts demand.
    pub fn is_reachable_from(&self, men: &Men) -> bool {
        [0, 5].into_iter().all(|side| {
            let missing = |kind: usize| {
                let least = self.counts[side + kind].least.unwrap_or(0);
                (least - men.count(KINDS[side + kind]) as i8).max(0)
            };
            let pawns = men.count(KINDS[side + 4]) as i8 - self.counts[side + 4].least.unwrap_or(0).max(0);
            (0..4).map(missing).sum::<i8>() <= pawns
        })
    }

    /// How many men there are too many or too few.
    pub fn distance(&self, men: &Men) -> u32 {
        let counts = self.counts.iter().zip(KINDS).map(|(span, kind)| span.excess(men.count(kind) as i8));
        let differences =
            self.differences.iter().enumerate().map(|(kind, span)| span.excess(difference(men, kind)));
        counts.chain(differences).map(|excess| u32::from(excess.unsigned_abs())).sum()
    }

    /// How many squares are not filled, or emptied, as demanded.
    pub fn squares_left(&self, position: &Chess) -> usize {
        let board = position.board();
        let men = self.squares[..12].iter().enumerate().map(|(index, wanted)| {
            let piece = Piece { color: Color::from_white(index < 6), role: Role::ALL[index % 6] };
            (*wanted & !board.by_piece(piece)).count()
        });
        men.sum::<usize>() + (self.squares[12] & board.occupied()).count()
    }
}

/// How many more men of a kind (0–4: queen to pawn) White has than Black.
pub(super) fn difference(men: &Men, kind: usize) -> i8 {
    men.count(KINDS[kind]) as i8 - men.count(KINDS[kind + 5]) as i8
}

/// Index into [`RIGHTS`].
pub(super) fn right(color: Color, side: CastlingSide) -> usize {
    RIGHTS.iter().position(|right| (right.1, right.2) == (color, side)).expect("all rights are listed")
}
