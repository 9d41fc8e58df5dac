//! An alternative's bounds on the numbers of men.

use shakmaty::Piece;

use super::{Comparison, Count, Impossible, KINDS, Men, men::kind_index};

/// A bound that means "no limit": larger than any number on a board or in a constraint.
///
/// Its sum with any count or difference on a board still fits an `i8`.
const BEYOND: i8 = 100;
/// The same for sums of such numbers: larger than any chain of differences through all kinds.
const NO_LIMIT: i32 = 1_000_000;
/// The most men that a side can have.
const MAX_MEN: i8 = 16;

/// A range for every kind of man, and ranges for differences between kinds. All of them must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The bounds that the constraint states for each kind of man. Distances are measured to these.
    pub(super) stated: Bounds,
    /// The bounds that [`Counts::stated`] and the differences together imply for each kind.
    pub(super) implied: Bounds,
    pub(super) differences: Vec<Difference>,
}

/// The fewest and the most men of each of the [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub least: [i8; KINDS.len()],
    pub most: [i8; KINDS.len()],
}

/// A range for the difference between the numbers of two kinds, which are indices into [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub minuend: usize,
    pub subtrahend: usize,
    pub range: Range,
}

/// The range of a count or difference. Its ends are within ±[`BEYOND`], which means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub least: i8,
    pub most: i8,
}

impl Range {
    /// The range from `least` to `most`; `None` means no limit.
    pub(crate) fn new(least: Option<i8>, most: Option<i8>) -> Range {
        let within = |bound: i8| bound.clamp(-BEYOND, BEYOND);
        Range { least: within(least.unwrap_or(-BEYOND)), most: within(most.unwrap_or(BEYOND)) }
    }

    pub(crate) fn has_least(self) -> bool {
        self.least > -BEYOND
    }

    pub(crate) fn has_most(self) -> bool {
        self.most < BEYOND
    }

    /// How far `number`, a count or difference on a board, is outside the range.
    #[inline]
    fn distance(self, number: i8) -> u32 {
        (self.least - number).max(number - self.most).max(0) as u32
    }
}

impl Bounds {
    pub(crate) const FREE: Bounds = Bounds { least: [-BEYOND; KINDS.len()], most: [BEYOND; KINDS.len()] };

    /// True if the bounds allow every number of men of `kind` that a board can have.
    pub(crate) fn is_free(&self, kind: usize) -> bool {
        self.least[kind] <= 0 && self.most[kind] >= MAX_MEN
    }

    fn are_empty(&self) -> bool {
        (0..KINDS.len()).any(|kind| self.least[kind] > self.most[kind])
    }
}

impl Counts {
    /// No bounds at all.
    pub const FREE: Counts = Counts { stated: Bounds::FREE, implied: Bounds::FREE, differences: Vec::new() };

    /// The alternatives of `count`, or of its negation if `negated`: two if numbers in the middle are excluded.
    pub fn of(count: &Count, negated: bool) -> Vec<Counts> {
        let (below, above) =
            (|bound: i8| Some(bound.saturating_sub(1)), |bound: i8| Some(bound.saturating_add(1)));
        let comparison = if negated { count.comparison.negated() } else { count.comparison };
        let ranges = match comparison {
            Comparison::In(range) => vec![Range::new(Some(range.low()), Some(range.high()))],
            Comparison::NotIn(range) => {
                let lower = Range::new(None, below(range.low()));
                let higher = Range::new(above(range.high()), None);
                // A count, unlike a difference, is never below zero.
                if count.minus.is_none() && lower.most < 0 { vec![higher] } else { vec![lower, higher] }
            }
            Comparison::Less(bound) => vec![Range::new(None, below(bound))],
            Comparison::AtMost(bound) => vec![Range::new(None, Some(bound))],
            Comparison::Greater(bound) => vec![Range::new(above(bound), None)],
            Comparison::AtLeast(bound) => vec![Range::new(Some(bound), None)],
        };
        ranges.into_iter().map(|range| Counts::within(count, range)).collect()
    }

    /// The counts that require the number or difference of `count` to be in `range`. Its comparison is ignored.
    fn within(count: &Count, range: Range) -> Counts {
        let mut counts = Counts::FREE;
        if let Some(minus) = count.minus {
            let difference = Difference { minuend: index(count.piece), subtrahend: index(minus), range };
            counts.differences.push(difference);
        } else {
            counts.stated.least[index(count.piece)] = range.least;
            counts.stated.most[index(count.piece)] = range.most;
        }
        counts
    }

    /// Both at once; `None` if the ranges of some kind do not overlap.
    pub fn and(&self, other: &Counts) -> Option<Counts> {
        let [left, right] = [&self.stated, &other.stated];
        let stated = Bounds {
            least: std::array::from_fn(|kind| left.least[kind].max(right.least[kind])),
            most: std::array::from_fn(|kind| left.most[kind].min(right.most[kind])),
        };
        let differences = self.differences.iter().chain(&other.differences).copied().collect();
        (!stated.are_empty()).then_some(Counts { stated, implied: stated, differences })
    }

    /// The fewest men of the kind of `piece`, which must not be a king.
    pub fn least(&self, piece: Piece) -> i8 {
        self.stated.least[index(piece)]
    }

    /// The most men of the kind of `piece`, which must not be a king.
    pub fn most(&self, piece: Piece) -> i8 {
        self.stated.most[index(piece)]
    }

    /// Requires at least `least` men of the kind of `piece`, which must not be a king.
    pub fn demand(&mut self, piece: Piece, least: i8) {
        self.stated.least[index(piece)] = self.least(piece).max(least);
    }

    /// Allows at most `most` men of the kind of `piece`, which must not be a king.
    pub fn limit(&mut self, piece: Piece, most: i8) {
        let kind = index(piece);
        self.stated.most[kind] = self.stated.most[kind].min(most);
    }

    /// The counts with their implied bounds.
    ///
    /// # Errors
    /// [`Impossible`] if no board can satisfy the counts.
    pub fn settled(mut self) -> Result<Counts, Impossible> {
        if self.stated.are_empty() {
            return Err(Impossible::Contradiction);
        }
        if let Some(kind) = (0..KINDS.len()).find(|&kind| self.stated.most[kind] < 0) {
            return Err(Impossible::Negative { piece: KINDS[kind] });
        }
        self.stated.least = self.stated.least.map(|least| least.max(0));
        self.implied = self.stated.tightened(&self.differences).ok_or(Impossible::Contradiction)?;
        Ok(self)
    }

    /// The fewest and the most men of each of the [`KINDS`].
    pub fn bounds(&self) -> [(i8, i8); KINDS.len()] {
        std::array::from_fn(|kind| (self.implied.least[kind].max(0), self.implied.most[kind]))
    }

    /// For each difference, the minuend and the subtrahend as indices into [`KINDS`], and how far the difference is
    /// off: positive if it is too large, negative if it is too small, 0 if it is in range.
    pub fn difference_errors(&self, men: &Men) -> impl Iterator<Item = (usize, usize, i8)> {
        self.differences.iter().map(|&Difference { minuend, subtrahend, range }| {
            let number = men.0[minuend] - men.0[subtrahend];
            let off = (number - range.most).max(0) - (range.least - number).max(0);
            (minuend, subtrahend, off)
        })
    }

    /// For each difference, the minuend and the subtrahend as indices into [`KINDS`], and the least and the greatest
    /// value, if limited.
    pub fn differences(&self) -> impl Iterator<Item = (usize, usize, Option<i8>, Option<i8>)> {
        self.differences.iter().map(|&Difference { minuend, subtrahend, range }| {
            let (least, most) =
                (range.has_least().then_some(range.least), range.has_most().then_some(range.most));
            (minuend, subtrahend, least, most)
        })
    }

    /// The number of men missing or in excess, plus the amounts by which the differences are off.
    #[inline]
    pub fn distance(&self, men: &Men) -> u32 {
        let mut distance = 0;
        let Bounds { least, most } = &self.stated;
        for kind in 0..KINDS.len() {
            let count = men.0[kind];
            distance += (least[kind] - count).max(count - most[kind]).max(0) as u32;
        }
        for difference in &self.differences {
            let number = men.0[difference.minuend] - men.0[difference.subtrahend];
            distance += difference.range.distance(number);
        }
        distance
    }
}

impl Bounds {
    /// These bounds tightened by `differences`; `None` if no numbers satisfy them all. No lower bound may be negative.
    ///
    /// This is the Bellman–Ford relaxation of difference constraints. The unknowns are the kinds and an origin; the
    /// bounds themselves are differences from the origin. There is a pass for each unknown. If a bound still changes in
    /// the last pass, the constraints contradict each other.
    fn tightened(self, differences: &[Difference]) -> Option<Bounds> {
        // Sums along a chain of differences may not fit an `i8`.
        let mut least = self.least.map(i32::from);
        let mut most = self.most.map(|most| if most < BEYOND { most.into() } else { NO_LIMIT });
        for _ in 0..=KINDS.len() {
            let before = (least, most);
            for &Difference { minuend, subtrahend, range } in differences {
                if minuend == subtrahend {
                    continue;
                }
                if range.has_least() {
                    least[minuend] =
                        least[minuend].max(least[subtrahend].saturating_add(i32::from(range.least)));
                    most[subtrahend] =
                        most[subtrahend].min(most[minuend].saturating_sub(i32::from(range.least)));
                }
                if range.has_most() {
                    least[subtrahend] =
                        least[subtrahend].max(least[minuend].saturating_sub(i32::from(range.most)));
                    most[minuend] = most[minuend].min(most[subtrahend].saturating_add(i32::from(range.most)));
                }
            }
            if (0..KINDS.len()).any(|kind| least[kind] > most[kind]) {
                return None;
            }
            if before == (least, most) {
                let within = |bounds: [i32; KINDS.len()]| bounds.map(|bound| bound.min(BEYOND.into()) as i8);
                return Some(Bounds { least: within(least), most: within(most) });
            }
        }
        None
    }
}

fn index(piece: Piece) -> usize {
    kind_index(piece.color, piece.role).expect("kings are not counted")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    /// The implied bounds on white queens and on black queens in the only alternative.
    fn queens(text: &str) -> Option<[(i8, i8); 2]> {
        let goal = Goal::new(&text.parse().expect(text)).expect(text);
        let implied = goal.alternatives.first()?.implied;
        Some([0, 5].map(|kind| (implied.least[kind], implied.most[kind])))
    }

    #[test]
    fn differences_bound_the_numbers_that_they_compare() {
        assert_eq!(queens("Q-q=4 q=0..2"), Some([(4, 6), (0, 2)]));
        assert_eq!(queens("Q-q>=2 Q<=3"), Some([(2, 3), (0, 1)]));
        assert_eq!(queens("q-r>=3 r>=1 Q-q=1"), Some([(5, BEYOND), (4, BEYOND)]));
        assert_eq!(queens("Q-q!=0"), Some([(0, BEYOND), (1, BEYOND)]));
        assert_eq!(queens("Q-q<=-1 | Q-q>=5"), Some([(0, BEYOND), (1, BEYOND)]));
    }

    #[test]
    fn contradictory_differences_leave_no_alternative() {
        assert_eq!(queens("Q-q>=1 q-r>=1 r-Q>=-1"), None);
        assert_eq!(queens("Q-q>=1 q-Q>=0"), None);
        assert_eq!(queens("Q=0 Q-q=3"), None);
        assert!(queens("Q-q>=1 q-r>=1 Q-r=2").is_some());
        assert_eq!(queens(&"Q-q>=99 q-Q>=99 ".repeat(500)), None);
    }
}
