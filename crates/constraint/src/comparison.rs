//! Comparisons of a number with a range or a bound.

use std::fmt::{self, Display, Formatter};

/// A comparison of a number with a range or a bound.
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
    /// True if `number` satisfies the comparison.
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

    /// The comparison in words.
    pub(super) fn in_words(self) -> String
    where
        T: Display,
    {
        let range = |low: T, high: T| if low == high { low.to_string() } else { format!("{low} to {high}") };
        match self {
            Comparison::In(numbers) => range(numbers.low(), numbers.high()),
            Comparison::NotIn(numbers) => format!("not {}", range(numbers.low(), numbers.high())),
            Comparison::Less(bound) => format!("less than {bound}"),
            Comparison::AtMost(bound) => format!("at most {bound}"),
            Comparison::Greater(bound) => format!("more than {bound}"),
            Comparison::AtLeast(bound) => format!("at least {bound}"),
        }
    }

    /// The comparison that holds exactly if this one does not.
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

/// A range of integers that includes both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerRange<T = i8> {
    low: T,
    high: T,
}

impl<T: Copy + Ord> IntegerRange<T> {
    /// The range from `low` to `high`; `None` if `low` is greater than `high`.
    pub fn new(low: T, high: T) -> Option<IntegerRange<T>> {
        (low <= high).then_some(IntegerRange { low, high })
    }

    /// The range that contains only `number`.
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

impl<T: Copy + Ord + Display> Display for Comparison<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Comparison::In(range) => write!(f, "={range}"),
            Comparison::NotIn(range) => write!(f, "!={range}"),
            Comparison::Less(bound) => write!(f, "<{bound}"),
            Comparison::AtMost(bound) => write!(f, "<={bound}"),
            Comparison::Greater(bound) => write!(f, ">{bound}"),
            Comparison::AtLeast(bound) => write!(f, ">={bound}"),
        }
    }
}

impl<T: Copy + Ord + Display> Display for IntegerRange<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.low() == self.high() {
            write!(f, "{}", self.low())
        } else {
            write!(f, "{}..{}", self.low(), self.high())
        }
    }
}
