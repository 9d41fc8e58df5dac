use shakmaty::{Color, Piece};

/// A constraint as a person writes it.
///
/// Parse it with [`str::parse`], print it with [`Display`](std::fmt::Display); what is printed parses to the
/// same value. `docs/constraints.md` describes the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// All of them hold (at least two).
    All(Vec<Constraint>),
    /// One of them holds (at least two).
    Any(Vec<Constraint>),
    /// It does not hold.
    Not(Box<Constraint>),
    /// A single condition.
    Atom(Atom),
}

/// A single condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `(1,2,1,1,7)`: the exact counts of one side.
    Tuple(Tuple),
    /// `R=1..2`, `Q-q=0`: the number of men of one kind, or the difference between two.
    Count(Count),
}

/// The exact counts of one side's men: the thesis's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// The side; White where the notation names none.
    pub color: Color,
    /// Queens, rooks, bishops, knights, pawns.
    pub counts: [u8; 5],
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
pub enum Comparison {
    /// `=`: in the range.
    In(IntegerRange),
    /// `!=`: outside the range.
    NotIn(IntegerRange),
    /// `<`
    Less(i8),
    /// `<=`
    AtMost(i8),
    /// `>`
    Greater(i8),
    /// `>=`
    AtLeast(i8),
}

impl Comparison {
    /// True if `number` is as demanded.
    pub fn holds(self, number: i8) -> bool {
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
    pub fn negated(self) -> Comparison {
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
pub struct IntegerRange {
    low: i8,
    high: i8,
}

impl IntegerRange {
    /// The range from `low` to `high`; `None` if `low` is the greater.
    pub fn new(low: i8, high: i8) -> Option<IntegerRange> {
        (low <= high).then_some(IntegerRange { low, high })
    }

    /// The range that holds one number.
    pub fn exactly(number: i8) -> IntegerRange {
        IntegerRange { low: number, high: number }
    }

    /// The lowest number in the range.
    pub fn low(self) -> i8 {
        self.low
    }

    /// The highest number in the range.
    pub fn high(self) -> i8 {
        self.high
    }

    /// True if `number` is in the range.
    pub fn contains(self, number: i8) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl From<Tuple> for Constraint {
    fn from(tuple: Tuple) -> Constraint {
        Constraint::Atom(Atom::Tuple(tuple))
    }
}

impl From<Count> for Constraint {
    fn from(count: Count) -> Constraint {
        Constraint::Atom(Atom::Count(count))
    }
}
