use shakmaty::{Color, Piece};

/// The exact counts of one side's men: the thesis's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The side; White where the notation names none.
    pub color: Color,
    /// Queens, rooks, bishops, knights, pawns.
    pub counts: [u8; 5],
}

/// The exact counts of both sides' men: `KRPvKR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's queens, rooks, bishops, knights, pawns.
    pub white: [u8; 5],
    /// Black's, likewise.
    pub black: [u8; 5],
}

impl Material {
    /// The two tuples that it stands for.
    pub fn tuples(self) -> [Tuple; 2] {
        [Tuple { color: Color::White, counts: self.white }, Tuple { color: Color::Black, counts: self.black }]
    }
}

/// The number of men of one kind, or the difference between the numbers of two kinds, compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The kind of man; never a king.
    pub piece: Piece,
    /// The kind whose number is subtracted, if any; never a king.
    pub minus: Option<Piece>,
    /// What the number must be.
    pub comparison: Comparison,
}

/// What a number must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison<T = i8> {
    /// `=`: in the range.
    In(IntegerRange<T>),
    /// `!=`: outside the range.
    NotIn(IntegerRange<T>),
    /// `<`
    Less(T),
    /// `<=`
    AtMost(T),
    /// `>`
    Greater(T),
    /// `>=`
    AtLeast(T),
}

impl<T: Copy + Ord> Comparison<T> {
    /// True if `number` is as demanded.
    pub fn holds(self, number: T) -> bool {
        match self {
            Comparison::In(range) => range.contains(number),
            Comparison::NotIn(range) => !range.contains(number),
            Comparison::Less(bound) => number < bound,
            Comparison::AtMost(bound) => number <= bound,
            Comparison::Greater(bound) => number > bound,
            Comparison::AtLeast(bound) => number >= bound,
        }
    }

    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> Comparison<T> {
        match self {
            Comparison::In(range) => Comparison::NotIn(range),
            Comparison::NotIn(range) => Comparison::In(range),
            Comparison::Less(bound) => Comparison::AtLeast(bound),
            Comparison::AtMost(bound) => Comparison::Greater(bound),
            Comparison::Greater(bound) => Comparison::AtMost(bound),
            Comparison::AtLeast(bound) => Comparison::Less(bound),
        }
    }
}

/// An inclusive range of integers, low end first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerRange<T = i8> {
    low: T,
    high: T,
}

impl<T: Copy + Ord> IntegerRange<T> {
    /// The range from `low` to `high`; `None` if `low` is the greater.
    pub fn new(low: T, high: T) -> Option<IntegerRange<T>> {
        (low <= high).then_some(IntegerRange { low, high })
    }

    /// The range that holds one number.
    pub fn exactly(number: T) -> IntegerRange<T> {
        IntegerRange { low: number, high: number }
    }

    /// The lowest number in the range.
    pub fn low(self) -> T {
        self.low
    }

    /// The highest number in the range.
    pub fn high(self) -> T {
        self.high
    }

    /// True if `number` is in the range.
    pub fn contains(self, number: T) -> bool {
        (self.low..=self.high).contains(&number)
    }
}
