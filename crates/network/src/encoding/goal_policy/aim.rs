use entente_constraint::{Check, End, KINDS, Men, RIGHTS};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Piece, Position, Role};

/// One alternative of a constraint as a goal-conditioned network reads it: numbers of men, squares and flags.
///
/// A constraint may demand more, such as the length of the game. Generation enforces the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The allowed number of men of each of the [`KINDS`].
    pub counts: [Span; KINDS.len()],
    /// The allowed differences, White's number minus Black's, of queens, rooks, bishops, knights and pawns.
    pub differences: [Span; 5],
    /// The squares that must hold each man: White's in the order of [`Role::ALL`], then Black's. The last bitboard has
    /// the squares that must be empty.
    pub squares: [Bitboard; 13],
    /// For each castling right, in the order of [`RIGHTS`], whether it must exist; `None` if either is allowed.
    pub castling: [Option<bool>; 4],
    /// Which king must be in check, or that none is.
    pub check: Option<Check>,
    /// The player who must be to move.
    pub turn: Option<Color>,
    /// How the game must have ended.
    pub end: Option<End>,
}

/// A range of allowed numbers, with optional bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The lower bound, if there is one.
    pub least: Option<i8>,
    /// The upper bound, if there is one.
    pub most: Option<i8>,
}

impl Span {
    /// Any number.
    pub const FREE: Span = Span { least: None, most: None };

    /// Only this number.
    pub fn exactly(number: i8) -> Span {
        Span { least: Some(number), most: Some(number) }
    }

    /// True if there are no bounds.
    pub fn is_free(self) -> bool {
        self == Span::FREE
    }

    /// The intersection: the tighter of the bounds of both.
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

    /// True if `number` is within the bounds.
    pub fn contains(self, number: i8) -> bool {
        self.excess(number) == 0
    }

    /// How far `number` is above the upper bound (positive) or below the lower bound (negative); 0 within the bounds.
    pub fn excess(self, number: i8) -> i8 {
        self.most.map_or(0, |most| (number - most).max(0))
            - self.least.map_or(0, |least| (least - number).max(0))
    }
}

impl Aim {
    /// No demands. With this aim the network is a plain policy of human play.
    pub const NONE: Aim = Aim {
        counts: [Span::FREE; KINDS.len()],
        differences: [Span::FREE; 5],
        squares: [Bitboard::EMPTY; 13],
        castling: [None; 4],
        check: None,
        turn: None,
        end: None,
    };

    /// The index in [`Aim::squares`] of this man, or of empty squares.
    pub fn place(man: Option<Piece>) -> usize {
        man.map_or(12, |piece| piece.color.fold_wb(0, 6) + usize::from(piece.role) - 1)
    }

    /// True if there are no demands.
    pub fn is_none(&self) -> bool {
        *self == Aim::NONE
    }

    /// True if the position meets every demand.
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

    /// True if the numbers of men are within their bounds.
    pub fn holds_for(&self, men: &Men) -> bool {
        self.distance(men) == 0
    }

    /// True if all demands are on numbers of men.
    pub fn is_material_only(&self) -> bool {
        let Aim { counts, differences, .. } = *self;
        *self == Aim { counts, differences, ..Aim::NONE }
    }

    /// False if a side has too few pawns for the pawns and the promotions that the counts demand.
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

    /// The number of men missing or in excess, over all counts and differences.
    pub fn distance(&self, men: &Men) -> u32 {
        let counts = self.counts.iter().zip(KINDS).map(|(span, kind)| span.excess(men.count(kind) as i8));
        let differences =
            self.differences.iter().enumerate().map(|(kind, span)| span.excess(difference(men, kind)));
        counts.chain(differences).map(|excess| u32::from(excess.unsigned_abs())).sum()
    }

    /// The number of squares that do not hold the demanded man, or are not empty as demanded.
    pub fn squares_left(&self, position: &Chess) -> usize {
        let board = position.board();
        let men = self.squares[..12].iter().enumerate().map(|(index, wanted)| {
            let piece = Piece { color: Color::from_white(index < 6), role: Role::ALL[index % 6] };
            (*wanted & !board.by_piece(piece)).count()
        });
        men.sum::<usize>() + (self.squares[12] & board.occupied()).count()
    }
}

/// White's number of men of a kind (0–4: queen to pawn) minus Black's.
pub(super) fn difference(men: &Men, kind: usize) -> i8 {
    men.count(KINDS[kind]) as i8 - men.count(KINDS[kind + 5]) as i8
}

/// The index of a castling right in [`RIGHTS`].
pub(super) fn right(color: Color, side: CastlingSide) -> usize {
    RIGHTS
        .iter()
        .position(|right| (right.1, right.2) == (color, side))
        .expect("all castling rights are listed")
}
